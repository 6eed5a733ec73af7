import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import {
  type AttributeValue,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Event, identifyEvent } from '#shared/events/event.ts';
import {
  eventKeys,
  firstReceivedOn,
  hasDelivery,
  isHandedOver,
  lastReceivedOn,
  quarantineShards,
} from '#shared/events/event-row.ts';
import { createEventStore, type EventStore } from '#shared/events/event-store.ts';
import { deflateBody, maxDeflatedBodyBytes, type WebhookDelivery } from '#shared/events/webhook-delivery.ts';
import { isFullSize } from '#test/full-size.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { failureOf } from '#test/shared/platform/client/test-client.ts';

const customers = 'CUSTOMER_NOTIFICATION';
const retentionDays = 30;
const start = Date.parse('2026-01-02T03:04:05.678Z');
let emulators: Emulators;
let time: number;
let serial = 0;
let store: EventStore;

beforeAll(async () => {
  emulators = await startEmulators({ isOverHttp: isFullSize });
});
afterAll(() => emulators.close());
beforeEach(() => {
  time = start;
  const { dynamodb, tableName } = emulators;
  store = createEventStore({ dynamodb, tableName, retentionDays, now: () => new Date(time) });
});
afterEach(() => emulators.unwatch());

/** An event that no other test knows. */
function newEvent(eventType = customers, known = [customers]): Event {
  serial += 1;
  return identifyEvent(eventType, Buffer.from(`{"serial":${serial}}`), { eventTypes: known, places: {}, times: {} });
}

function deliveryOf({ eventType }: Event, number = 1, body: Uint8Array = Buffer.from('{}')): WebhookDelivery {
  return {
    deliveryId: `delivery-${number}`,
    eventType,
    receivedOn: new Date(start + number).toISOString(),
    deflatedBody: Uint8Array.from(deflateBody(body)),
  };
}

/** Commits deliveries of the event, one after another. */
async function deliver(event: Event, ...numbers: readonly number[]): Promise<string> {
  let outcome = '';
  for (const number of numbers) ({ outcome } = await store.commit(event, deliveryOf(event, number)));
  return outcome;
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

describe('promise 2: stored once, and each delivery counted once', () => {
  it('stores the event with its first delivery', async () => {
    const event = newEvent();
    const delivery = deliveryOf(event);
    expect(await store.commit(event, delivery)).toMatchObject({ outcome: 'stored' });
    expect(await store.read(event.eventId)).toEqual({
      eventId: event.eventId,
      eventType: customers,
      receivedOn: delivery.receivedOn,
      deflatedBody: delivery.deflatedBody,
      deliveries: 1,
      deliveryIds: [`${delivery.receivedOn}#${delivery.deliveryId}`],
      expiresAt: Math.floor(start / 1000) + retentionDays * 86_400,
      quarantineReason: undefined,
    });
  });

  it('counts another delivery as a duplicate, and keeps the first body', async () => {
    const event = newEvent();
    const first = deliveryOf(event, 1, Buffer.from('{"a":1,"b":2}'));
    await store.commit(event, first);
    expect(await store.commit(event, deliveryOf(event, 2, Buffer.from('{"b":2,"a":1}')))).toMatchObject({
      outcome: 'duplicate',
    });
    expect(await store.read(event.eventId)).toMatchObject({
      deliveries: 2,
      receivedOn: first.receivedOn,
      deflatedBody: first.deflatedBody,
      deliveryIds: [1, 2].map((number) => `${deliveryOf(event, number).receivedOn}#delivery-${number}`),
    });
  });

  it('counts one delivery id at two times as two deliveries', async () => {
    const event = newEvent();
    const delivery = deliveryOf(event);
    await store.commit(event, delivery);
    expect(await store.commit(event, { ...delivery, receivedOn: '2026-01-02T03:04:06.000Z' })).toMatchObject({
      outcome: 'duplicate',
    });
  });

  it.each([
    ['50 deliveries', range(1, 50), 'duplicate', 50],
    ['50 receipts of one delivery', new Array<number>(50).fill(1), 'repeated', 1],
  ])('stores one of %s that are committed concurrently', async (_, numbers, others, deliveries) => {
    const event = newEvent();
    const outcomes = await Promise.all(numbers.map((number) => deliver(event, number)));
    expect(outcomes.toSorted()).toEqual([...new Array(49).fill(others), 'stored']);
    const row = await store.read(event.eventId);
    expect([row?.deliveries, row?.deliveryIds.length]).toEqual([deliveries, deliveries]);
  });

  it('counts what comes in any order, with any repetition', async () => {
    const numbers = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(numbers, async (order) => {
        const event = newEvent();
        await deliver(event, ...order);
        expect(await store.read(event.eventId)).toMatchObject({ deliveries: new Set(order).size });
      }),
      { numRuns: 25 },
    );
  });
});

function incompressible(size: number): Uint8Array {
  return createHash('shake256', { outputLength: size }).update('seed').digest();
}

describe('promise 3: a quarantined event is stored, and visible only in the index of quarantined events', () => {
  async function quarantined(): Promise<readonly Readonly<Record<string, AttributeValue>>[]> {
    const { index, partition } = eventKeys.quarantine;
    const answers = await Promise.all(
      quarantineShards.map((shard) =>
        emulators.dynamodb.send(
          new QueryCommand({
            TableName: emulators.tableName,
            IndexName: index,
            KeyConditionExpression: `${partition} = :shard`,
            ExpressionAttributeValues: { ':shard': { S: shard } },
          }),
        ),
      ),
    );
    return answers.flatMap(({ Items = [] }) => Items);
  }

  it('is found by its reason in every shard', async () => {
    const events = range(1, 64).map(() => newEvent('NEW_NOTIFICATION'));
    expect(new Set(events.map(({ eventId }) => eventId.slice(0, 1))).size).toBeGreaterThan(8);
    for (const event of events) await deliver(event, 1, 2);
    const found = (await quarantined()).filter(({ eventId }) => events.some((event) => event.eventId === eventId?.S));
    expect(found).toHaveLength(64);
    for (const item of found)
      expect(item).toMatchObject({
        eventType: { S: 'NEW_NOTIFICATION' },
        quarantineReason: { S: 'UNKNOWN_EVENT_TYPE' },
        receivedOn: { S: new Date(start + 1).toISOString() },
      });
  });

  it.each([
    ['another delivery', 2],
    ['a delivery that was counted before', 1],
  ])('keeps an erased event out of quarantine after %s', async (_, number) => {
    const event = newEvent('NEW_NOTIFICATION');
    await deliver(event, 1);
    await store.erase(event.eventId);
    expect(await deliver(event, number)).toBe(number === 1 ? 'repeated' : 'duplicate');
    await store.quarantine(event.eventId, 'UNKNOWN_EVENT_TYPE');
    expect(await store.read(event.eventId)).toMatchObject({ deliveries: number, quarantineReason: undefined });
    const found = (await quarantined()).map(({ eventId }) => eventId?.S);
    expect(found).not.toContain(event.eventId);
  });

  it('keeps an event that can have an effect out of the index', async () => {
    const event = newEvent();
    await deliver(event, 1, 2);
    const Key = { eventId: { S: event.eventId } };
    const { Item } = await emulators.dynamodb.send(new GetItemCommand({ TableName: emulators.tableName, Key }));
    expect(Item).toMatchObject(Key);
    expect(Item).not.toHaveProperty(eventKeys.quarantine.partition);
  });
});

describe('store once: an event remembers its latest deliveries, and counts all', () => {
  it('forgets the oldest, and knows the latest when they come again', async () => {
    const event = newEvent();
    await deliver(event, ...range(1, 101));
    expect(await deliver(event, ...range(52, 101))).toBe('repeated');
    const row = await store.read(event.eventId);
    expect(row?.deliveries).toBe(101);
    expect(row?.deliveryIds.at(-1)).toContain('#delivery-101');
    expect(row?.deliveryIds[1]).toContain('#delivery-52');
  });

  it('goes by the time of a delivery, not by the order in which they are committed', async () => {
    const event = newEvent();
    await deliver(event, ...range(1, 101).toReversed());
    expect(await deliver(event, 101)).toBe('repeated');
  });

  it('counts correctly when more deliveries come together than it remembers', async () => {
    const event = newEvent();
    await Promise.all(range(1, 150).map((number) => deliver(event, number)));
    expect(await deliver(event, 151)).toBe('duplicate');
    const row = await store.read(event.eventId);
    expect(row?.deliveries).toBe(151);
    expect(row?.deliveryIds.length).toBeLessThanOrEqual(100);
  });
});

describe('an event whose row is near the limit of 400 KB', () => {
  it('is counted and handed over with exact times, and remembers the latest deliveries', async () => {
    const overHttp = await startEmulators({ isOverHttp: true });
    try {
      const { dynamodb, tableName } = overHttp;
      const large = createEventStore({ dynamodb, tableName, retentionDays, now: () => new Date(time) });
      const event = newEvent('N'.repeat(9_000));
      const deflatedBody = incompressible(maxDeflatedBodyBytes);
      const drained = (number: number) => ({
        ...deliveryOf(event, number),
        deliveryId: `undelivered:${String(number).padStart(64, '0')}`,
        // Each call with such a body takes the emulator a tenth of a second. The row keeps the first.
        ...(number === 2 && { deflatedBody }),
      });
      // The first receipt is committed second.
      for (const number of [2, 1, ...range(3, 40)]) {
        const { outcome, firstReceivedOn } = await large.commit(event, drained(number));
        expect(outcome).toBe(number === 2 ? 'stored' : 'duplicate');
        expect(firstReceivedOn).toBe(drained(number === 2 ? 2 : 1).receivedOn);
        await large.recordHandOver(event.eventId, [drained(number)]);
      }
      const row = await large.read(event.eventId);
      if (row === undefined) throw new Error('The event is stored.');
      expect(row.deliveries).toBe(40);
      expect(row.deliveryIds.length).toBeLessThan(30);
      expect(Buffer.from(row.deflatedBody).equals(deflatedBody)).toBe(true);
      expect([firstReceivedOn(row), lastReceivedOn(row)]).toEqual([drained(1).receivedOn, drained(40).receivedOn]);
      for (const number of range(35, 40)) {
        expect(hasDelivery(row.deliveryIds, drained(number))).toBe(true);
        expect(hasDelivery(row.handedOver ?? [], drained(number))).toBe(true);
      }
    } finally {
      await overHttp.close();
    }
  });
});

describe('a delivery that was counted before, of an event that is judged otherwise now', () => {
  const reason = 'UNKNOWN_EVENT_TYPE' as const;

  it.each([
    ['takes the event out of quarantine', reason, undefined],
    ['puts the event into quarantine', undefined, reason],
  ])('%s when the delivery comes again', async (_, before, now) => {
    const event = newEvent();
    await store.commit({ ...event, quarantineReason: before }, deliveryOf(event, 1));
    expect(await store.commit({ ...event, quarantineReason: now }, deliveryOf(event, 1))).toMatchObject({
      outcome: 'repeated',
    });
    expect((await store.read(event.eventId))?.quarantineReason).toBe(now);
  });

  it('leaves the event where it is for a caller that keeps the judgement', async () => {
    const event = newEvent();
    await store.commit({ ...event, quarantineReason: reason }, deliveryOf(event, 1));
    expect(await store.commit(event, deliveryOf(event, 1), { keepsQuarantine: true })).toMatchObject({
      outcome: 'repeated',
    });
    expect((await store.read(event.eventId))?.quarantineReason).toBe(reason);
  });
});

describe('recordHandOver', () => {
  const keys = (event: Event, numbers: readonly number[]) =>
    numbers.map((number) => `${deliveryOf(event, number).receivedOn}#delivery-${number}`);

  it('notes deliveries that were handed over, once each, and leaves the event as it is otherwise', async () => {
    const event = newEvent();
    await deliver(event, 1, 2);
    const before = await store.read(event.eventId);
    await store.recordHandOver(event.eventId, [deliveryOf(event, 1), deliveryOf(event, 1)]);
    await store.recordHandOver(event.eventId, [deliveryOf(event, 1)]);
    expect(await store.read(event.eventId)).toEqual({ ...before, handedOver: keys(event, [1]) });
  });

  it('is kept when another delivery is counted', async () => {
    const event = newEvent();
    await deliver(event, 1);
    await store.recordHandOver(event.eventId, [deliveryOf(event, 1)]);
    await deliver(event, 2);
    expect(await store.read(event.eventId)).toMatchObject({ deliveries: 2, handedOver: keys(event, [1]) });
  });

  it('remembers 100 at most, and forgets the oldest', async () => {
    const event = newEvent();
    await deliver(event, 1);
    const all = range(1, 101);
    await store.recordHandOver(
      event.eventId,
      all.map((number) => deliveryOf(event, number)),
    );
    const row = await store.read(event.eventId);
    expect(row?.handedOver?.toSorted()).toEqual(keys(event, [1, ...range(52, 101)]));
    expect(all.filter((number) => row && !isHandedOver(row, deliveryOf(event, number)))).toEqual([]);
  });

  it.each([
    ['newer than all others', 300],
    ['older than all others', 1],
  ])('knows each of 250 deliveries that were handed over, and not one that is %s', async (_, other) => {
    const event = newEvent();
    await deliver(event, 2);
    const handedOver = range(2, 251);
    // The older ones come last: no forgotten delivery is newer than those that stay.
    for (const some of [range(152, 251), range(2, 101), range(102, 151)])
      await store.recordHandOver(
        event.eventId,
        some.map((number) => deliveryOf(event, number)),
      );
    const row = await store.read(event.eventId);
    if (row === undefined) throw new Error('The event is stored.');
    expect(row.handedOver?.length).toBeLessThanOrEqual(100);
    expect(handedOver.filter((number) => !isHandedOver(row, deliveryOf(event, number)))).toEqual([]);
    expect(isHandedOver(row, deliveryOf(event, other))).toBe(false);
  });

  it('creates no event for a mark', async () => {
    const event = newEvent();
    await store.recordHandOver(event.eventId, [deliveryOf(event, 1)]);
    expect(await store.read(event.eventId)).toBeUndefined();
  });
});

describe('failure modes: TTL deletes days late, so what has expired is absent', () => {
  const retention = retentionDays * 86_400_000;
  const justExpired = Math.floor(start / 1000) * 1000 + retention;

  it('reads and counts an event until its last second, and then no more', async () => {
    const event = newEvent();
    await deliver(event, 1);
    time = justExpired - 1;
    expect(await deliver(event, 2)).toBe('duplicate');
    expect(await store.read(event.eventId)).toMatchObject({ deliveries: 2 });
    time = justExpired;
    expect(await store.read(event.eventId)).toBeUndefined();
  });

  it('is replaced, quarantine included, by a new delivery', async () => {
    const event = newEvent();
    const quarantined = { ...event, quarantineReason: 'UNKNOWN_EVENT_TYPE' } as const;
    for (const number of [1, 2]) await store.commit(quarantined, deliveryOf(event, number));
    time = justExpired;
    const delivery = deliveryOf(event, 3, Buffer.from('{"again":true}'));
    expect(await store.commit(event, delivery)).toMatchObject({ outcome: 'stored' });
    expect(await store.read(event.eventId)).toEqual({
      eventId: event.eventId,
      eventType: customers,
      receivedOn: delivery.receivedOn,
      deflatedBody: delivery.deflatedBody,
      deliveries: 1,
      deliveryIds: [`${delivery.receivedOn}#delivery-3`],
      expiresAt: justExpired / 1000 + retentionDays * 86_400,
      quarantineReason: undefined,
    });
  });

  it('is replaced without its erasure and its hand-overs', async () => {
    const event = newEvent();
    await deliver(event, 1);
    await store.recordHandOver(event.eventId, [deliveryOf(event, 1)]);
    await store.erase(event.eventId);
    time = justExpired;
    expect(await deliver(event, 2)).toBe('stored');
    expect(await store.read(event.eventId)).toMatchObject({
      erasedOn: undefined,
      handedOver: undefined,
      deliveries: 1,
    });
  });

  it('is replaced once when 20 deliveries come together', async () => {
    const event = newEvent();
    await deliver(event, 1);
    time = justExpired;
    const outcomes = await Promise.all(range(2, 21).map((number) => deliver(event, number)));
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1);
    expect(await store.read(event.eventId)).toMatchObject({ deliveries: 20 });
  });

  it('is stored again when its time runs out during a commit', async () => {
    const event = newEvent();
    await deliver(event, 1);
    emulators.watch(({ when, operation }) => {
      if (when === 'after' && operation === 'UpdateItem') time = justExpired;
    });
    time = justExpired - 1;
    expect(await deliver(event, 1)).toBe('stored');
    expect(await store.read(event.eventId)).toMatchObject({ deliveries: 1 });
  });

  it('is stored again when TTL deletes it during a commit', async () => {
    const event = newEvent();
    await deliver(event, 1);
    deleteAt('after', 'UpdateItem', 1, event);
    expect(await deliver(event, 1)).toBe('stored');
    expect(await store.read(event.eventId)).toMatchObject({ deliveries: 1 });
  });
});

describe('store once: nothing comes back of an event that TTL deletes while its deliveries are forgotten', () => {
  it('is absent for every reader', async () => {
    const event = newEvent();
    await deliver(event, ...range(1, 100));
    deleteAt('after', 'UpdateItem', 1, event);
    expect(await deliver(event, 101)).toBe('duplicate');
    expect(await store.read(event.eventId)).toBeUndefined();
    expect(await deliver(event, 102)).toBe('stored');
  });
});

/** Deletes the event at the nth such moment of the calls that follow. */
function deleteAt(when: 'before' | 'after', operation: string, nth: number, { eventId }: Event): void {
  let seen = 0;
  emulators.watch(async (moment) => {
    if (moment.when !== when || moment.operation !== operation) return;
    seen += 1;
    if (seen !== nth) return;
    await emulators.dynamodb.send(
      new DeleteItemCommand({ TableName: emulators.tableName, Key: { eventId: { S: eventId } } }),
    );
  });
}

describe('promise 2: committing again after a crash between any two I/Os', () => {
  /** An end before a call leaves what an end after the call before it left. */
  function endAfterCall(nth: number): void {
    let seen = 0;
    emulators.watch(({ when }) => {
      if (when !== 'after') return;
      seen += 1;
      if (seen === nth) throw new Error('The connection breaks.');
    });
  }

  it.each([
    { what: 'a delivery again', before: [1, 2], number: 2, nth: 1 },
    { what: 'a delivery again', before: [1, 2], number: 2, nth: 2 },
    { what: 'the delivery that is one too many to remember', before: range(1, 100), number: 101, nth: 1 },
    { what: 'the delivery that is one too many to remember', before: range(1, 100), number: 101, nth: 2 },
  ])('counts $what once after an end after call $nth', async ({ before, number, nth }) => {
    const [smooth, broken] = [newEvent(), newEvent()];
    await deliver(smooth, ...before, number);
    await deliver(broken, ...before);
    endAfterCall(nth);
    await expect(deliver(broken, number)).rejects.toThrow();
    emulators.unwatch();
    await deliver(broken, number);
    const next = number + 1;
    expect(await deliver(broken, next)).toBe(await deliver(smooth, next));
    const [asIfOnce, row] = [await store.read(smooth.eventId), await store.read(broken.eventId)];
    expect(row).toMatchObject({ deliveries: asIfOnce?.deliveries, receivedOn: asIfOnce?.receivedOn });
    expect(row?.deliveryIds.length).toBeLessThanOrEqual(100);
    expect(row?.deliveryIds).toEqual(expect.arrayContaining(asIfOnce?.deliveryIds.slice(-50) ?? ['none']));
  });

  it('stores and counts once when the SDK itself tries again after a lost answer', async () => {
    const trying = await startEmulators({ isOverHttp: isFullSize, maxAttempts: 3 });
    try {
      const { dynamodb, tableName } = trying;
      const retrying = createEventStore({ dynamodb, tableName, retentionDays, now: () => new Date(time) });
      const lost = new Set<string>();
      trying.watch(({ when, operation }) => {
        if (when !== 'after' || lost.has(operation)) return;
        lost.add(operation);
        throw new Error('The answer is lost.');
      });
      const event = newEvent();
      await retrying.commit(event, deliveryOf(event, 1));
      expect(await retrying.read(event.eventId)).toMatchObject({ deliveries: 1 });
      await retrying.commit(event, deliveryOf(event, 2));
      expect(await retrying.read(event.eventId)).toMatchObject({ deliveries: 2 });
      expect(lost).toEqual(new Set(['UpdateItem', 'GetItem']));
    } finally {
      await trying.close();
    }
  });

  it('throws when DynamoDB refuses: nothing is taken for stored', async () => {
    const { dynamodb } = emulators;
    const event = newEvent();
    const elsewhere = createEventStore({ dynamodb, tableName: 'no-such-table', retentionDays, now: () => new Date() });
    await expect(elsewhere.commit(event, deliveryOf(event))).rejects.toThrow(
      expect.objectContaining({ name: 'ResourceNotFoundException' }),
    );
  });
});

describe('a row of the events table that this code did not write', () => {
  const whole: Readonly<Record<string, AttributeValue>> = {
    eventType: { S: 'CUSTOMER_NOTIFICATION' },
    receivedOn: { S: '2026-01-02T03:04:05.678Z' },
    deflatedBody: { B: Buffer.from('Erika Mustermann') },
    deliveries: { N: '1' },
    deliveryIds: { SS: ['secret-delivery'] },
    expiresAt: { N: '4102444800' },
  };

  async function put(attributes: Readonly<Record<string, AttributeValue>>): Promise<string> {
    const { eventId } = newEvent();
    const { dynamodb, tableName } = emulators;
    await dynamodb.send(new PutItemCommand({ TableName: tableName, Item: { eventId: { S: eventId }, ...attributes } }));
    return eventId;
  }

  async function refusal(attributes: Readonly<Record<string, AttributeValue>>): Promise<unknown> {
    const eventId = await put(attributes);
    return failureOf(store.read(eventId));
  }

  it.each(Object.keys(whole))('refuses a row without %s, and names the field', async (field) => {
    const { [field]: _, ...rest } = whole;
    const error = await refusal(rest);
    expect(error).toMatchObject({ code: 'EventRowError' });
    expect(String(error)).toContain(field);
    expect(inspect(error)).not.toMatch(/Erika|secret-delivery|4102444800/);
  });

  const notIndexed = Object.keys(whole).filter((field) => field !== eventKeys.quarantine.sort);

  it.each(notIndexed)('refuses a row with a %s of another type, and names the field', async (field) => {
    const error = await refusal({ ...whole, [field]: { BOOL: true } });
    expect(error).toMatchObject({ code: 'EventRowError' });
    expect(String(error)).toContain(field);
  });

  it('reads a row with a reason for quarantine of a later release', async () => {
    const eventId = await put({ ...whole, quarantineReason: { S: 'A_LATER_WORD' }, somethingNew: { S: 'x' } });
    expect(await store.read(eventId)).toMatchObject({ quarantineReason: 'A_LATER_WORD', deliveries: 1 });
  });
});
