import { describe, expect, it } from 'vitest';
import { writeAsyncApi } from '#test/asyncapi/write-asyncapi.ts';
import { breakingEventChanges } from '#tools/release/breaking-event-changes.ts';

type Json = { [key: string]: Json };

const released = (): Json => JSON.parse(JSON.stringify(writeAsyncApi()));

/** A part of a document, by the names that lead to it. */
function part(document: Json, ...names: readonly string[]): Json {
  return names.reduce((value, name) => {
    const next = value[name];
    if (next === undefined) throw new Error(`The document has no ${name}.`);
    return next;
  }, document);
}

const schema = ['components', 'schemas', 'OrderStatusChanged'] as const;
const field = (name: string) => [...schema, 'properties', name];

/** Sets members of a part of a document. */
const set =
  (names: readonly string[], members: object) =>
  (document: Json): void =>
    void Object.assign(part(document, ...names), members);

/** Removes a member of a part of a document. */
const remove =
  (names: readonly string[], member: string) =>
  (document: Json): void =>
    void Reflect.deleteProperty(part(document, ...names), member);

/** The released document after these changes. */
function changed(...changes: readonly ((document: Json) => void)[]): Json {
  const document = released();
  for (const change of changes) change(document);
  return document;
}

const words = ['N/A', 'COMPLETED', 'MODIFIED'];
const envelope = ['components', 'messages', 'OrderUpdated', 'payload', 'properties'];

describe('the comparison of event contracts', () => {
  it.each([
    ['an event that is gone', remove(['components', 'messages'], 'OrderUpdated'), 'OrderUpdated: the event is gone.'],
    [
      'another bus',
      set(['channels', 'bus'], { address: 'other' }),
      'channel bus: the address was drawbridge-{environment}, and is other.',
    ],
    [
      'a field that is gone',
      remove([...schema, 'properties'], 'status'),
      'OrderStatusChanged.detail.status: the field is gone.',
    ],
    [
      'a field that is no longer always there',
      set(schema, { required: ['kind', 'id'] }),
      'OrderStatusChanged.detail.sequence: the field is no longer always there.',
    ],
    [
      'another type',
      set(field('sequence'), { type: 'string' }),
      'OrderStatusChanged.detail.sequence: type was "integer", and is "string".',
    ],
    [
      'a new word of a closed list',
      set(field('transactionStatus'), { enum: [...words, 'NEW'] }),
      'OrderStatusChanged.detail.transactionStatus: "NEW" is a new word.',
    ],
    [
      'a closed list that is open now',
      remove(field('transactionStatus'), 'enum'),
      'OrderStatusChanged.detail.transactionStatus: any word is a new word.',
    ],
    ['another pattern', set(field('eventId'), { pattern: '^.*$' }), 'OrderStatusChanged.detail.eventId: pattern was'],
    [
      'a limit that is gone',
      remove(field('sequence'), 'exclusiveMinimum'),
      'OrderStatusChanged.detail.sequence: exclusiveMinimum was 0, and is gone.',
    ],
    [
      'other elements of a list',
      set(field('anomalies'), { items: { type: 'object' } }),
      'OrderStatusChanged.detail.anomalies[]: type was "string", and is "object".',
    ],
    [
      'another source in the envelope',
      set([...envelope, 'source'], { const: 'other' }),
      'OrderUpdated.source: const was "drawbridge", and is "other".',
    ],
  ])('finds a breaking change: %s', (_, change, sentence) => {
    expect(breakingEventChanges(released(), changed(change))).toContainEqual(expect.stringContaining(sentence));
  });

  it.each([
    ['a further event', set(['components', 'messages'], { OrderMoved: { payload: { type: 'object' } } })],
    ['a further field', set([...schema, 'properties'], { venue: { type: 'string' } })],
    [
      'a field that is always there now',
      set(schema, { required: Object.keys(part(released(), ...schema, 'properties')) }),
    ],
    ['a closed list with fewer words', set(field('transactionStatus'), { enum: words.slice(1) })],
    ['another description', set(field('status'), { description: 'Other words.' })],
  ])('allows a change that breaks no consumer: %s', (_, change) => {
    expect(breakingEventChanges(released(), changed(change))).toEqual([]);
  });
});
