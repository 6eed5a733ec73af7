import { DeleteItemCommand, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createFindErased } from '#functions/webhook-ingest/store/apply-event.ts';
import { createCheckpoint } from '#shared/aws/checkpoint.ts';
import { createBatchGet } from '#shared/aws/dynamodb.ts';
import {
  createDueEntities,
  isListOver,
  type ListedParts,
  type ListingStart,
  type ListPositions,
  tableSegments,
} from '#shared/entities/due-entities.ts';
import { dueLanes, entityKeys, entityShards } from '#shared/entities/entity-row.ts';
import { createEntityStore } from '#shared/entities/entity-store.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { eventKeys } from '#shared/events/event-row.ts';
import { createEventStore } from '#shared/events/event-store.ts';
import { type EventFilter, readEventsById, scanAllEvents, scanQuarantined } from '#shared/events/scan-events.ts';
import { deflateBody } from '#shared/events/webhook-delivery.ts';
import { createOnboardingVerifications, type DuePosition } from '#shared/onboarding/onboarding-finder.ts';
import { dueShard, onboardingIdOf, onboardingKeys } from '#shared/onboarding/onboarding-keys.ts';
import { isErased } from '#shared/onboarding/onboarding-row.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { createEventBodies } from '#shared/persons/fill-person-index.ts';
import { size } from '#test/full-size.ts';
import type { Emulators } from '#test/shared/aws/emulators.ts';
import { startHttpEmulators } from '#test/shared/aws/http-emulators.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';
import { simulatedTables } from '#test/simulation/declared.ts';
import type { Command } from './commands.ts';
import { createDynamoDb } from './dynamodb.ts';

type TableName = keyof typeof simulatedTables;

/** A side of the comparison. */
type Deps = { readonly dynamodb: DynamoDBClient; readonly tableName: string; readonly now: () => Date };

/** The product's own functions for a table, with their conditions, filters and keys. */
type Operation = { readonly what: string; readonly perform: (deps: Deps) => Promise<unknown> };

let emulators: Emulators;
beforeAll(async () => {
  emulators = await startHttpEmulators();
});
afterAll(() => emulators.close());

const startAt = Date.parse('2026-01-02T03:04:05Z');
const timeAt = (hour: number) => new Date(startAt + hour * 3_600_000).toISOString();

/** Reads a list page by page, until it ends. */
async function walk<Start>(
  readPage: (
    start: Start | undefined,
  ) => Promise<{ readonly items: readonly unknown[]; readonly next?: Start | undefined }>,
): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  let start: Start | undefined;
  do {
    const page = await readPage(start);
    items.push(...page.items);
    start = page.next;
  } while (start !== undefined);
  return items;
}

/** Reads a list of several parts until every part ends. */
async function readParts(
  parts: readonly string[],
  readPage: (from: ListPositions) => Promise<ListedParts<unknown>>,
): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  for (let from: ListPositions = {}; !isListOver(from, parts); ) {
    const page = await readPage(from);
    items.push(...page.items);
    from = page.next;
  }
  return sorted(items);
}

const operation = <Given>(
  what: string,
  given: fc.Arbitrary<Given>,
  perform: (deps: Deps, given: Given) => Promise<unknown>,
): fc.Arbitrary<Operation> =>
  given.map((some) => ({ what: `${what} ${JSON.stringify(some)}`, perform: (deps) => perform(deps, some) }));

/** Few values, so that compared values are often equal. */
const hour = fc.integer({ min: 0, max: 5 });
/** A retention of one day, so that rows sometimes expire at the exact second. */
const hoursBetween = fc.constantFrom(0, 0, 0, 0, 12);
const pageSize = fc.constantFrom(1, 2, 100);
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const eventId = fc.constantFrom('a1', 'a2', 'a3', 'b1');
const eventType = fc.constantFrom('ORDER', 'TRANSFER');
const reason = fc.constantFrom('NOT_JSON' as const, 'NO_ENTITY_ID' as const);
const filter: fc.Arbitrary<EventFilter> = fc.record({
  eventType: optional(eventType),
  reason: optional(reason),
  receivedFrom: optional(hour.map((at) => timeAt(Math.min(at, 2)))),
  receivedTo: optional(hour.map((at) => timeAt(2 + at))),
});
const eventsOf = (deps: Deps) => createEventStore({ ...deps, retentionDays: 1 });

/** Each side has a class of its own for bytes. */
const withBytes = <Row extends { readonly deflatedBody: Uint8Array }>(row: Row) => ({
  ...row,
  deflatedBody: [...row.deflatedBody],
});

const onEvents = fc.oneof(
  operation(
    'commit',
    fc.record({ id: eventId, type: eventType, reason: optional(reason), at: hour, delivery: fc.integer({ max: 9 }) }),
    (deps, { id, type, reason: quarantineReason, at, delivery }) =>
      eventsOf(deps).commit(
        { eventId: id, eventType: type, quarantineReason },
        {
          deliveryId: String(delivery),
          eventType: type,
          receivedOn: timeAt(at),
          deflatedBody: deflateBody(Buffer.from(id)),
        },
      ),
  ),
  operation('read', eventId, async (deps, id) => {
    const row = await eventsOf(deps).read(id);
    return row && withBytes(row);
  }),
  operation('quarantine', fc.record({ id: eventId, reason: optional(reason) }), (deps, { id, reason: why }) =>
    eventsOf(deps).quarantine(id, why),
  ),
  operation('note hand-over', fc.record({ id: eventId, at: hour, delivery: fc.integer({ max: 9 }) }), (deps, given) =>
    eventsOf(deps).recordHandOver(given.id, [
      {
        deliveryId: String(given.delivery),
        eventType: 'ORDER',
        receivedOn: timeAt(given.at),
        deflatedBody: Buffer.of(),
      },
    ]),
  ),
  operation('erase', eventId, (deps, id) => eventsOf(deps).erase(id)),
  operation('list in quarantine', fc.record({ filter, pageSize }), (deps, given) =>
    Promise.all(lanesOf(scanQuarantined({ ...deps, ...given }, given.filter), [10, 11])),
  ),
  operation('list', fc.record({ filter, pageSize }), async (deps, given) => {
    const scan = scanAllEvents({ ...deps, ...given }, given.filter);
    return sorted(
      (
        await Promise.all(
          lanesOf(
            scan,
            Array.from({ length: scan.lanes }, (_, lane) => lane),
          ),
        )
      ).flat(),
    );
  }),
  operation('list by id', fc.record({ ids: fc.uniqueArray(eventId), isQuarantined: fc.boolean() }), (deps, given) =>
    readEventsById(deps, given.ids, given).readPage(0, undefined),
  ),
  operation('list bodies', pageSize, async (deps, size) => {
    const bodies = createEventBodies({ ...deps, pageSize: size });
    const segments = Array.from({ length: bodies.lanes }, (_, segment) =>
      walk<string>(async (after) => {
        const { events, next } = await bodies.readPage(segment, after);
        return { items: events.map(withBytes), next };
      }),
    );
    return sorted((await Promise.all(segments)).flat());
  }),
);

function lanesOf(scan: ReturnType<typeof scanAllEvents>, lanes: readonly number[]) {
  type Position = Parameters<typeof scan.readPage>[1];
  return lanes.map((lane) =>
    walk<NonNullable<Position>>(async (after) => {
      const { events, next } = await scan.readPage(lane, after);
      return { items: events, next };
    }).then(sorted),
  );
}

const externalIds = ['anna', 'ben', 'cleo'];
const externalId = fc.constantFrom(...externalIds);
const word = fc.constantFrom('v', 'w');

const onOnboardings = fc.oneof(
  operation('create', externalId, (deps, name) => createOnboardingStore(deps).create(sampleOnboarding(name))),
  operation(
    'save',
    fc.record({ name: externalId, ahead: fc.constantFrom(1, 1, 1, 2), due: optional(hour), word: optional(word) }),
    async (deps, { name, ahead, due, word: id }) => {
      const store = createOnboardingStore(deps);
      const row = await store.load(onboardingIdOf(name));
      if (row === undefined || isErased(row)) return 'none';
      const state = {
        ...row.state,
        // No two are due at the same time: their order would not be known.
        dueOn: due === undefined ? undefined : timeAt(due + externalIds.indexOf(name) / 10),
        naturalPersonId: `person of ${name}`,
        identificationVerificationId: id && `${id} of ${name}`,
        formerVerificationIds: id === undefined ? undefined : [`former ${id}`],
      };
      return store.save({ ...row, version: row.version + ahead, state });
    },
  ),
  operation('load', externalId, (deps, name) => createOnboardingStore(deps).load(onboardingIdOf(name))),
  operation('erase', fc.record({ name: externalId, isStale: fc.boolean() }), async (deps, { name, isStale }) => {
    const store = createOnboardingStore(deps);
    const row = await store.load(onboardingIdOf(name));
    const read = row === undefined || isErased(row) ? undefined : row;
    return store.erase(onboardingIdOf(name), read && { ...read, version: read.version - Number(isStale) });
  }),
  operation('find', fc.record({ name: externalId, word }), async (deps, { name, word: id }) => {
    const store = createOnboardingStore(deps);
    return [await store.findByPerson(`person of ${name}`), await store.findByVerification(`${id} of ${name}`)];
  }),
  operation('list what is due', fc.record({ by: hour, most: pageSize }), async (deps, { by, most }) =>
    sorted(
      await walk<DuePosition>(async (start) => {
        const options = { by: new Date(startAt + by * 3_600_000), most, start };
        const { onboardingIds, next } = await createOnboardingStore(deps).listDue(dueShard, options);
        return { items: onboardingIds, next };
      }),
    ),
  ),
  operation('list verifications', pageSize, async (deps, most) =>
    sorted(await walk<ListingStart>((start) => createOnboardingVerifications(deps).list({ start, most }))),
  ),
);

const kind = fc.constantFrom('order' as const, 'natural-person' as const);
const entityId = fc.constantFrom('x', 'y');
const status = fc.constantFrom('RECEIVED', 'PENDING', 'COMPLETED', 'ACTIVE', 'CREATED');
const entitiesOf = (deps: Deps) =>
  createEntityStore({ rules: entityRules, ...deps, random: () => 0, wait: () => Promise.resolve() });

const onEntities = fc.oneof(
  operation(
    'apply',
    fc.record({
      kind,
      id: entityId,
      event: fc.integer({ min: 0, max: 20 }),
      status,
      at: hour,
      modifiedAt: optional(hour),
    }),
    (deps, { event, at, status, modifiedAt, ...key }) =>
      entitiesOf(deps).apply({
        ...key,
        eventId: `event-${event}`,
        receivedOn: timeAt(at),
        report: { status, ...(modifiedAt !== undefined && { modifiedOn: timeAt(modifiedAt) }) },
      }),
  ),
  operation(
    'apply several',
    fc.array(fc.record({ kind, id: entityId, event: fc.integer({ min: 0, max: 20 }), status, at: hour }), {
      minLength: 1,
      maxLength: 5,
    }),
    async (deps, several) => {
      const events = several.map(({ event, at, status: said, ...key }) => ({
        ...key,
        eventId: `event-${event}`,
        receivedOn: timeAt(at),
        report: { status: said, modifiedOn: timeAt(at) },
      }));
      const answerOf = await entitiesOf(deps).applyAll(events);
      return Promise.all(events.map(answerOf));
    },
  ),
  operation(
    'find what is erased',
    fc.array(fc.record({ kind, id: entityId }), { maxLength: 6 }),
    async (deps, keys) => {
      const { dynamodb, tableName } = deps;
      const batchGet = createBatchGet({ dynamodb, random: () => 0, wait: () => Promise.resolve() });
      const tables = { entitiesTable: tableName, onboardingsTable: 'none' };
      const all = keys.map((key) => ({ entities: [key], onboardingIds: [] }));
      return all.map(await createFindErased({ batchGet, ...tables })(all));
    },
  ),
  operation('look', fc.record({ kind, id: entityId }), async (deps, key) => {
    const store = entitiesOf(deps);
    return [await store.read(key), await store.isErased(key), await store.timeline(key)];
  }),
  operation('erase', fc.record({ kind, id: entityId }), async (deps, key) => {
    const erased: string[] = [];
    await entitiesOf(deps).erase(key, async (ids) => void erased.push(...ids));
    return sorted(erased);
  }),
  operation('list what is due', fc.record({ lane: fc.constantFrom(...dueLanes), at: hour, pageSize }), (deps, given) =>
    readParts(entityShards, (from) =>
      createDueEntities(deps).list(given.lane, timeAt(given.at), { from, most: given.pageSize }),
    ),
  ),
  operation('list what has no place', pageSize, (deps, most) =>
    readParts(tableSegments, (from) => createDueEntities(deps).listUnplaced({ from, most })),
  ),
  operation(
    'place',
    fc.record({
      kind,
      id: entityId,
      lane: optional(fc.constantFrom(...dueLanes)),
      at: hour,
      isOvertaken: fc.boolean(),
    }),
    async (deps, { lane, at, isOvertaken, ...key }) => {
      const { load, place } = createDueEntities(deps);
      const row = await load(key);
      if (row === undefined) return undefined;
      const version = row.version + Number(isOvertaken);
      return place({ key, row: { ...row, version } }, lane && { lane, since: timeAt(at) });
    },
  ),
);

const progress = z.object({ page: z.optional(z.number()) });
const checkpointOf = ({ dynamodb, tableName }: Deps, job: string) =>
  createCheckpoint({ dynamodb, tableName, job, schema: progress });

const onCheckpoints = operation(
  'save',
  fc.record({ job: fc.constantFrom('drain', 'reconcile'), page: hour, isOvertaken: fc.boolean() }),
  async (deps, { job, page, isOvertaken }) => {
    const journal = await checkpointOf(deps, job).open();
    const before = { ...journal.progress };
    if (isOvertaken) await (await checkpointOf(deps, job).open()).save({ page: page + 100 });
    await journal.save({ page });
    return [before, journal.progress];
  },
);

const sorted = <Item>(items: readonly Item[]): readonly Item[] =>
  items.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1));

const textOf = (value: unknown): string => JSON.stringify(value) ?? '';

async function answerTo({ perform }: Operation, deps: Deps): Promise<object> {
  return perform(deps).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error: error instanceof Error ? error.name : String(error) }),
  );
}

async function empty({ dynamodb, tableName: TableName }: Deps, keys: readonly string[]): Promise<void> {
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName }));
  for (const item of Items) {
    const Key = Object.fromEntries(Object.entries(item).filter(([name]) => keys.includes(name)));
    await dynamodb.send(new DeleteItemCommand({ TableName, Key }));
  }
}

describe('the product on the simulated DynamoDB beside dynalite', { timeout: 300_000 }, () => {
  it.each<readonly [TableName, fc.Arbitrary<Operation>, readonly string[]]>([
    ['events', onEvents, [eventKeys.partition]],
    ['onboardings', onOnboardings, [onboardingKeys.partition]],
    ['entities', onEntities, [entityKeys.partition, entityKeys.sort]],
    ['checkpoints', onCheckpoints, ['job']],
  ])('answers like dynalite to every product operation on %s', async (table, operations, keys) => {
    const tableName = emulators.tableNameOf(table);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(operations, hoursBetween), { maxLength: 30, size: 'max' }), async (steps) => {
        let time = startAt;
        const now = () => new Date(time);
        const { perform } = createDynamoDb({ [tableName]: simulatedTables[table] });
        const simulated = { send: async (command: Command) => perform(command) } as unknown as DynamoDBClient;
        const emulated = { dynamodb: emulators.dynamodb, tableName, now };
        await empty(emulated, keys);
        for (const [step, passed] of steps) {
          time += passed * 3_600_000;
          const answer = await answerTo(step, { dynamodb: simulated, tableName, now });
          expect({ what: step.what, ...answer }).toEqual({
            what: step.what,
            ...(await answerTo(step, emulated)),
          });
        }
      }),
      { numRuns: size(12, 60) },
    );
  });
});
