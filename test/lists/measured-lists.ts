import { createHash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Position } from '#shared/aws/list/merge-lanes.ts';
import type { ListPage } from '#shared/aws/list/read-list.ts';
import { createListEntities } from '#shared/entities/entity-list.ts';
import { entityKeys, writeState } from '#shared/entities/entity-row.ts';
import { emptyEntityState } from '#shared/entities/merge/entity-state.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { createListAllEvents, createListQuarantined } from '#shared/events/event-list.ts';
import { eventKeys, newEventRow } from '#shared/events/event-row.ts';
import { listLaneOf, onboardingKeys } from '#shared/onboarding/onboarding-keys.ts';
import { createListOnboardings } from '#shared/onboarding/onboarding-list.ts';
import { writeOnboarding } from '#shared/onboarding/onboarding-row.ts';
import { newOnboarding } from '#shared/onboarding/onboarding-state.ts';
import { onboardingStepWords } from '#shared/onboarding/onboarding-steps.ts';
import { eventTypes } from '#shared/platform/profile/event-type.ts';
import { createMemoryIndex, type QueryCount } from './memory-index.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const now = () => new Date(start);
const expiresAt = start / 1_000 + 86_400;
const tableName = 'measured';

/** A list over many rows: reads a page, and counts what its queries take. */
export type MeasuredList = {
  readonly name: string;
  readonly count: QueryCount;
  readonly readPage: (after: Position | undefined) => Promise<ListPage<unknown>>;
};

type Item = Readonly<Record<string, AttributeValue>>;

const idOf = (row: number) => createHash('sha256').update(String(row)).digest('hex');
/** A row every 2.6 seconds, which is a million in 30 days. */
const timeOf = (row: number) => new Date(start - row * 2_592).toISOString();
/** Half of the rows have the first word, a quarter the second, and so on. */
const skewed = <Word>(words: readonly Word[], row: number): Word | undefined =>
  words[Math.min(words.length - 1, Math.clz32(Math.imul(row + 1, 0x9e3779b1)))];

function pick(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

/** The lists of the API, each over so many rows, with pages of this size. */
export function* measuredLists(rows: number, limit: number): Generator<MeasuredList> {
  const { listed } = onboardingKeys;
  const stepOf = (row: number) =>
    skewed(['COMPLETED', 'AWAITING_VIDEO_CALL', ...onboardingStepWords] as const, row) ?? 'STOPPED';
  const onboardingItem = (row: number) => {
    const step = stepOf(row);
    const state = { ...newOnboarding('video', timeOf(row)), step, naturalPersonId: idOf(row).slice(0, 36) };
    const onboarding = { onboardingId: idOf(row), version: 9, state, data: {}, outbox: [], expiresAt };
    const digests = { salt: '', whole: '', fields: {} };
    const item = writeOnboarding({ ...onboarding, digests }, new Date(timeOf(row)));
    return pick(item, [onboardingKeys.partition, listed.partition, listed.sort, ...listed.holds]);
  };
  const tableKeyOfOnboardings = onboardingKeys.partition;
  const onboardings = createMemoryIndex(
    { ...listed, tableKey: tableKeyOfOnboardings },
    rows,
    onboardingItem,
    (row) => ({
      lane: listLaneOf(stepOf(row), idOf(row)),
      at: timeOf(row),
    }),
  );
  const listOnboardings = createListOnboardings({ ...onboardings, tableName, now });
  for (const step of [undefined, 'COMPLETED', 'STOPPED'] as const)
    yield {
      name: `GET /onboardings${step === undefined ? '' : `?step=${step}`}`,
      count: onboardings.count,
      readPage: (after) => listOnboardings({ filter: { step }, limit, after }),
    };

  const eventRow = (row: number, quarantineReason: 'NOT_JSON' | undefined) => {
    const event = { eventId: idOf(row), eventType: skewed(eventTypes, row) ?? '', quarantineReason };
    const delivery = { ...event, deliveryId: '', receivedOn: timeOf(row), deflatedBody: new Uint8Array() };
    return newEventRow(event, delivery, expiresAt, eventTypes);
  };
  const held = [eventKeys.partition, 'receivedOn', 'eventType', 'quarantineReason', 'expiresAt'];
  const tableKey = eventKeys.partition;
  const quarantined = createMemoryIndex({ ...eventKeys.quarantine, tableKey }, rows, (row) =>
    pick(eventRow(row, 'NOT_JSON'), [...held, eventKeys.quarantine.partition]),
  );
  const listQuarantined = createListQuarantined({ ...quarantined, tableName, now });
  yield {
    name: 'GET /events?quarantineReason=ANY',
    count: quarantined.count,
    readPage: (after) => listQuarantined({ filter: {}, limit, after }),
  };

  const events = createMemoryIndex({ ...eventKeys.listed, tableKey }, rows, (row) =>
    pick(eventRow(row, undefined), [...held, eventKeys.listed.partition]),
  );
  const listAllEvents = createListAllEvents({ ...events, tableName, now }, eventTypes);
  for (const eventType of [undefined, eventTypes[0], eventTypes[9]])
    yield {
      name: `GET /events${eventType === undefined ? '' : `?eventType=${eventType}`}`,
      count: events.count,
      readPage: (after) => listAllEvents({ filter: { eventType }, limit, after }),
    };
  // What drawbridge tail reads.
  const receivedFrom = new Date(start - 60_000).toISOString();
  for (const eventType of [undefined, eventTypes[9]])
    yield {
      name: `GET /events?receivedFrom=<a minute ago>${eventType === undefined ? '' : `&eventType=${eventType}`}`,
      count: events.count,
      readPage: (after) => listAllEvents({ filter: { eventType, receivedFrom }, limit, after }),
    };

  const statuses = entityRules.order.statuses.table.statuses.map(({ status }) => status).toReversed();
  const orderId = (row: number) => idOf(row).slice(0, 36);
  const entityItem = (row: number) => {
    const place = { status: skewed(statuses, row), isKnown: true, changedOn: timeOf(row) };
    const state = { version: 1, known: emptyEntityState, latest: [] };
    const view = { toReadBack: false, heardOn: undefined, modifiedOn: undefined };
    const item = writeState({ kind: 'order', id: orderId(row) }, state, view, place);
    const { partition, sort, holds } = entityKeys.listed;
    return pick(item, [entityKeys.partition, entityKeys.sort, partition, sort, ...holds]);
  };
  const keysOfEntities = { ...entityKeys.listed, tableKey: entityKeys.partition };
  const entities = createMemoryIndex(keysOfEntities, rows, entityItem, (row) => {
    const shard = createHash('sha256')
      .update(`order#${orderId(row)}`)
      .digest('hex')
      .slice(0, 1);
    return { lane: `order#${skewed(statuses, row)}#${shard}`, at: timeOf(row) };
  });
  const listEntities = createListEntities({ ...entities, tableName, rules: entityRules });
  for (const status of [undefined, statuses[0], statuses[3]])
    yield {
      name: `GET /entities/order${status === undefined ? '' : `?status=${status}`}`,
      count: entities.count,
      readPage: (after) => listEntities({ kind: 'order', filter: { status }, limit, after }),
    };
}

/** What one page took. */
export type MeasuredPage = QueryCount & {
  readonly page: number;
  readonly rows: number;
  /** The median: a collection of garbage can take longer than a page. */
  readonly milliseconds: number;
};

const measurements = 5;

/** Walks a list, and gives what these pages took: those that the list has. */
export async function measurePages(list: MeasuredList, pages: readonly number[]): Promise<readonly MeasuredPage[]> {
  const measured: MeasuredPage[] = [];
  let after: Position | undefined;
  for (let page = 1; page <= Math.max(...pages); page += 1) {
    const times: number[] = [];
    const read = async () => {
      Object.assign(list.count, { queries: 0, readUnits: 0, bytes: 0 });
      const begin = performance.now();
      const answer = await list.readPage(after);
      times.push(performance.now() - begin);
      return answer;
    };
    const { rows, next } = await read();
    if (pages.includes(page)) {
      while (times.length < measurements) await read();
      const milliseconds = times.toSorted((one, other) => one - other)[Math.floor(measurements / 2)] ?? 0;
      measured.push({ page, rows: rows.length, milliseconds, ...list.count });
    }
    if (next === undefined) break;
    after = next;
  }
  return measured;
}
