import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUndelivered } from '#functions/retry-undelivered/drain/undelivered-record.ts';
import { identifyEvent, undeliveredEventType } from '#shared/events/event.ts';
import { inflateBody, maxDeflatedBodyBytes } from '#shared/events/webhook-delivery.ts';

const customers = 'CUSTOMER_NOTIFICATION';
const profile = { eventTypes: [customers], places: {} };
const now = () => new Date('2026-02-03T04:05:06.789Z');
const id = '3d813cbb-47fb-42ba-91df-831e1593ac29';
const createdOn = '2026-01-02T03:04:05.123456789Z';
const whole = { id, webhook: { eventType: customers }, body: '{"a":1}', createdOn };

function read(value: unknown, bytes: Uint8Array = Buffer.from(JSON.stringify(value) ?? '')) {
  return readUndelivered({ value, bytes }, { profile, now });
}

const bodyOf = ({ intakes }: ReturnType<typeof read>) =>
  Buffer.concat(intakes.map(({ delivery }) => inflateBody(delivery.deflatedBody)));

describe('section 2.2: an undelivered webhook is a delivery of the event that it holds', () => {
  it('the very event that the webhook would have been', () => {
    const { intakes, ...rest } = read({ ...whole, errorMessage: null, more: { than: 'known' } });
    expect(rest).toEqual({ id, createdOn });
    expect(intakes.map(({ event }) => event)).toEqual([identifyEvent(customers, Buffer.from(whole.body), profile)]);
  });

  it('with its body byte for byte', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 200 });
    fc.assert(
      fc.property(words, (body) => {
        const one = read({ ...whole, body });
        expect(bodyOf(one).toString()).toBe(body);
        expect(one.intakes[0]?.event).toEqual(identifyEvent(customers, Buffer.from(body), profile));
      }),
    );
  });

  it('the same delivery however often it is listed: named by the record, and as old as it', () => {
    const [intake] = read(whole).intakes;
    expect(intake?.delivery).toMatchObject({
      deliveryId: `undelivered:${id}`,
      eventType: customers,
      receivedOn: '2026-01-02T03:04:05.123Z',
    });
    const again = readUndelivered(
      { value: { ...whole, modifiedOn: createdOn, errorMessage: '504' }, bytes: Buffer.from('{}') },
      { profile, now: () => new Date(0) },
    );
    expect(again.intakes[0]?.delivery).toEqual(intake?.delivery);
  });

  it('of a time in another zone, in UTC', () => {
    const [intake] = read({ ...whole, createdOn: '2026-01-02T03:04:05+02:00' }).intakes;
    expect(intake?.delivery.receivedOn).toBe('2026-01-02T01:04:05.000Z');
  });

  it('is quarantined like a delivery when its type is unknown', () => {
    const [intake] = read({ ...whole, webhook: { eventType: 'NEW_NOTIFICATION' } }).intakes;
    expect(intake?.event).toMatchObject({ eventType: 'NEW_NOTIFICATION', quarantineReason: 'UNKNOWN_EVENT_TYPE' });
  });
});

describe('design, draining: a malformed record is quarantined, byte for byte what came', () => {
  const { id: _, ...withoutId } = whole;
  it.each([
    ['UNDELIVERED_NOT_AN_OBJECT', null],
    ['UNDELIVERED_NOT_AN_OBJECT', 'text'],
    ['UNDELIVERED_NOT_AN_OBJECT', 7],
    ['UNDELIVERED_NOT_AN_OBJECT', [whole]],
    ['UNDELIVERED_WITHOUT_ID', {}],
    ['UNDELIVERED_WITHOUT_ID', withoutId],
    ['UNDELIVERED_WITHOUT_ID', { ...whole, id: 7 }],
    ['UNDELIVERED_WITHOUT_ID', { ...whole, id: '' }],
    ['UNDELIVERED_WITHOUT_ID', { ...whole, id: 'x'.repeat(65) }],
    ['UNDELIVERED_WITHOUT_ID', { ...whole, id: 'a\ud800' }],
    ['UNDELIVERED_WITHOUT_EVENT_TYPE', { ...whole, webhook: { eventType: 'CUSTOMER_NOTIFICATION\udc00' } }],
    ['UNDELIVERED_WITHOUT_EVENT_TYPE', { ...whole, webhook: null }],
    ['UNDELIVERED_WITHOUT_EVENT_TYPE', { ...whole, webhook: {} }],
    ['UNDELIVERED_WITHOUT_EVENT_TYPE', { ...whole, webhook: { eventType: '' } }],
    ['UNDELIVERED_WITHOUT_EVENT_TYPE', { ...whole, webhook: { eventType: 'X'.repeat(1_025) } }],
    ['UNDELIVERED_WITHOUT_BODY', { ...whole, body: { a: 1 } }],
    ['UNDELIVERED_WITHOUT_BODY', { ...whole, body: null }],
    ['UNDELIVERED_WITHOUT_BODY', { ...whole, body: '"\ud800"' }],
    ['UNDELIVERED_WITHOUT_CREATED_ON', { ...whole, createdOn: 'yesterday' }],
    ['UNDELIVERED_WITHOUT_CREATED_ON', { ...whole, createdOn: 1_767_323_045 }],
    ['UNDELIVERED_WITHOUT_CREATED_ON', { ...whole, createdOn: '2026-13-02T03:04:05Z' }],
  ])('is quarantined as %s for the value %j', (quarantineReason, value) => {
    const one = read(value);
    expect(one.intakes.map(({ event }) => event)).toEqual([
      { eventId: expect.stringMatching(/^[\da-f]{64}$/), eventType: undeliveredEventType, quarantineReason },
    ]);
    expect(one.intakes[0]?.delivery.eventType).toBe(undeliveredEventType);
    expect(bodyOf(one).toString()).toBe(JSON.stringify(value));
  });

  it('with all that JSON.parse loses', () => {
    const bytes = Buffer.from('{ "id" : 12345678901234567890, "id" : 1e400 }');
    expect(bodyOf(read(JSON.parse(bytes.toString()), bytes)).equals(bytes)).toBe(true);
  });

  it('is read without a loss, with any content', () => {
    const field = fc.oneof(fc.jsonValue(), fc.constantFrom(id, createdOn, customers, { eventType: customers }));
    const record = fc.record({ id: field, webhook: field, body: field, createdOn: field }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), record), (value) => {
        const one = read(value);
        const body = typeof value === 'object' && value !== null && 'body' in value ? value.body : undefined;
        expect([JSON.stringify(value), body]).toContain(bodyOf(one).toString());
      }),
    );
  });

  it('is another event than any other record, and the same each time', () => {
    const ids = [
      { ...whole, id: 1 },
      { ...whole, id: 2 },
      { ...whole, id: 1 },
    ].map((value) => read(value).intakes[0]?.event.eventId);
    expect(new Set(ids).size).toBe(2);
    expect(ids[2]).toBe(ids[0]);
  });

  it('may be marked by what of it can be read', () => {
    expect(read({ ...whole, body: null })).toMatchObject({ id, createdOn });
    expect(read({ ...whole, id: null })).toMatchObject({ id: undefined, createdOn });
    expect(read(null)).toMatchObject({ id: undefined, createdOn: undefined });
  });

  it('is received now where it does not say when it was created', () => {
    expect(read({ ...whole, createdOn: null }).intakes[0]?.delivery.receivedOn).toBe(now().toISOString());
  });
});

describe('design, draining: what is too large for one event is quarantined in pieces', () => {
  const noise = createHash('shake256', { outputLength: 600_000 }).update('seed').digest('base64');

  it('in order of their delivery ids, and together byte for byte what came', () => {
    const value = { ...whole, body: noise };
    const one = read(value);
    const deliveryIds = one.intakes.map(({ delivery }) => delivery.deliveryId);
    const digest = createHash('sha256').update(JSON.stringify(value)).digest('hex');
    expect(deliveryIds).toEqual(['1', '2', '3', '4'].map((place) => `undelivered:${id}:${digest}:000${place}/4`));
    expect(deliveryIds.toSorted()).toEqual(deliveryIds);
    expect(bodyOf(one).toString()).toBe(JSON.stringify(value));
    expect(new Set(one.intakes.map(({ event }) => event.quarantineReason))).toEqual(new Set(['UNDELIVERED_TOO_LARGE']));
  });

  it('each an event of its own that fits, even where the pieces are equal', () => {
    const one = read({ ...whole, id: 7, body: '\u0000'.repeat(1024 * 1024) });
    expect(one.intakes.length).toBeGreaterThan(1);
    expect(new Set(one.intakes.map(({ event }) => event.eventId)).size).toBe(one.intakes.length);
    for (const { delivery } of read({ ...whole, body: noise }).intakes)
      expect(delivery.deflatedBody.length).toBeLessThanOrEqual(maxDeflatedBodyBytes);
  });

  it('as well as what takes little room, and more than anybody can inflate', () => {
    const body = ' '.repeat(16 * 1024 * 1024 + 1);
    expect(new Set(read({ ...whole, body }).intakes.map(({ event }) => event.quarantineReason))).toEqual(
      new Set(['UNDELIVERED_TOO_LARGE']),
    );
  });

  it('but not what fits when it is deflated', () => {
    const body = JSON.stringify({ text: 'often '.repeat(200_000) });
    expect(read({ ...whole, body }).intakes).toHaveLength(1);
  });
});
