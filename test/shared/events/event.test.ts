import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifyEvent } from '#shared/events/event.ts';
import { anyCharacter } from '#test/any-character.ts';

/** Of a type that speaks of no entity, so that a body may be anything. */
const customers = 'CUSTOMER_NOTIFICATION';
const profile = { eventTypes: [customers, 'TRANSFER_NOTIFICATION'], places: {}, times: {} };

function identify(body: string | Uint8Array, eventType = customers) {
  return identifyEvent(eventType, Buffer.from(body), profile);
}

function idOf(body: string | Uint8Array, eventType?: string): string {
  return identify(body, eventType).eventId;
}

it.each([
  ['{"transferId":9007199254740993,"status":"PENDING"}', '9007199254740993', 'PENDING'],
  ['{"transferId":9007199254740992,"status":{"code":"PENDING"}}', '9007199254740992', 'PENDING'],
  ['{"transferId":"t","status":" PENDING "}', 't', 'PENDING'],
])('places an event by all digits of its id, and the word of its status: %s', (body, id, status) => {
  expect(identify(body, 'TRANSFER_NOTIFICATION').placed).toEqual({ kind: 'transfer', id, report: { status } });
});

// Two texts have one canonical form where they say the same, and only there: json-text.test.ts.
describe('the id of an event is the SHA-256 of its type and its canonical JSON', () => {
  it('is what it was in every release before: stored events are found by it', () => {
    // printf '"TRANSFER_NOTIFICATION"{"a":[1,"x"],"b":null}' | sha256sum
    expect(idOf('{ "b": null, "a": [1.0, "\\u0078"] }', 'TRANSFER_NOTIFICATION')).toBe(
      '5efa2e68e7fc5b94838641db4111d391c01c537ac42d5d8b53195596d90fe902',
    );
  });

  it('is of the raw bytes where they do not parse', () => {
    // printf '"TRANSFER_NOTIFICATION"{ no JSON' | sha256sum
    expect(idOf('{ no JSON', 'TRANSFER_NOTIFICATION')).toBe(
      '94fdc446f6ec4eb819fbab55b520ad197b8b3b7c28355d61af3f685fb710df29',
    );
  });

  it('differs where the type differs', () => {
    const word = fc.string({ unit: anyCharacter, maxLength: 20 });
    fc.assert(
      fc.property(word, word, fc.uint8Array(), (one, other, body) => {
        expect(idOf(body, one) === idOf(body, other)).toBe(one === other);
      }),
    );
  });

  it('does not read the end of a type as the beginning of a body', () => {
    expect(idOf('B{}', 'A')).not.toBe(idOf('{}', 'AB'));
    expect(idOf('{}', '"A"')).not.toBe(idOf('"{}', '"A'));
  });
});

describe('a text that has no canonical form', () => {
  it.each([
    ['integers beyond 2^53', '{"n":9007199254740993}', '{"n":9007199254740992}'],
    ['bytes that decode to the replacement character', Uint8Array.of(0xfe), Uint8Array.of(0xff)],
  ])('has an id of its own, and the same id when it comes again: %s', (_, one, other) => {
    expect(idOf(one)).not.toBe(idOf(other));
    expect(idOf(one)).toBe(idOf(one));
  });
});

describe('promise 3: a body that cannot have an effect', () => {
  it.each([
    ['{}', undefined],
    ['{"n":9007199254740993}', undefined],
    ['{"a":1,"a":2}', undefined],
    ['\ufeff{}', undefined],
    ['', 'NOT_JSON'],
    ['{'.repeat(101), 'NESTED_TOO_DEEP'],
    ['[]', 'NOT_AN_OBJECT'],
    ['"{}"', 'NOT_AN_OBJECT'],
    ['null', 'NOT_AN_OBJECT'],
  ])('has this reason for quarantine, if any: %s has %s', (body, reason) => {
    expect(identify(body).quarantineReason).toBe(reason);
  });

  it.each(['NEW_NOTIFICATION', 'transfer_notification', '__proto__', 'constructor', '', ' TRANSFER_NOTIFICATION'])(
    'is quarantined: the type %j has the reason UNKNOWN_EVENT_TYPE',
    (eventType) => {
      expect(identify('{}', eventType)).toMatchObject({ eventType, quarantineReason: 'UNKNOWN_EVENT_TYPE' });
    },
  );

  it('names what is wrong with the body before what is wrong with the type', () => {
    expect(identify('{', 'NEW_NOTIFICATION').quarantineReason).toBe('NOT_JSON');
    expect(identify('[]', 'NEW_NOTIFICATION').quarantineReason).toBe('NOT_AN_OBJECT');
  });
});

describe('promise 10: linear time', () => {
  const listOf = (length: number, partOf: (index: number) => string) =>
    Array.from({ length }, (_, i) => partOf(i)).join(',');

  // A step for each pair of the characters of a body would take longer than a test may.
  it.each([
    ['brackets that open', '['.repeat(1_000_000), 'NESTED_TOO_DEEP'],
    ['quotes', '"'.repeat(1_000_000), 'NOT_JSON'],
    ['spaces', `{${' '.repeat(1_000_000)}`, 'NOT_JSON'],
    ['backslashes', `{"a":"${'\\\\'.repeat(500_000)}"}`, undefined],
    ['escaped quotes', `{"a":"${'\\"'.repeat(500_000)}"}`, undefined],
    ['halves of surrogate pairs', `{"a":"${'\\ud800'.repeat(160_000)}"}`, undefined],
    ['a number with zeros in the middle', `{"a":1.${'0'.repeat(1_000_000)}1}`, undefined],
    ['one key repeatedly', `{${listOf(90_000, (index) => `"data":[${index}]`)}}`, undefined],
    ['different keys', `{${listOf(80_000, (index) => `"k${100_000 + index}":"a"`)}}`, undefined],
    ['many elements', `{"a":[${listOf(500_000, () => '1')}]}`, undefined],
  ])('identifies a hostile body of 1 MB in linear time: %s', (_, body, quarantineReason) => {
    // Each stands as its canonical form does, or has none.
    const eventId = createHash('sha256').update(`"${customers}"${body}`).digest('hex');
    expect(identify(body)).toEqual({ eventId, eventType: customers, quarantineReason, placed: undefined });
  });
});
