import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifyEvent } from '#shared/events/event.ts';
import { jsonObject, writeDifferently } from './json-writing.ts';

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
  ['{"transferId":"t","status":" PENDING "}', 't', 'PENDING'],
])('places an event by all digits of its id, and the word of its status: %s', (body, id, status) => {
  expect(identify(body, 'TRANSFER_NOTIFICATION').placed).toEqual({ kind: 'transfer', id, report: { status } });
});

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

  it('does not depend on white space, order of keys, escapes, or how a number is written', () => {
    fc.assert(
      fc.property(jsonObject, fc.gen(), (value, choose) => {
        expect(identify(writeDifferently(value, choose))).toEqual(identify(JSON.stringify(value)));
      }),
    );
  });

  it('differs where the value differs', () => {
    fc.assert(
      fc.property(jsonObject, jsonObject, (one, other) => {
        const [first, second] = [JSON.stringify(one), JSON.stringify(other)];
        expect(idOf(first) === idOf(second)).toBe(isDeepStrictEqual(JSON.parse(first), JSON.parse(second)));
      }),
    );
  });

  it('differs where one word or one number within is another', () => {
    const leaf = fc.oneof(fc.constant(null), fc.boolean(), fc.double({ noNaN: true }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(jsonObject, leaf, leaf, (value, one, other) => {
        const [first, second] = [JSON.stringify({ value, leaf: one }), JSON.stringify({ value, leaf: other })];
        expect(idOf(first) === idOf(second)).toBe(isDeepStrictEqual(JSON.parse(first), JSON.parse(second)));
      }),
    );
  });

  it('differs where the type differs', () => {
    const word = fc.string({ unit: 'binary', maxLength: 20 });
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

  it('does not depend on which types are known', () => {
    expect(
      identifyEvent('NEW_NOTIFICATION', Buffer.from('{}'), { eventTypes: [], places: {}, times: {} }).eventId,
    ).toBe(
      identifyEvent('NEW_NOTIFICATION', Buffer.from('{}'), { eventTypes: ['NEW_NOTIFICATION'], places: {}, times: {} })
        .eventId,
    );
  });
});

describe('texts that JavaScript would mix up', () => {
  it.each([
    ['integers beyond 2^53', '{"n":9007199254740993}', '{"n":9007199254740992}'],
    ['two integers that round to the same', '{"n":9007199254740993}', '{"n":9007199254740991.9999}'],
    ['long amounts', '{"n":0.12345678901234567891}', '{"n":0.12345678901234567892}'],
    ['numbers that overflow', '{"n":1e400}', '{"n":1e401}'],
    ['a number that overflows, and null', '{"n":1e400}', '{"n":null}'],
    ['numbers that underflow', '{"n":1e-400}', '{"n":0}'],
    ['a key that stands twice, and once', '{"a":1,"a":2}', '{"a":2}'],
    ['a key that stands twice, in both orders', '{"a":1,"a":2}', '{"a":2,"a":1}'],
    ['halves of surrogate pairs', '{"s":"\\ud800"}', '{"s":"\\ud801"}'],
    ['half a surrogate pair, and the replacement character', '{"s":"\\ud800"}', '{"s":"\\ufffd"}'],
    ['halves of surrogate pairs in keys', '{"\\ud800":1}', '{"\\ud801":1}'],
    ['__proto__, and nothing', '{"__proto__":1}', '{}'],
    ['__proto__ with an object, and nothing', '{"__proto__":{"a":1}}', '{}'],
    ['__proto__ with null, and nothing', '{"__proto__":null}', '{}'],
    ['a number and its text', '{"n":1}', '{"n":"1"}'],
    ['null, and nothing', '{"n":null}', '{}'],
    ['an empty array and an empty object', '{"n":[]}', '{"n":{}}'],
    ['the order of an array', '{"n":[1,2]}', '{"n":[2,1]}'],
    ['raw control characters', '{"s":"\u0000"}', '{"s":"\u0001"}'],
  ])('have ids of their own: %s', (_, one, other) => {
    expect(idOf(one)).not.toBe(idOf(other));
  });

  it('bytes that would both decode to the replacement character', () => {
    expect(idOf(Uint8Array.of(0xfe))).not.toBe(idOf(Uint8Array.of(0xff)));
  });

  it.each([
    ['1', '1.0'],
    ['1', '1e0'],
    ['0.1', '0.10'],
    ['0', '-0'],
  ])('but %s and %s are one number', (one, other) => {
    expect(idOf(`{"n":${one}}`)).toBe(idOf(`{"n":${other}}`));
  });

  it('a text without canonical form is still the same event when it comes again', () => {
    const bodies = ['{"n":9007199254740993}', '{"a":1,"a":2}', '{"s":"\\ud800"}', '{', ''];
    expect(bodies.map((body) => idOf(body))).toEqual(bodies.map((body) => idOf(body)));
  });
});

describe('promise 3: a body that cannot have an effect', () => {
  it.each([
    ['{}', undefined],
    ['{"n":9007199254740993}', undefined],
    ['{"a":1,"a":2}', undefined],
    ['\ufeff{}', undefined],
    ['', 'NOT_JSON'],
    ['{', 'NOT_JSON'],
    ['{'.repeat(101), 'NESTED_TOO_DEEP'],
    ['[]', 'NOT_AN_OBJECT'],
    ['[{}]', 'NOT_AN_OBJECT'],
    ['"{}"', 'NOT_AN_OBJECT'],
    ['1', 'NOT_AN_OBJECT'],
    ['true', 'NOT_AN_OBJECT'],
    ['null', 'NOT_AN_OBJECT'],
  ])('is quarantined: %s has the reason %s', (body, reason) => {
    expect(identify(body).quarantineReason).toBe(reason);
  });

  it('is quarantined as NOT_JSON when it is no UTF-8', () => {
    expect(identify(Uint8Array.of(0x7b, 0xff, 0x7d)).quarantineReason).toBe('NOT_JSON');
  });

  it.each(['NEW_NOTIFICATION', 'transfer_notification', '__proto__', 'constructor', '', ' TRANSFER_NOTIFICATION'])(
    'the type %j: UNKNOWN_EVENT_TYPE',
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
