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
    ['a field that is gone', remove([...schema, 'properties'], 'status'), 'detail.status: the field is gone.'],
    ['a field that may be absent', set(schema, { required: ['kind', 'id'] }), 'the field is no longer always there'],
    ['a new word', set(field('transactionStatus'), { enum: [...words, 'NEW'] }), '"NEW" is a new word.'],
    ['another source', set([...envelope, 'source'], { const: 'other' }), 'source: const was'],
  ])('finds a breaking change: %s', (_, change, sentence) => {
    expect(breakingEventChanges(released(), changed(change))).toContainEqual(expect.stringContaining(sentence));
  });

  it.each([
    ['a further event', set(['components', 'messages'], { OrderMoved: { payload: { type: 'object' } } })],
    ['a further field', set([...schema, 'properties'], { venue: { type: 'string' } })],
    ['a closed list with fewer words', set(field('transactionStatus'), { enum: words.slice(1) })],
  ])('allows a change that breaks no consumer: %s', (_, change) => {
    expect(breakingEventChanges(released(), changed(change))).toEqual([]);
  });
});
