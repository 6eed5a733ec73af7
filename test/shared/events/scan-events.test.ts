import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListedEvent } from '#shared/events/event-row.ts';
import {
  type EventScan,
  type EventScanDeps,
  type LanePosition,
  readEventsById,
  scanAllEvents,
  scanQuarantined,
} from '#shared/events/scan-events.ts';
import { isFullSize } from '#test/full-size.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import {
  bodyCanary,
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
/** What DynamoDB answered. */
let answers: unknown[] = [];

beforeAll(async () => {
  emulators = await startEmulators({ isOverHttp: isFullSize });
});
afterAll(() => emulators.close());

function depsOf(pageSize = 1_000): EventScanDeps {
  const { dynamodb, tableName } = emulators;
  answers = [];
  const send = dynamodb.send.bind(dynamodb) as (command: never) => Promise<unknown>;
  const watched = async (command: never) => {
    const answer = await send(command);
    answers.push(answer);
    return answer;
  };
  return { dynamodb: { send: watched } as never, tableName, now: () => now, pageSize };
}

/** Every event that it lists, in all lanes. */
async function readAll({ lanes, readPage }: EventScan): Promise<readonly ListedEvent[]> {
  const listed: ListedEvent[] = [];
  for (let lane = 0; lane < lanes; lane += 1)
    for (let at: LanePosition | undefined, isOver = false; !isOver; ) {
      const page = await readPage(lane, at);
      listed.push(...page.events);
      at = page.next;
      isOver = at === undefined;
    }
  return listed;
}

const idsOf = (some: readonly { readonly eventId: string }[]) => some.map(({ eventId }) => eventId).toSorted();

const pageSizes = fc.constantFrom(1, 2, 1_000);

describe('listing events by type, by time and by reason', () => {
  it('lists each event in quarantine once that matches the filter and has not expired, on any pages', async () => {
    await fc.assert(
      fc.asyncProperty(someStoredEvents, someFilters, pageSizes, async (some, filter, pageSize) => {
        await replaceEvents(emulators, some);
        const wanted = some.filter((event) => event.quarantineReason !== undefined && isListed(event, filter));
        expect(idsOf(await readAll(scanQuarantined(depsOf(pageSize), filter)))).toEqual(idsOf(wanted));
      }),
      { numRuns: 60 },
    );
  });

  it('lists each of all events once that matches the filter and has not expired, on any pages', async () => {
    await fc.assert(
      fc.asyncProperty(someStoredEvents, someFilters, pageSizes, async (some, filter, pageSize) => {
        await replaceEvents(emulators, some);
        const wanted = some.filter((event) => isListed(event, filter));
        expect(idsOf(await readAll(scanAllEvents(depsOf(pageSize), filter)))).toEqual(idsOf(wanted));
      }),
      { numRuns: 60 },
    );
  });

  it('lists each event as it is stored', async () => {
    const [quarantined, other] = [storedEvent(), storedEvent({ quarantineReason: undefined })];
    await replaceEvents(emulators, [quarantined, other]);
    const asListed = ({ expiresAt, ...event }: StoredEvent) => ({
      ...event,
      expiresOn: new Date(expiresAt * 1_000).toISOString(),
    });
    expect(await readAll(scanQuarantined(depsOf(), {}))).toEqual([asListed(quarantined)]);
    expect(await readAll(scanAllEvents(depsOf(), {}))).toEqual(
      expect.arrayContaining([quarantined, other].map(asListed)),
    );
  });

  it('lists the oldest first in a shard, also when many came at the same time', async () => {
    const many = moments.flatMap((receivedOn) =>
      Array.from({ length: 3 }, () => {
        const event = storedEvent({ receivedOn });
        return { ...event, eventId: `a${event.eventId.slice(1)}` };
      }),
    );
    await replaceEvents(emulators, many);
    const listed = await readAll(scanQuarantined(depsOf(2), {}));
    expect(listed.map(({ receivedOn }) => receivedOn)).toEqual(many.map(({ receivedOn }) => receivedOn).toSorted());
    expect(idsOf(listed)).toEqual(idsOf(many));
  });
});

describe('listing events by id', () => {
  it('lists events in quarantine and outside, and names the missing ones', async () => {
    const [quarantined, other] = [storedEvent(), storedEvent({ quarantineReason: undefined })];
    const expired = storedEvent({ expiresAt: now.getTime() / 1000 });
    await replaceEvents(emulators, [quarantined, other, expired]);
    const [one, two, three, absent] = [quarantined.eventId, other.eventId, expired.eventId, 'f'.repeat(64)];
    const ids = [one, two, three, absent];
    const read = (isQuarantined: boolean) => readEventsById(depsOf(), ids, { isQuarantined }).readPage(0, undefined);
    expect(await read(true)).toMatchObject({ events: [{ eventId: one }], leftOut: [two, three, absent] });
    expect(await read(false)).toMatchObject({ events: [{ eventId: one }, { eventId: two }], leftOut: [three, absent] });
  });
});

describe('promise 8: a list never reads a body', () => {
  it('reads neither bodies nor deliveries from DynamoDB', async () => {
    const event = storedEvent();
    await replaceEvents(emulators, [event]);
    const deps = depsOf();
    for (const scan of [
      scanQuarantined(deps, {}),
      scanAllEvents(deps, {}),
      readEventsById(deps, [event.eventId], { isQuarantined: true }),
    ])
      expect(await readAll(scan)).toHaveLength(1);
    const text = JSON.stringify(answers, (_, value) => (value instanceof Uint8Array ? String(value) : value));
    expect(answers.length).toBeGreaterThan(20);
    expect(text).toContain(event.eventId);
    expect(text).not.toMatch(/deflatedBody|deliver(ies|yIds)/);
    expect(text).not.toContain(String(new Uint8Array(Buffer.from(bodyCanary))));
  });
});

describe('a row that is not what we write', () => {
  it('is refused by the names of its fields, without their values', async () => {
    const { dynamodb, tableName } = emulators;
    const event = storedEvent();
    const Item = { eventId: { S: event.eventId }, eventType: { N: '5' }, expiresAt: { N: '9999999999' } };
    await dynamodb.send(new PutItemCommand({ TableName: tableName, Item }));
    const read = readEventsById(depsOf(), [event.eventId], { isQuarantined: false }).readPage(0, undefined);
    await expect(read).rejects.toThrow(expect.objectContaining({ code: 'EventRowError' }));
    await expect(read).rejects.toThrow(/cannot be read: eventType\.S, receivedOn\./);
  });
});
