import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApplyEvent } from '#functions/webhook-ingest/store/apply-event.ts';
import { createStore, EventMissingError } from '#functions/webhook-ingest/store/store-record.ts';
import type { BusEntry } from '#shared/bus/bus.ts';
import type { EntityStore } from '#shared/entities/entity-store.ts';
import { type EventTypes, identifyEvent, quarantineEvent, undeliveredEventType } from '#shared/events/event.ts';
import { createEventStore, type EventStore } from '#shared/events/event-store.ts';
import {
  DeliveryMessageError,
  deflateBody,
  inflateBody,
  writeDeliveryMessage,
  writeEventMessage,
} from '#shared/events/webhook-delivery.ts';
import { batchHandler } from '#shared/lambda/handler.ts';
import { createCommitEvent } from '#shared/persons/commit-event.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { createTestPersons, createTestStores } from '#test/shared/events/test-stores.ts';
import { lambdaContext } from '#test/shared/lambda/lambda-context.ts';
import { captureLines, type WrittenLines } from '#test/shared/lambda/written-lines.ts';

const transfers = 'TRANSFER_NOTIFICATION';
const profile: EventTypes = { eventTypes: [transfers, 'CUSTOMER_NOTIFICATION'], places: {}, times: {} };
const canary = 'Erika Mustermann';
const now = () => new Date('2026-01-02T03:04:05.678Z');
let emulators: Emulators;
let eventStore: EventStore;
let entityStore: EntityStore;
let published: BusEntry[];
let lines: WrittenLines;
let store: (message: string) => Promise<void>;
let serial = 0;

beforeAll(async () => {
  emulators = await startEmulators();
  await emulators.createTable('entities', 'entities');
});
afterAll(() => emulators.close());
beforeEach(() => {
  ({ eventStore, entityStore } = createTestStores(emulators, now));
  published = [];
  lines = captureLines(now);
  store = storeOf(eventStore);
});
afterEach(() => emulators.unwatch());

/** There is none. */
const wakeOnboarding = async () => undefined;
const hasErased = async () => false;

/** What `store.lambda.ts` makes of these parts. */
function storeOf(events: EventStore, eventTypes: EventTypes = profile) {
  const publish = async (changes: readonly BusEntry[]) => {
    published.push(...changes);
  };
  const { personIndex, erasePersonEvents } = createTestPersons(emulators, { eventStore: events, entityStore, now });
  return createStore({
    commitEvent: createCommitEvent({ eventStore: events, personIndex, ...lines }),
    eventStore: events,
    applyEvent: createApplyEvent({
      entityStore,
      eventStore: events,
      erasePersonEvents,
      personIndex,
      hasErased,
      bus: { publish },
      wakeOnboarding,
      ...lines,
    }),
    profile: eventTypes,
    ...lines,
  });
}

/** A body that no other test has. */
function newBody(): string {
  serial += 1;
  return `{"transferId":"transfer-${serial}","name":"${canary}"}`;
}

function messageOf(body: string, deliveryId = 'delivery-1', eventType = transfers): string {
  const deflatedBody = deflateBody(Buffer.from(body));
  return writeDeliveryMessage({ deliveryId, eventType, receivedOn: now().toISOString(), deflatedBody });
}

function read(body: string, eventType = transfers) {
  return eventStore.read(identifyEvent(eventType, Buffer.from(body), profile).eventId);
}

const linesOf = (message: string) => lines.objects().filter((line) => line['message'] === message);

async function rows(): Promise<number> {
  const { Count = 0 } = await emulators.dynamodb.send(new ScanCommand({ TableName: emulators.tableName }));
  return Count;
}

describe('a delivery becomes an event in the event store', () => {
  it('with its body byte for byte', async () => {
    const body = `  ${newBody()}\n`;
    await store(messageOf(body));
    const row = await read(body);
    expect(row).toMatchObject({ eventType: transfers, deliveries: 1, quarantineReason: undefined });
    expect(row && Buffer.from(inflateBody(row.deflatedBody)).toString()).toBe(body);
    expect(lines.flushed()).toEqual({ EventsStored: 1 });
    expect(lines.text()).not.toMatch(/Erika|Mustermann/);
  });

  it('counted as a duplicate when it is delivered again, written another way', async () => {
    const body = newBody();
    await store(messageOf(body, 'delivery-1'));
    await store(messageOf(JSON.stringify(JSON.parse(body), null, 2), 'delivery-2'));
    expect(await read(body)).toMatchObject({ deliveries: 2 });
    expect(lines.flushed()).toEqual({ EventsStored: 1, DuplicateDeliveries: 1 });
  });

  it('counted once when SQS hands out its message again', async () => {
    const body = newBody();
    for (let times = 0; times < 5; times += 1) await store(messageOf(body));
    expect(await read(body)).toMatchObject({ deliveries: 1 });
    expect(lines.flushed()).toEqual({ EventsStored: 1 });
  });

  it('one of each type, when two types have the same body', async () => {
    const body = newBody();
    const both = storeOf(eventStore, { ...profile, eventTypes: [transfers, 'PROXY_NOTIFICATION'] });
    await both(messageOf(body, 'delivery-1', transfers));
    await both(messageOf(body, 'delivery-2', 'PROXY_NOTIFICATION'));
    expect(lines.flushed()).toEqual({ EventsStored: 2 });
  });
});

describe('promise 3: an event that cannot have an effect is stored, counted and logged without its body', () => {
  it.each([
    ['NOT_JSON', transfers, () => newBody().slice(0, -1)],
    ['NESTED_TOO_DEEP', transfers, () => `{"a":${'['.repeat(100_000)}"${newBody()}"`],
    ['NOT_AN_OBJECT', transfers, () => `[${newBody()}]`],
    ['UNKNOWN_EVENT_TYPE', 'NEW_NOTIFICATION', newBody],
  ])('is quarantined for the reason %s', async (reason, eventType, bodyOf) => {
    const body = bodyOf();
    await store(messageOf(body, 'delivery-1', eventType));
    const row = await read(body, eventType);
    expect(row).toMatchObject({ eventType, quarantineReason: reason, deliveries: 1 });
    expect(row && Buffer.from(inflateBody(row.deflatedBody)).toString()).toBe(body);
    expect(linesOf('event quarantined')).toMatchObject([{ level: 'WARN', eventId: row?.eventId, reason }]);
    expect(lines.flushed()).toEqual({ EventsStored: 1, EventsQuarantined: 1 });
    expect(lines.text()).not.toMatch(/Erika|Mustermann/);
  });

  it('said once, however often it is delivered', async () => {
    const body = `[${newBody()}]`;
    for (const deliveryId of ['delivery-1', 'delivery-2', 'delivery-3']) await store(messageOf(body, deliveryId));
    expect(linesOf('event quarantined')).toHaveLength(1);
    const applied = ['delivery-1', 'delivery-2', 'delivery-3'].map((deliveryId) => ({ level: 'INFO', deliveryId }));
    expect(linesOf('event applied')).toMatchObject(applied);
    expect(linesOf('event applied').map(({ outcome }) => outcome)).toEqual(['stored', 'duplicate', 'duplicate']);
    expect(lines.flushed()).toEqual({ EventsStored: 1, DuplicateDeliveries: 2, EventsQuarantined: 1 });
  });

  it('said all the same when the answer of DynamoDB is lost, and the SDK puts it again', async () => {
    const retrying = await startEmulators({ maxAttempts: 3 });
    try {
      let lost = 0;
      retrying.watch(({ when, operation }) => {
        if (when !== 'after' || operation !== 'UpdateItem' || lost > 0) return;
        lost += 1;
        throw new Error('The answer is lost');
      });
      const { dynamodb, tableName } = retrying;
      const events = createEventStore({ dynamodb, tableName, retentionDays: 30, now });
      await storeOf(events)(messageOf(`[${newBody()}]`));
      expect(lost).toBe(1);
      expect(linesOf('event quarantined')).toMatchObject([{ level: 'WARN', reason: 'NOT_AN_OBJECT' }]);
      expect(lines.flushed()).toEqual({ EventsQuarantined: 1 });
    } finally {
      await retrying.close();
    }
  });

  it('an empty body too', async () => {
    await store(messageOf(''));
    expect(await read('')).toMatchObject({ quarantineReason: 'NOT_JSON' });
  });
});

describe('a message that is no delivery', () => {
  it.each([
    ['text', canary],
    ['another object', JSON.stringify({ name: canary })],
    ['an empty message', ''],
  ])('is rejected and stores nothing: %s', async (_, message) => {
    const before = await rows();
    await expect(store(message)).rejects.toThrow(DeliveryMessageError);
    expect(await rows()).toBe(before);
    expect(lines.flushed()).toEqual({});
  });

  it.each([
    ['is not deflated', Buffer.from(canary)],
    ['is empty', Buffer.of()],
    ['breaks off', deflateBody(Buffer.from(newBody())).slice(0, 10)],
    ['inflates without end', deflateBody(Buffer.alloc(17 * 1024 * 1024))],
  ])('a delivery whose body %s', async (_, deflatedBody) => {
    const before = await rows();
    const delivery = { deliveryId: 'd', eventType: transfers, receivedOn: now().toISOString(), deflatedBody };
    await expect(store(writeDeliveryMessage(delivery))).rejects.toThrow(expect.not.stringContaining('Erika'));
    expect(await rows()).toBe(before);
    expect(lines.flushed()).toEqual({});
  });
});

describe('promise 2: a throw is repaired by redelivery', () => {
  it('rejects, and counts nothing, when DynamoDB does not confirm', async () => {
    const body = newBody();
    emulators.watch(({ when }) => {
      if (when === 'before') throw new Error('DynamoDB is down.');
    });
    await expect(store(messageOf(body))).rejects.toThrow();
    expect(lines.flushed()).toEqual({});
    emulators.unwatch();
    await store(messageOf(body));
    expect(lines.flushed()).toEqual({ EventsStored: 1 });
    expect(await read(body)).toMatchObject({ deliveries: 1 });
  });

  it('is stored once when DynamoDB has it and the answer is lost', async () => {
    const body = newBody();
    emulators.watch(({ when }) => {
      if (when === 'after') throw new Error('The answer is lost.');
    });
    await expect(store(messageOf(body))).rejects.toThrow();
    emulators.unwatch();
    await store(messageOf(body));
    expect(await read(body)).toMatchObject({ deliveries: 1 });
  });
});

describe('an event that the drain has stored needs no delivery', () => {
  it('is taken as it is: nothing of it is written, and nothing counted again', async () => {
    const body = newBody();
    await store(messageOf(body));
    const row = await read(body);
    expect(lines.flushed()).toEqual({ EventsStored: 1 });
    const written: string[] = [];
    emulators.watch(({ operation, when }) => {
      if (when === 'before') written.push(operation);
    });
    for (let times = 0; times < 3; times += 1) await store(writeEventMessage(row?.eventId ?? ''));
    // Each time the event and its entity.
    expect(written).toEqual(['GetItem', 'BatchGetItem', 'GetItem', 'BatchGetItem', 'GetItem', 'BatchGetItem']);
    expect(await read(body)).toEqual(row);
    expect(lines.flushed()).toEqual({});
  });

  it('rejects where the event store does not have it: that must not be acknowledged', async () => {
    const { eventId } = identifyEvent(transfers, Buffer.from(newBody()), profile);
    await expect(store(writeEventMessage(eventId))).rejects.toThrow(EventMissingError);
  });
});

describe('promise 2: an event has its effect however often it crashes on the way', () => {
  const changes = () => published.map(({ detailType, detail }) => [detailType, detail['sequence'], detail['status']]);
  const bodyOf = (id: string) => `{"transferId":"${id}","status":"PROCESSED","modifiedOn":"2026-01-02T03:04:05Z"}`;

  it.each((['before', 'after'] as const).flatMap((when) => [1, 2, 3, 4].map((call) => ({ when, call }))))(
    '$when call $call, and is delivered again',
    async ({ when, call }) => {
      const id = `crash-${when}-${call}`;
      let calls = 0;
      emulators.watch((moment) => {
        if (moment.when === 'before') calls += 1;
        if (moment.when === when && calls === call) throw new Error('The process ends here.');
      });
      const crashed = await store(messageOf(bodyOf(id))).then(
        () => false,
        () => true,
      );
      // It makes three calls: the event, the entity, and what was known of it.
      expect(crashed).toBe(call <= 3);
      emulators.unwatch();
      await store(messageOf(bodyOf(id)));
      expect(changes()).toEqual(expect.arrayContaining([['TransferStatusChanged', 1, 'PROCESSED']]));
      expect(new Set(changes().map(String)).size).toBe(1);
      expect(await entityStore.read({ kind: 'transfer', id })).toMatchObject({ status: 'PROCESSED', version: 1 });
      expect(await entityStore.timeline({ kind: 'transfer', id })).toHaveLength(1);
    },
  );

  it('is published again when the bus did not confirm', async () => {
    const body = bodyOf('bus');
    let refusals = 1;
    const publish = async (events: readonly BusEntry[]) => {
      if (refusals-- > 0) throw new Error('EventBridge is down.');
      published.push(...events);
    };
    const { personIndex, erasePersonEvents } = createTestPersons(emulators, { eventStore, entityStore, now });
    const applyEvent = createApplyEvent({
      entityStore,
      eventStore,
      erasePersonEvents,
      personIndex,
      hasErased,
      bus: { publish },
      wakeOnboarding,
      ...lines,
    });
    const unlucky = createStore({
      commitEvent: createCommitEvent({ eventStore, personIndex, ...lines }),
      eventStore,
      applyEvent,
      profile,
      ...lines,
    });
    await expect(unlucky(messageOf(body))).rejects.toThrow('EventBridge is down.');
    await unlucky(messageOf(body));
    expect(changes()).toEqual([['TransferStatusChanged', 1, 'PROCESSED']]);
  });
});

describe('a late event of an erased person', () => {
  it('its body is erased as soon as it is known whom it speaks of, also when it is delivered again', async () => {
    const persons = 'NATURAL_PERSON_NOTIFICATION';
    const withPersons = storeOf(eventStore, { ...profile, eventTypes: [persons] });
    const body = `{"naturalPersonId":"erased","externalId":"${canary}","status":"ACTIVE"}`;
    await entityStore.erase({ kind: 'natural-person', id: 'erased' }, async () => undefined);
    for (const deliveryId of ['delivery-1', 'delivery-2']) {
      await withPersons(messageOf(body, deliveryId, persons));
      const row = await read(body, persons);
      expect(row && Buffer.from(inflateBody(row.deflatedBody)).toString()).toBe('');
      expect(row).toMatchObject({ erasedOn: now().toISOString(), eventType: persons });
    }
    expect(published).toEqual([]);
  });
});

describe('an event in quarantine is evaluated again when it is replayed', () => {
  const customers = 'CUSTOMER_NOTIFICATION';

  async function quarantine(body: string, eventType: string) {
    await store(messageOf(body, 'delivery-1', eventType));
    const row = await read(body, eventType);
    published = [];
    return { eventId: row?.eventId ?? '', reason: row?.quarantineReason };
  }

  it('has its effect once the profile has a place for it, and leaves quarantine', async () => {
    const body = '{"payment":"p-1","transferStatus":"PROCESSED"}';
    const { eventId, reason } = await quarantine(body, transfers);
    expect(reason).toBe('NO_ENTITY_ID');
    const mended = storeOf(eventStore, { ...profile, places: { [transfers]: { kind: 'transfer', id: ['payment'] } } });
    await mended(writeEventMessage(eventId));
    expect(published).toMatchObject([
      { detailType: 'TransferStatusChanged', detail: { id: 'p-1', status: 'PROCESSED', eventId } },
    ]);
    expect(await read(body)).toMatchObject({ quarantineReason: undefined, deliveries: 1 });
  });

  it('stays there, and is published as such, where it cannot be placed all the same', async () => {
    const body = '{"transferStatus":"PROCESSED"}';
    const { eventId } = await quarantine(body, transfers);
    await store(writeEventMessage(eventId));
    expect(published).toMatchObject([{ detailType: 'EventQuarantined', detail: { eventId, reason: 'NO_ENTITY_ID' } }]);
    expect(await read(body)).toMatchObject({ quarantineReason: 'NO_ENTITY_ID' });
  });

  it('stays there until it has had its effect', async () => {
    const body = '{"payment":"p-2","transferStatus":"PROCESSED"}';
    const { eventId } = await quarantine(body, transfers);
    const places = { [transfers]: { kind: 'transfer' as const, id: ['payment'] } };
    emulators.watch(({ operation, when }) => {
      if (operation === 'PutItem' && when === 'before') throw new Error('DynamoDB is down.');
    });
    await expect(storeOf(eventStore, { ...profile, places })(writeEventMessage(eventId))).rejects.toThrow();
    emulators.unwatch();
    expect(await read(body)).toMatchObject({ quarantineReason: 'NO_ENTITY_ID' });
  });

  it('leaves it, too, when it is delivered again', async () => {
    const body = '{"status":"NEW"}';
    const { reason } = await quarantine(body, 'LATER_NOTIFICATION');
    expect(reason).toBe('UNKNOWN_EVENT_TYPE');
    const later = storeOf(eventStore, { ...profile, eventTypes: ['LATER_NOTIFICATION'] });
    await later(messageOf(body, 'delivery-2', 'LATER_NOTIFICATION'));
    expect(published).toMatchObject([{ detailType: 'EventReceived' }]);
    expect(await read(body, 'LATER_NOTIFICATION')).toMatchObject({ quarantineReason: undefined, deliveries: 2 });
  });

  it('keeps its first receipt, from before the profile knew its type, when it is delivered again', async () => {
    const type = 'LATER_NOTIFICATION';
    const places = { [type]: { kind: 'transfer' as const, id: ['transferId'] } };
    const later = storeOf(eventStore, { ...profile, eventTypes: [type], places });
    const bodyOf = (status: string) =>
      Buffer.from(
        JSON.stringify({ transferId: 'unquarantined', transferStatus: status, modifiedOn: '2026-01-01T00:00:00Z' }),
      );
    const deliver = (to: typeof store, status: string, receivedOn: string) => {
      const deflatedBody = deflateBody(bodyOf(status));
      return to(writeDeliveryMessage({ deliveryId: receivedOn, eventType: type, receivedOn, deflatedBody }));
    };
    await deliver(store, 'EXAMPLE_FIRST', '2026-01-02T00:00:01.000Z');
    await deliver(later, 'EXAMPLE_AFTER_IT', '2026-01-02T00:00:02.000Z');
    await deliver(later, 'EXAMPLE_FIRST', '2026-01-02T00:00:03.000Z');
    const { status } = (await entityStore.read({ kind: 'transfer', id: 'unquarantined' })) ?? {};
    expect(status).toBe('EXAMPLE_AFTER_IT');
  });

  it('goes into it where the profile no longer has a place for it', async () => {
    const body = '{"customerId":"c-1"}';
    await store(messageOf(body, 'delivery-1', customers));
    const { eventId = '' } = (await read(body, customers)) ?? {};
    await storeOf(eventStore, { ...profile, eventTypes: [transfers] })(writeEventMessage(eventId));
    expect(await read(body, customers)).toMatchObject({ quarantineReason: 'UNKNOWN_EVENT_TYPE' });
  });

  it('keeps an undelivered webhook in quarantine that was stored as it came, for an operator', async () => {
    const event = quarantineEvent(undeliveredEventType, '{"id":1}', 'UNDELIVERED_WITHOUT_ID');
    const deflatedBody = deflateBody(Buffer.from('{"id":1}'));
    const delivery = {
      deliveryId: 'd',
      eventType: undeliveredEventType,
      receivedOn: now().toISOString(),
      deflatedBody,
    };
    await eventStore.commit(event, delivery);
    await store(writeEventMessage(event.eventId));
    expect(published).toMatchObject([
      { detailType: 'EventQuarantined', detail: { eventId: event.eventId, reason: 'UNDELIVERED_WITHOUT_ID' } },
    ]);
    expect((await eventStore.read(event.eventId))?.quarantineReason).toBe('UNDELIVERED_WITHOUT_ID');
  });

  it('of a body that is erased, nothing has an effect', async () => {
    const body = '{"customerId":"c-2"}';
    await store(messageOf(body, 'delivery-1', customers));
    const { eventId = '' } = (await read(body, customers)) ?? {};
    await eventStore.erase(eventId);
    published = [];
    await store(writeEventMessage(eventId));
    expect(published).toEqual([]);
    expect(await read(body, customers)).toMatchObject({ quarantineReason: undefined, erasedOn: now().toISOString() });
  });

  it('has the time of its last delivery, so that a repeat from the drain counts as received then', async () => {
    const persons = 'NATURAL_PERSON_NOTIFICATION';
    const withPersons = storeOf(eventStore, { ...profile, eventTypes: [persons] });
    const body = '{"naturalPersonId":"repeat","status":"ACTIVE"}';
    await withPersons(messageOf(body, 'delivery-1', persons));
    const event = identifyEvent(persons, Buffer.from(body), { ...profile, eventTypes: [persons] });
    const receivedOn = '2026-02-03T00:00:00.000Z';
    const deflatedBody = deflateBody(Buffer.from(body));
    await eventStore.commit(event, { deliveryId: 'undelivered:1', eventType: persons, receivedOn, deflatedBody });
    await withPersons(writeEventMessage(event.eventId));
    expect(await entityStore.read({ kind: 'natural-person', id: 'repeat' })).toMatchObject({ heardOn: receivedOn });
  });
});

describe('failure modes: one poison message must not hold up its batch', () => {
  it('fails alone, and the others are stored', async () => {
    const bodies = [newBody(), newBody()];
    const messages = [...bodies.map((body) => messageOf(body)), canary, messageOf(`[${newBody()}]`)];
    const Records = messages.map((body, index) => ({
      messageId: `message-${index}`,
      body,
      attributes: { ApproximateReceiveCount: '1' },
    }));
    const handler = batchHandler(store, lines);
    expect(await handler({ Records }, lambdaContext())).toEqual({
      batchItemFailures: [{ itemIdentifier: 'message-2' }],
    });
    for (const body of bodies) expect(await read(body)).toMatchObject({ deliveries: 1 });
    expect(lines.objects().at(-1)).toMatchObject({ EventsStored: 3, EventsQuarantined: 1 });
    expect(lines.text()).not.toMatch(/Erika|Mustermann/);
  });
});
