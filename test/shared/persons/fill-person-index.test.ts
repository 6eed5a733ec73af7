import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CheckpointConflictError, createCheckpoint } from '#shared/aws/checkpoint.ts';
import { usualLanes } from '#shared/aws/list/lanes.ts';
import { identifyEvent } from '#shared/events/event.ts';
import { createListAllEvents } from '#shared/events/event-list.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { deflateBody } from '#shared/events/webhook-delivery.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import {
  createEventBodies,
  createFillPersonIndex,
  createIsFilled,
  fillJob,
  fillProgress,
} from '#shared/persons/fill-person-index.ts';
import type { PersonIndex } from '#shared/persons/person-index.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { createTestPersons, createTestStores } from '#test/shared/events/test-stores.ts';

const profile = platformProfile.parse({});
const always = () => true;
const hour = 3_600_000;
let emulators: Emulators;
let eventStore: EventStore;
let personIndex: PersonIndex;
let time = Date.parse('2026-01-02T03:04:05Z');
const now = () => new Date(time);

beforeAll(async () => {
  emulators = await startEmulators();
  await emulators.createTable('entities', 'entities');
  const stores = createTestStores(emulators, now);
  eventStore = stores.eventStore;
  personIndex = createTestPersons(emulators, { ...stores, now }).personIndex;
});
afterAll(() => emulators.close());
afterEach(() => emulators.unwatch());

/** A new run of a function, which keeps its progress under this name. */
function fill(job: string = fillJob) {
  const { dynamodb, tableName } = emulators;
  return createFillPersonIndex({
    bodies: createEventBodies({ dynamodb, tableName, pageSize: 2 }),
    eventStore,
    personIndex,
    checkpoint: createCheckpoint({
      dynamodb,
      tableName: emulators.tableNameOf('checkpoints'),
      job,
      schema: fillProgress,
    }),
    profile,
    now,
  });
}

/** Stores an event as release 0.2.0 did, without the index. Gives its id. */
async function storeUnindexed(eventType: string, body: object): Promise<string> {
  const bytes = Buffer.from(JSON.stringify(body));
  const { placed: _, ...event } = identifyEvent(eventType, bytes, profile);
  const delivery = { deliveryId: 'd', eventType, receivedOn: now().toISOString(), deflatedBody: deflateBody(bytes) };
  await eventStore.commit(event, delivery);
  return event.eventId;
}

const idsOf = async (id: string) =>
  (await personIndex.find({ ids: [id], onboardingIds: [] })).map((one) => one.eventId);

describe('the index of persons, of what an earlier release has stored', () => {
  it('has each event after one walk, which stops and goes on', async () => {
    const eventIds: string[] = [];
    for (let number = 0; number < 40; number += 1)
      eventIds.push(
        await storeUnindexed('NATURAL_PERSON_NOTIFICATION', { naturalPersonId: 'p', externalId: 'e', number }),
      );
    const order = await storeUnindexed('ORDER_NOTIFICATION', { orderId: 'o', naturalPersonId: 'p' });
    const erased = await storeUnindexed('NATURAL_PERSON_NOTIFICATION', { naturalPersonId: 'p', number: 'erased' });
    await eventStore.erase(erased);
    let runs = 0;
    for (let isUsable = false; !isUsable; runs += 1) {
      let pages = 0;
      isUsable = await fill()(() => {
        pages += 1;
        return pages <= 8;
      });
    }
    expect(runs).toBeGreaterThan(1);
    expect(new Set(await idsOf('p'))).toEqual(new Set([...eventIds, order]));
    const byExternalId = await personIndex.find({ ids: [], onboardingIds: [onboardingIdOf('e')] });
    expect(new Set(byExternalId.map(({ eventId }) => eventId))).toEqual(new Set(eventIds));
    const [one] = byExternalId;
    expect(one).toMatchObject({ of: 'natural-person', naturalPersonId: 'p', onboardingId: onboardingIdOf('e') });
  });

  it('has what the earlier release stored since the first walk, after one an hour and one a day later, and costs one read between them', async () => {
    const calls: string[] = [];
    emulators.watch(({ when, operation }) => {
      if (when === 'before') calls.push(operation);
    });
    for (const [since, passed] of [
      ['minutes', 1],
      ['hours', 23],
    ] as const) {
      const eventId = await storeUnindexed('NATURAL_PERSON_NOTIFICATION', { naturalPersonId: since });
      calls.length = 0;
      expect(await fill()(always)).toBe(true);
      expect(calls).toEqual(['GetItem']);
      time += passed * hour;
      expect(await fill()(always)).toBe(true);
      expect(await idsOf(since)).toEqual([eventId]);
    }
  });

  it('has no name of an event that is erased between its read and its row', async () => {
    const erased = await storeUnindexed('NATURAL_PERSON_NOTIFICATION', { naturalPersonId: 'of-an-erasure' });
    let isDone = false;
    emulators.watch(async ({ when, operation, input }) => {
      if (when !== 'before' || operation !== 'PutItem' || isDone || !JSON.stringify(input()).includes(erased)) return;
      isDone = true;
      await eventStore.erase(erased);
    });
    await fill('beside-an-erasure')(always);
    emulators.unwatch();
    expect(isDone).toBe(true);
    expect(await idsOf('of-an-erasure')).toEqual([]);
  });

  it('lists among all types what the earlier release has listed by its type, erased or not', async () => {
    time += 25 * hour;
    const { dynamodb, tableName } = emulators;
    const ids: string[] = [];
    for (const number of [1, 2]) {
      const eventId = await storeUnindexed('ORDER_NOTIFICATION', { orderId: 'listed', number });
      await dynamodb.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: { eventId: { S: eventId } },
          UpdateExpression: 'SET listLane = :lane',
          ExpressionAttributeValues: { ':lane': { S: `ORDER_NOTIFICATION#${eventId.slice(0, 1)}` } },
        }),
      );
      ids.unshift(eventId);
      time += 1_000;
    }
    await eventStore.erase(ids[1] ?? '');
    await fill('of-lists')(always);
    const deps = { dynamodb, tableName, now };
    const listAll = createListAllEvents({
      ...deps,
      types: [],
      readLanes: async () => usualLanes,
      isReceivedFilled: createIsFilled({ dynamodb, tableName: emulators.tableNameOf('checkpoints') }),
    });
    const { rows } = await listAll({ filter: {}, limit: 5, after: undefined });
    expect(rows.map(({ eventId }) => eventId)).toEqual(ids);
  });

  it('costs one read from the last walk on', async () => {
    const calls: string[] = [];
    emulators.watch(({ when, operation }) => {
      if (when === 'before') calls.push(operation);
    });
    expect(await fill()(always)).toBe(true);
    expect(calls).toEqual(['GetItem']);
  });

  it('is filled by one of two runs at a time, and the other one says so', async () => {
    const ends = await Promise.allSettled([fill('another')(always), fill('another')(always)]);
    const failed = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    expect(failed).toEqual([expect.any(CheckpointConflictError)]);
  });
});
