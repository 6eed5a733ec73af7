import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Position } from '#shared/aws/list/merge-lanes.ts';
import { createListAllEvents, createListQuarantined, type ListEvents } from '#shared/events/event-list.ts';
import { createEventStore } from '#shared/events/event-store.ts';
import type { EventFilter } from '#shared/events/listing-conditions.ts';
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

  /** Stores events as an environment that lists them. */
  async function storeListed(some: readonly StoredEvent[], typesThen = types): Promise<ListEvents> {
    tables += 1;
    const tableName = await emulators.createTable('events', `listed-${tables}`);
    const deps = { dynamodb: emulators.dynamodb, tableName, now: () => now };
    for (const event of some) {
      const store = createEventStore({ ...deps, retentionDays: 14, listedTypes: typesThen });
      await store.commit(event, { ...event, deliveryId: 'delivery', deflatedBody: Buffer.from('') });
    }
    return createListAllEvents(deps, types);
  }

  it('has events of every type once, in quarantine or not, newest first', async () => {
    await fc.assert(
      fc.asyncProperty(someStoredEvents, fc.integer({ min: 1, max: 5 }), async (some, limit) => {
        const listAll = await storeListed(some);
        const inOrder = some
          .toSorted((one, other) =>
            `${one.receivedOn} ${one.eventId}` < `${other.receivedOn} ${other.eventId}` ? 1 : -1,
          )
          .map(({ eventId, eventType }) => ({ eventId, eventType }));
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
    const listAll = await storeListed([event], []);
    expect(await walk({ eventType: 'TRANSFER_NOTIFICATION' }, 1, listAll)).toEqual([event.eventId]);
  });
});
