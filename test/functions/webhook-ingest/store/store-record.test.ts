import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { quarantineEvent, undeliveredEventType } from '#shared/events/event.ts';
import { writeDeliveryMessage, writeEventMessage } from '#shared/events/webhook-delivery.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { createStoreWorld, deliveryOf, eventIdOf, receivedOn, type StoreWorld } from './store-world.ts';

const [transfers, customers, persons] = [
  'TRANSFER_NOTIFICATION',
  'CUSTOMER_NOTIFICATION',
  'NATURAL_PERSON_NOTIFICATION',
] as const;
const canary = 'Erika Mustermann';
let emulators: Emulators;
let world: StoreWorld;
let serial = 0;

beforeAll(async () => {
  emulators = await startEmulators();
});
afterAll(() => emulators.close());
beforeEach(() => {
  world = createStoreWorld(emulators);
});
afterEach(() => emulators.unwatch());

/** A body that no other test has. */
function newBody(): string {
  serial += 1;
  return `{"transferId":"transfer-${serial}","name":"${canary}"}`;
}

const deliver = (body: string, deliveryId?: string, eventType: string = transfers) =>
  world.store(writeDeliveryMessage(deliveryOf(eventType, body, deliveryId)));

const linesOf = (message: string) => world.lines.objects().filter((line) => line['message'] === message);

describe('a delivery becomes an event in the event store', () => {
  it('keeps the body byte for byte, and logs nothing of it', async () => {
    const body = `  ${newBody()}\n`;
    await deliver(body);
    expect(await world.read(transfers, body)).toMatchObject({ body, deliveries: 1, quarantineReason: undefined });
    expect(world.lines.flushed()).toEqual({ EventsStored: 1, ReceiptToBusDuration: [0] });
    expect(world.lines.text()).not.toMatch(/Erika|Mustermann/);
  });

  it('times each delivery from its receipt to the bus, and a delivery that failed only once it succeeds', async () => {
    const late = createStoreWorld(emulators, new Date(Date.parse(receivedOn) + 1_500).toISOString());
    const message = writeDeliveryMessage(deliveryOf(customers, newBody()));
    const publish = late.bus.publish;
    late.bus.publish = async () => Promise.reject(new Error('The bus does not answer.'));
    await expect(late.store(message)).rejects.toThrow();
    expect(late.lines.flushed()).not.toHaveProperty('ReceiptToBusDuration');
    late.bus.publish = publish;
    await late.store(message);
    expect(late.lines.flushed()).toMatchObject({ ReceiptToBusDuration: [1_500] });
  });

  it('counts a message that SQS hands out again once, and another delivery in other words as a duplicate', async () => {
    const body = newBody();
    for (let times = 0; times < 3; times += 1) await deliver(body);
    await deliver(JSON.stringify(JSON.parse(body), null, 2), 'delivery-2');
    expect(await world.read(transfers, body)).toMatchObject({ deliveries: 2 });
    expect(world.lines.flushed()).toMatchObject({ EventsStored: 1, DuplicateDeliveries: 1 });
  });

  it('counts, of the version that runs, new webhooks, and those that publish nothing', async () => {
    const released = createStoreWorld(emulators, receivedOn, { FunctionName: 'store', ExecutedVersion: '7' });
    const repeated = newBody();
    for (const body of [repeated, repeated, newBody(), `[${newBody()}]`])
      await released.store(writeDeliveryMessage(deliveryOf(customers, body)));
    released.lines.metrics.flush();
    expect(released.lines.objects().filter((line) => line['ExecutedVersion'] === '7')).toMatchObject([
      { FunctionName: 'store', NewWebhooks: 3, NewWebhooksUnpublished: 1 },
    ]);
  });

  it('rejects, and counts nothing, when DynamoDB does not confirm', async () => {
    emulators.watch(({ when }) => {
      if (when === 'before') throw new Error('DynamoDB is down.');
    });
    await expect(deliver(newBody())).rejects.toThrow();
    expect(world.lines.flushed()).toEqual({});
  });

  it.each([
    ['is no delivery', canary],
    [
      'has a body that does not inflate',
      writeDeliveryMessage({ ...deliveryOf(transfers, ''), deflatedBody: Buffer.from(canary) }),
    ],
  ])('rejects a message that %s, and writes nothing', async (_, message) => {
    const calls: string[] = [];
    emulators.watch(({ operation }) => void calls.push(operation));
    await expect(world.store(message)).rejects.toThrow(expect.not.stringContaining('Erika'));
    expect(calls).toEqual([]);
    expect(world.lines.flushed()).toEqual({});
  });
});

describe('promise 3: an event that cannot have an effect is stored', () => {
  it('is counted and logged once without its body, however often it is delivered', async () => {
    const body = `[${newBody()}]`;
    for (const deliveryId of ['delivery-1', 'delivery-2']) await deliver(body, deliveryId);
    const reason = 'NOT_AN_OBJECT';
    expect(await world.read(transfers, body)).toMatchObject({ body, quarantineReason: reason, deliveries: 2 });
    const eventId = eventIdOf(transfers, body);
    expect(linesOf('event quarantined')).toMatchObject([{ level: 'WARN', eventId, reason }]);
    expect(linesOf('event applied')).toMatchObject([
      { level: 'INFO', deliveryId: 'delivery-1', outcome: 'stored' },
      { level: 'INFO', deliveryId: 'delivery-2', outcome: 'duplicate' },
    ]);
    expect(world.lines.flushed()).toMatchObject({ EventsStored: 1, DuplicateDeliveries: 1, EventsQuarantined: 1 });
    expect(world.lines.text()).not.toMatch(/Erika|Mustermann/);
  });

  it('is counted and logged although an answer of DynamoDB is lost, and the SDK repeats the call', async () => {
    const retrying = await startEmulators({ maxAttempts: 3 });
    try {
      let lost = 0;
      retrying.watch(({ when, operation }) => {
        if (when !== 'after' || operation !== 'UpdateItem' || lost > 0) return;
        lost += 1;
        throw new Error('The answer is lost');
      });
      world = createStoreWorld(retrying);
      await deliver(`[${newBody()}]`);
      expect(lost).toBe(1);
      expect(linesOf('event quarantined')).toMatchObject([{ level: 'WARN', reason: 'NOT_AN_OBJECT' }]);
      expect(world.lines.flushed()).toMatchObject({ EventsQuarantined: 1 });
    } finally {
      await retrying.close();
    }
  });
});

describe('an event that the drain has stored', () => {
  it('has its effect with no write of its own, and is not counted again', async () => {
    const body = newBody();
    await deliver(body);
    const row = await world.read(transfers, body);
    world.lines.flushed();
    const calls: string[] = [];
    emulators.watch(({ operation, when }) => {
      if (when === 'before') calls.push(operation);
    });
    for (let times = 0; times < 2; times += 1) await world.store(writeEventMessage(eventIdOf(transfers, body)));
    // Each time the event and its entity.
    expect(calls).toEqual(['GetItem', 'BatchGetItem', 'GetItem', 'BatchGetItem']);
    expect(await world.read(transfers, body)).toEqual(row);
    expect(world.lines.flushed()).toEqual({});
  });

  it('rejects an id that the event store does not have, so that the message is not acknowledged', async () => {
    await expect(world.store(writeEventMessage('a'.repeat(64)))).rejects.toThrow(
      expect.objectContaining({ code: 'EventMissingError' }),
    );
  });

  it.each([
    ['behind', '2026-01-02T00:00:00.000Z'],
    ['ahead', '2099-01-01T00:00:00.000Z'],
  ])('counts as received now, also when the clock of the platform is %s', async (clock, createdOn) => {
    const body = `{"naturalPersonId":"${clock}","status":"ACTIVE"}`;
    await deliver(body, 'delivery-1', persons);
    const event = { eventId: eventIdOf(persons, body), eventType: persons, quarantineReason: undefined };
    await world.eventStore.commit(event, { ...deliveryOf(persons, body, 'undelivered:1'), receivedOn: createdOn });
    const now = '2026-01-03T00:00:00.000Z';
    await createStoreWorld(emulators, now).store(writeEventMessage(event.eventId));
    const person = await world.entityStore.read({ kind: 'natural-person', id: clock });
    expect(person).toMatchObject({ toReadBack: true, openReportOn: now });
  });
});

describe('an event in quarantine', () => {
  const later = 'LATER_NOTIFICATION';
  const withPayments = platformProfile.parse({ places: { [transfers]: { kind: 'transfer', id: ['payment'] } } });

  /** Delivers an event, and forgets what was published. Gives its id. */
  async function delivered(eventType: string, body: string): Promise<string> {
    await deliver(body, 'delivery-1', eventType);
    world.published.length = 0;
    return eventIdOf(eventType, body);
  }

  it('has its effect and leaves quarantine once the profile has a place for it', async () => {
    const body = '{"payment":"p-1","transferStatus":"PROCESSED"}';
    const eventId = await delivered(transfers, body);
    expect(await world.read(transfers, body)).toMatchObject({ quarantineReason: 'NO_ENTITY_ID' });
    await world.storeWith(withPayments)(writeEventMessage(eventId));
    expect(world.published).toMatchObject([
      { detailType: 'TransferStatusChanged', detail: { id: 'p-1', status: 'PROCESSED', eventId } },
    ]);
    expect(await world.read(transfers, body)).toMatchObject({ quarantineReason: undefined, deliveries: 1 });
  });

  it('stays in quarantine, and is published, when the profile still has no place for it', async () => {
    const body = '{"transferStatus":"PROCESSED"}';
    const eventId = await delivered(transfers, body);
    await world.store(writeEventMessage(eventId));
    expect(world.published).toMatchObject([
      { detailType: 'EventQuarantined', detail: { eventId, reason: 'NO_ENTITY_ID' } },
    ]);
    expect(await world.read(transfers, body)).toMatchObject({ quarantineReason: 'NO_ENTITY_ID' });
  });

  it('stays in quarantine until it has had its effect', async () => {
    const body = '{"payment":"p-2","transferStatus":"PROCESSED"}';
    const eventId = await delivered(transfers, body);
    emulators.watch(({ operation, when }) => {
      if (operation === 'PutItem' && when === 'before') throw new Error('DynamoDB is down.');
    });
    await expect(world.storeWith(withPayments)(writeEventMessage(eventId))).rejects.toThrow();
    emulators.unwatch();
    expect(await world.read(transfers, body)).toMatchObject({ quarantineReason: 'NO_ENTITY_ID' });
  });

  it('leaves quarantine when it is delivered again and its type is known', async () => {
    const body = '{"status":"NEW"}';
    await delivered(later, body);
    expect(await world.read(later, body)).toMatchObject({ quarantineReason: 'UNKNOWN_EVENT_TYPE' });
    await world.storeWith(platformProfile.parse({ eventTypes: [later] }))(
      writeDeliveryMessage(deliveryOf(later, body, 'delivery-2')),
    );
    expect(world.published).toMatchObject([{ detailType: 'EventReceived' }]);
    expect(await world.read(later, body)).toMatchObject({ quarantineReason: undefined, deliveries: 2 });
  });

  it('keeps its first receipt, from before the profile knew its type, when it is delivered again', async () => {
    const places = { [later]: { kind: 'transfer', id: ['transferId'] } };
    const withLater = world.storeWith(platformProfile.parse({ eventTypes: [later], places }));
    const messageOf = (status: string, second: number) => {
      const body = { transferId: 'unquarantined', transferStatus: status, modifiedOn: '2026-01-01T00:00:00Z' };
      const delivery = deliveryOf(later, JSON.stringify(body), `at ${second}`);
      return writeDeliveryMessage({ ...delivery, receivedOn: `2026-01-02T00:00:0${second}.000Z` });
    };
    await world.store(messageOf('EXAMPLE_FIRST', 1));
    await withLater(messageOf('EXAMPLE_AFTER_IT', 2));
    await withLater(messageOf('EXAMPLE_FIRST', 3));
    const transfer = await world.entityStore.read({ kind: 'transfer', id: 'unquarantined' });
    expect(transfer).toMatchObject({ status: 'EXAMPLE_AFTER_IT' });
  });

  it('goes into quarantine on a replay after the profile has lost its type', async () => {
    const body = '{"customerId":"c-1"}';
    const eventId = await delivered(customers, body);
    await world.storeWith(platformProfile.parse({ eventTypes: [transfers] }))(writeEventMessage(eventId));
    expect(await world.read(customers, body)).toMatchObject({ quarantineReason: 'UNKNOWN_EVENT_TYPE' });
  });

  it('stays in quarantine when it is an undelivered webhook that was stored as it came, for an operator', async () => {
    const body = '{"id":1}';
    const event = quarantineEvent(undeliveredEventType, body, 'UNDELIVERED_WITHOUT_ID');
    const { eventId } = event;
    await world.eventStore.commit(event, deliveryOf(undeliveredEventType, body));
    await world.store(writeEventMessage(eventId));
    expect(world.published).toMatchObject([
      { detailType: 'EventQuarantined', detail: { eventId, reason: 'UNDELIVERED_WITHOUT_ID' } },
    ]);
    expect(await world.eventStore.read(eventId)).toMatchObject({ quarantineReason: 'UNDELIVERED_WITHOUT_ID' });
  });

  it('has no effect on a replay after its body was erased', async () => {
    const body = '{"customerId":"c-2"}';
    const eventId = await delivered(customers, body);
    await world.eventStore.erase(eventId);
    await world.store(writeEventMessage(eventId));
    expect(world.published).toEqual([]);
    expect(await world.read(customers, body)).toMatchObject({ quarantineReason: undefined, erasedOn: receivedOn });
  });
});
