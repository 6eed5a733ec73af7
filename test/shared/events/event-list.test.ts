import { createHash } from 'node:crypto';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLaneMemory, maxLanes, usualLanes } from '#shared/aws/list/lanes.ts';
import type { Position } from '#shared/aws/list/read-list.ts';
import { createListAllEvents, createListQuarantined, type ListEvents } from '#shared/events/event-list.ts';
import { createEventStore } from '#shared/events/event-store.ts';
import type { EventFilter } from '#shared/events/scan-events.ts';
import { isFullSize } from '#test/full-size.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import {
  eventTypes,
  isListed,
  moments,
  now,
  replaceEvents,
  type StoredEvent,
  someFilters,
  someStoredEvent,
  someStoredEvents,
  storedEvent,
} from './stored-events.ts';

let emulators: Emulators;
let list: ListEvents;
let tables = 0;

beforeAll(async () => {
  emulators = await startEmulators({ isOverHttp: isFullSize });
  list = createListQuarantined({ dynamodb: emulators.dynamodb, tableName: emulators.tableName, now: () => now });
});
afterAll(() => emulators.close());

/** The ids of all pages. */
async function walk(filter: EventFilter, limit: number, of = list): Promise<readonly string[]> {
  const ids: string[] = [];
  let after: Position | undefined;
  do {
    const { rows, next } = await of({ filter, limit, after });
    ids.push(...rows.map(({ eventId }) => eventId));
    after = next;
  } while (after !== undefined);
  return ids;
}

describe('the list of events in quarantine', () => {
  it('has every event that the filter allows once, newest first, for all page sizes', async () => {
    await fc.assert(
      fc.asyncProperty(someStoredEvents, someFilters, fc.integer({ min: 1, max: 5 }), async (some, filter, limit) => {
        await replaceEvents(emulators, some);
        const expected = some
          .filter((event) => event.quarantineReason !== undefined && isListed(event, filter))
          .map(({ receivedOn, eventId }) => `${receivedOn} ${eventId}`)
          .toSorted()
          .toReversed()
          .map((text) => text.split(' ')[1]);
        expect(await walk(filter, limit)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('ends a page early after so many rows that no filter wants, and continues on the next', async () => {
    const wanted = storedEvent({ receivedOn: moments[4] ?? '', eventType: 'TRANSFER_NOTIFICATION' });
    const receivedOn = (second: number) => new Date(now.getTime() - second * 1_000).toISOString();
    const others = Array.from({ length: 200 }, (_, second) => storedEvent({ receivedOn: receivedOn(second) }));
    await replaceEvents(emulators, [...others, wanted]);
    const filter = { eventType: 'TRANSFER_NOTIFICATION' };
    const first = await list({ filter, limit: 1, after: undefined, maxRows: 1 });
    expect(first.rows).toEqual([]);
    expect(first.next).toBeDefined();
    expect(await walk(filter, 1)).toEqual([wanted.eventId]);
  });
});

describe('the list of all events', () => {
  const types = ['TRANSFER_NOTIFICATION'];

  type Stored = { readonly event: StoredEvent; readonly types?: readonly string[]; readonly lanes?: number };

  /** Stores events in a table of their own, each as an environment with these types and this setting `listLanes`. */
  async function storeListed(some: readonly Stored[]) {
    tables += 1;
    const tableName = await emulators.createTable('events', `listed-${tables}`);
    const { dynamodb, tableNameOf } = emulators;
    const deps = { dynamodb, tableName, now: () => now };
    const checkpoints = { dynamodb, tableName: tableNameOf('checkpoints') };
    await dynamodb.send(new DeleteItemCommand({ TableName: checkpoints.tableName, Key: { job: { S: 'list-lanes' } } }));
    for (const { event, types: typesThen = types, lanes = usualLanes } of some) {
      await createLaneMemory(checkpoints, lanes).remember();
      const store = createEventStore({ ...deps, retentionDays: 14, listed: { types: typesThen, lanes } });
      await store.commit(event, { ...event, deliveryId: 'delivery', deflatedBody: Buffer.from('') });
    }
    return ({ lanes = usualLanes, isFilled = true } = {}): ListEvents =>
      createListAllEvents({
        ...deps,
        types,
        readLanes: createLaneMemory(checkpoints, lanes).read,
        isReceivedFilled: async () => isFilled,
      });
  }

  it('has events of every type once, newest first, for all settings listLanes that were lowered and raised', async () => {
    const lanes = fc.constantFrom(usualLanes, 37, maxLanes);
    const stored = fc.array(fc.record({ event: someStoredEvent, lanes }), { maxLength: 12 });
    const reader = fc.record({ lanes, isFilled: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(stored, reader, fc.integer({ min: 1, max: 5 }), async (some, setting, limit) => {
        const listAll = (await storeListed(some))(setting);
        const inOrder = some
          .map(({ event }) => event)
          .toSorted((one, other) =>
            `${one.receivedOn} ${one.eventId}` < `${other.receivedOn} ${other.eventId}` ? 1 : -1,
          );
        expect(await walk({}, limit, listAll)).toEqual(inOrder.map(({ eventId }) => eventId));
        for (const eventType of eventTypes)
          expect(await walk({ eventType }, limit, listAll)).toEqual(
            inOrder.filter((event) => event.eventType === eventType).map(({ eventId }) => eventId),
          );
      }),
      { numRuns: 10 },
    );
  });

  it('finds an event of a type that had no partitions of its own when the event was stored', async () => {
    const event = storedEvent({ eventType: 'TRANSFER_NOTIFICATION' });
    const listAll = (await storeListed([{ event, types: [] }]))();
    expect(await walk({ eventType: 'TRANSFER_NOTIFICATION' }, 1, listAll)).toEqual([event.eventId]);
  });

  it('asks each lane once for a page, for all types and for ten times the events', async () => {
    for (const count of [200, 2_000]) {
      const some = Array.from({ length: count }, (_, second) => ({
        event: storedEvent({
          eventId: createHash('sha256').update(`${second}`).digest('hex'),
          eventType: eventTypes[second % eventTypes.length] ?? '',
          receivedOn: new Date(now.getTime() - second * 1_000).toISOString(),
        }),
      }));
      const listAll = (await storeListed(some))();
      const queries: number[] = [];
      let after: Position | undefined;
      emulators.watch(({ when, operation }) => {
        if (when === 'before' && operation === 'Query') queries[0] = (queries[0] ?? 0) + 1;
      });
      for (let page = 0; page < 3; page += 1) {
        queries.unshift(0);
        const { rows, next } = await listAll({ filter: {}, limit: 50, after });
        expect(rows).toHaveLength(50);
        after = next;
      }
      emulators.unwatch();
      expect(queries).toEqual([usualLanes, usualLanes, usualLanes]);
    }
  });
});
