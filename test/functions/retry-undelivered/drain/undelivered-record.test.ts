import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRegisteredWebhook, readUndelivered } from '#functions/retry-undelivered/drain/undelivered-record.ts';
import { identifyEvent, undeliveredEventType } from '#shared/events/event.ts';
import { inflateBody, maxDeflatedBodyBytes } from '#shared/events/webhook-delivery.ts';

const customers = 'CUSTOMER_NOTIFICATION';
const profile = { eventTypes: [customers], places: {}, times: {} };
const now = () => new Date('2026-02-03T04:05:06.789Z');
const id = '3d813cbb-47fb-42ba-91df-831e1593ac29';
const createdOn = '2026-01-02T03:04:05.123456789Z';
const whole = { id, webhook: { eventType: customers }, body: '{"a":1}', createdOn };

function read(value: unknown, bytes: Uint8Array = Buffer.from(JSON.stringify(value) ?? '')) {
  return readUndelivered({ value, bytes }, { profile, now });
}

const bodyOf = ({ pieces }: ReturnType<typeof read>) =>
  Buffer.concat(pieces.map(({ delivery }) => inflateBody(delivery.deflatedBody)));

describe('an undelivered webhook (section 2.2)', () => {
  it('is the event that its webhook would have been, with the body byte for byte', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (body) => {
        const one = read({ ...whole, body, errorMessage: null, more: { than: 'known' } });
        expect(one).toMatchObject({ id, createdOn });
        expect(one.pieces.map(({ event }) => event)).toEqual([identifyEvent(customers, Buffer.from(body), profile)]);
        expect(bodyOf(one).toString()).toBe(body);
      }),
    );
  });

  it('is the same delivery each time, which has the name and the time of the record', () => {
    const [piece] = read(whole).pieces;
    const receivedOn = '2026-01-02T03:04:05.123Z';
    expect(piece?.delivery).toMatchObject({ deliveryId: `undelivered:${id}`, eventType: customers, receivedOn });
    const again = { value: { ...whole, modifiedOn: createdOn, errorMessage: '504' }, bytes: Buffer.from('{}') };
    const [other] = readUndelivered(again, { profile, now: () => new Date(0) }).pieces;
    expect(other?.delivery).toEqual(piece?.delivery);
  });

  it('is received in UTC when its time is in another zone', () => {
    const [piece] = read({ ...whole, createdOn: '2026-01-02T03:04:05+02:00' }).pieces;
    expect(piece?.delivery.receivedOn).toBe('2026-01-02T01:04:05.000Z');
  });

  it('is quarantined like a delivery when its type is unknown', () => {
    const [piece] = read({ ...whole, webhook: { eventType: 'NEW_NOTIFICATION' } }).pieces;
    expect(piece?.event).toMatchObject({ eventType: 'NEW_NOTIFICATION', quarantineReason: 'UNKNOWN_EVENT_TYPE' });
  });
});

describe('a malformed record', () => {
  it.each([
    ['UNDELIVERED_NOT_AN_OBJECT', null],
    ['UNDELIVERED_NOT_AN_OBJECT', 'text'],
    ['UNDELIVERED_NOT_AN_OBJECT', [whole]],
    ['UNDELIVERED_WITHOUT_ID', {}],
    ['UNDELIVERED_WITHOUT_ID', { ...whole, id: 7.5 }],
    ['UNDELIVERED_WITHOUT_ID', { ...whole, id: '' }],
    ['UNDELIVERED_WITHOUT_ID', { ...whole, id: 'x'.repeat(65) }],
    ['UNDELIVERED_WITHOUT_ID', { ...whole, id: 'a\ud800' }],
    ['UNDELIVERED_WITHOUT_EVENT_TYPE', { ...whole, webhook: null }],
    ['UNDELIVERED_WITHOUT_EVENT_TYPE', { ...whole, webhook: {} }],
    ['UNDELIVERED_WITHOUT_EVENT_TYPE', { ...whole, webhook: { eventType: '' } }],
    ['UNDELIVERED_WITHOUT_EVENT_TYPE', { ...whole, webhook: { eventType: 'X'.repeat(1_025) } }],
    ['UNDELIVERED_WITHOUT_EVENT_TYPE', { ...whole, webhook: { eventType: 'CUSTOMER_NOTIFICATION\udc00' } }],
    ['UNDELIVERED_WITHOUT_BODY', { ...whole, body: { a: 1 } }],
    ['UNDELIVERED_WITHOUT_BODY', { ...whole, body: null }],
    ['UNDELIVERED_WITHOUT_BODY', { ...whole, body: '"\ud800"' }],
  ])('is quarantined as %s, byte for byte: %j', (quarantineReason, value) => {
    const one = read(value);
    expect(one.pieces.map(({ event }) => event)).toEqual([
      { eventId: expect.stringMatching(/^[\da-f]{64}$/), eventType: undeliveredEventType, quarantineReason },
    ]);
    expect(one.pieces[0]?.delivery.eventType).toBe(undeliveredEventType);
    expect(bodyOf(one).toString()).toBe(JSON.stringify(value));
  });

  it('is kept with all that JSON.parse loses', () => {
    const bytes = Buffer.from('{ "id" : 12345678901234567890, "id" : 1e400 }');
    expect(bodyOf(read(JSON.parse(bytes.toString()), bytes)).equals(bytes)).toBe(true);
  });

  it('is kept with any content', () => {
    const field = fc.oneof(fc.jsonValue(), fc.constantFrom(id, createdOn, customers, { eventType: customers }));
    const record = fc.record({ id: field, webhook: field, body: field, createdOn: field }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), record), (value) => {
        const body = typeof value === 'object' && value !== null && 'body' in value ? value.body : undefined;
        expect([JSON.stringify(value), body]).toContain(bodyOf(read(value)).toString());
      }),
    );
  });

  it('is the same event each time, and another than any other record', () => {
    const [one, other, again] = [-1, -2, -1].map((wrong) => read({ ...whole, id: wrong }).pieces[0]?.event.eventId);
    expect(one).toBe(again);
    expect(one).not.toBe(other);
  });

  it.each([
    [{ ...whole, body: null }, { id, createdOn }, '2026-01-02T03:04:05.123Z'],
    [{ ...whole, id: null }, { id: undefined, createdOn }, '2026-01-02T03:04:05.123Z'],
    [{ ...whole, createdOn: null }, { id, createdOn: undefined }, now().toISOString()],
    [null, { id: undefined, createdOn: undefined }, now().toISOString()],
  ])(
    'can be marked by what is readable of it, and is received now if its time is not: %j',
    (value, known, receivedOn) => {
      const { pieces, ...rest } = read(value);
      expect(rest).toEqual(known);
      expect(pieces[0]?.delivery.receivedOn).toBe(receivedOn);
    },
  );
});

describe('a record that is too large for one event', () => {
  const noise = createHash('shake256', { outputLength: 600_000 }).update('seed').digest('base64');

  it('is quarantined in pieces that fit, in order of their delivery ids, and together byte for byte what came', () => {
    const value = { ...whole, body: noise };
    const one = read(value);
    const digest = createHash('sha256').update(JSON.stringify(value)).digest('hex');
    expect(one.pieces.map(({ delivery }) => delivery.deliveryId)).toEqual(
      ['1', '2', '3', '4'].map((place) => `undelivered:${id}:${digest}:000${place}/4`),
    );
    expect(bodyOf(one).toString()).toBe(JSON.stringify(value));
    for (const { event, delivery } of one.pieces) {
      expect(event.quarantineReason).toBe('UNDELIVERED_TOO_LARGE');
      expect(delivery.deflatedBody.length).toBeLessThanOrEqual(maxDeflatedBodyBytes);
    }
  });

  it('has an event for each piece when the pieces are equal', () => {
    const { pieces } = read({ ...whole, id: -7, body: '\u0000'.repeat(150 * 1024) });
    expect(pieces.length).toBeGreaterThan(1);
    expect(new Set(pieces.map(({ event }) => event.eventId)).size).toBe(pieces.length);
  });

  it('is quarantined when it takes little room, and more than can be inflated', () => {
    const { pieces } = read({ ...whole, body: ' '.repeat(16 * 1024 * 1024 + 1) });
    expect(pieces[0]?.event.quarantineReason).toBe('UNDELIVERED_TOO_LARGE');
  });

  it('is not one that fits when it is deflated', () => {
    const body = JSON.stringify({ text: 'often '.repeat(200_000) });
    expect(read({ ...whole, body }).pieces).toHaveLength(1);
  });
});

describe('the webhook of a record', () => {
  const url = 'https://crm.example/hooks';
  const headers = [{ name: 'X', value: 'y' }];

  it.each([
    [
      { url, headers },
      { url, headers },
    ],
    [
      { url, headers: 'none' },
      { url, headers: undefined },
    ],
    [{ url: 'no URL', headers }, undefined],
    [{ url: null }, undefined],
    [{}, undefined],
    [null, undefined],
  ])('has a URL, and headers if they are readable: %j', (webhook, expected) => {
    expect(readRegisteredWebhook({ value: { ...whole, webhook }, bytes: Buffer.of() })).toEqual(expected);
  });
});
