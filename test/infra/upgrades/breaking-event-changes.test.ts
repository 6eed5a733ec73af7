import { describe, expect, it } from 'vitest';
import { breakingEventChanges } from '#infra/upgrades/breaking-event-changes.ts';
import { writeAsyncApi } from '#test/asyncapi/write-asyncapi.ts';

type Json = { [key: string]: Json };

const released = () => JSON.parse(JSON.stringify(writeAsyncApi())) as Json;

/** The document with one change. */
function changed(
  change: (parts: { readonly document: Json; readonly messages: Json; readonly schemas: Json }) => void,
) {
  const document = released();
  const components = document['components'] as Json;
  change({ document, messages: components['messages'] as Json, schemas: components['schemas'] as Json });
  return document;
}

/** A field of the detail of OrderStatusChanged. */
const field = (schemas: Json, name: string) => (schemas['OrderStatusChanged']?.['properties'] as Json)[name] as Json;

describe('the comparison of event contracts', () => {
  it.each<[string, Parameters<typeof changed>[0], string]>([
    [
      'an event that is gone',
      ({ messages }) => void Reflect.deleteProperty(messages, 'OrderUpdated'),
      'OrderUpdated: the event',
    ],
    [
      'another bus',
      ({ document }) => Object.assign(document['channels']?.['bus'] as Json, { address: 'other' }),
      'channel bus: the address was drawbridge-{environment}, and is other.',
    ],
    [
      'a field that is gone',
      ({ schemas }) => void Reflect.deleteProperty(schemas['OrderStatusChanged']?.['properties'] as Json, 'status'),
      'OrderStatusChanged.detail.status: the field is gone.',
    ],
    [
      'a field that is no longer always there',
      ({ schemas }) => Object.assign(schemas['OrderStatusChanged'] as Json, { required: ['kind', 'id'] }),
      'OrderStatusChanged.detail.sequence: the field is no longer always there.',
    ],
    [
      'another type',
      ({ schemas }) => Object.assign(field(schemas, 'sequence'), { type: 'string' }),
      'OrderStatusChanged.detail.sequence: type was "integer", and is "string".',
    ],
    [
      'a new word of a closed list',
      ({ schemas }) =>
        Object.assign(field(schemas, 'transactionStatus'), { enum: ['N/A', 'COMPLETED', 'MODIFIED', 'NEW'] }),
      'OrderStatusChanged.detail.transactionStatus: "NEW" is a new word.',
    ],
    [
      'a closed list that is open now',
      ({ schemas }) => void Reflect.deleteProperty(field(schemas, 'transactionStatus'), 'enum'),
      'OrderStatusChanged.detail.transactionStatus: any word is a new word.',
    ],
    [
      'another pattern',
      ({ schemas }) => Object.assign(field(schemas, 'eventId'), { pattern: '^.*$' }),
      'OrderStatusChanged.detail.eventId: pattern was',
    ],
    [
      'a limit that is gone',
      ({ schemas }) => void Reflect.deleteProperty(field(schemas, 'sequence'), 'exclusiveMinimum'),
      'OrderStatusChanged.detail.sequence: exclusiveMinimum was 0, and is gone.',
    ],
    [
      'other elements of a list',
      ({ schemas }) => Object.assign(field(schemas, 'anomalies'), { items: { type: 'object' } }),
      'OrderStatusChanged.detail.anomalies[]: type was "string", and is "object".',
    ],
    [
      'another source in the envelope',
      ({ messages }) =>
        Object.assign(((messages['OrderUpdated']?.['payload'] as Json)['properties'] as Json)['source'] as Json, {
          const: 'other',
        }),
      'OrderUpdated.source: const was "drawbridge", and is "other".',
    ],
  ])('finds %s', (_, change, sentence) => {
    expect(breakingEventChanges(released(), changed(change))).toContainEqual(expect.stringContaining(sentence));
  });

  it('allows a further event, a further field, a word less and another description', () => {
    const further = changed(({ messages, schemas }) => {
      messages['OrderMoved'] = messages['OrderUpdated'] as Json;
      Object.assign(schemas['OrderStatusChanged']?.['properties'] as Json, { venue: { type: 'string' } });
      Object.assign(field(schemas, 'transactionStatus'), { enum: ['N/A'], description: 'Other words.' });
      Object.assign(schemas['OrderUpdated'] as Json, {
        required: [...Object.values(schemas['OrderUpdated']?.['required'] ?? {}), 'status'],
      });
    });
    expect(breakingEventChanges(released(), further)).toEqual([]);
  });
});
