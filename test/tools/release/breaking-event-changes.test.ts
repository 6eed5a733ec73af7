import { describe, expect, it } from 'vitest';
import { writeAsyncApi } from '#docs/generate/bus/write-asyncapi.ts';
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

/** The released document after this change. */
function changed(change: (document: Json) => void): Json {
  const document = released();
  change(document);
  return document;
}

const words = ['N/A', 'COMPLETED', 'MODIFIED'];
const envelope = ['components', 'messages', 'OrderUpdated', 'payload', 'properties'];

describe('the comparison of event contracts', () => {
  it.each([
    ['an event that is gone', remove(['components', 'messages'], 'OrderUpdated'), 'OrderUpdated: the event is gone.'],
    ['another bus', set(['channels', 'bus'], { address: 'other' }), 'channel bus: the address was drawbridge-'],
    ['a field that is gone', remove([...schema, 'properties'], 'status'), 'detail.status: the field is gone.'],
    ['a field that may be absent', set(schema, { required: ['kind', 'id'] }), 'the field is no longer always there'],
    ['another type', set(field('sequence'), { type: 'string' }), 'type was "integer", and is "string".'],
    ['a new word', set(field('transactionStatus'), { enum: [...words, 'NEW'] }), '"NEW" is a new word.'],
    ['a closed list that is open now', remove(field('transactionStatus'), 'enum'), 'any word is a new word.'],
    ['another pattern', set(field('eventId'), { pattern: '^.*$' }), 'detail.eventId: pattern was'],
    ['a limit that is gone', remove(field('sequence'), 'exclusiveMinimum'), 'exclusiveMinimum was 0, and is gone.'],
    ['other elements', set(field('anomalies'), { items: { type: 'object' } }), 'detail.anomalies[]: type was'],
    ['another source', set([...envelope, 'source'], { const: 'other' }), 'source: const was'],
  ])('finds a breaking change: %s', (_, change, sentence) => {
    expect(breakingEventChanges(released(), changed(change))).toContainEqual(expect.stringContaining(sentence));
  });

  const everyField = Object.keys(part(released(), ...schema, 'properties'));

  it.each([
    ['a further event', set(['components', 'messages'], { OrderMoved: { payload: { type: 'object' } } })],
    ['a further field', set([...schema, 'properties'], { venue: { type: 'string' } })],
    ['a field that is always there now', set(schema, { required: everyField })],
    ['a closed list with fewer words', set(field('transactionStatus'), { enum: words.slice(1) })],
    ['another description', set(field('status'), { description: 'Other words.' })],
  ])('allows a change that breaks no consumer: %s', (_, change) => {
    expect(breakingEventChanges(released(), changed(change))).toEqual([]);
  });
});
