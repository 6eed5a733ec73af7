import type { ApiClient } from '#cli/deployment/api-client.ts';
import { readEvent, unlessStatus } from '#cli/deployment/api-reads.ts';
import { timelinePages } from '#cli/entities/show-entity.ts';
import { type EntityKey, entityName } from '#shared/entities/entity-row.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { listReports, type Report, toReport } from './list-reports.ts';

/** The entity that an event is about, and what the event did; only the entity if `Store` has not got the event yet. */
export type EventAbout = Pick<Report, 'entity'> & Partial<Pick<Report, 'reported' | 'effect' | 'why'>>;

const concurrency = 8;

/** By event id. Null for an event about no entity. An event of which nothing is known is left out. */
export type EventAbouts = Readonly<Record<string, EventAbout | null>>;

/** What stored events are about. @throws {CommandError} */
export async function readAbouts(api: ApiClient, eventIds: readonly string[]): Promise<EventAbouts> {
  // An event can be gone since it was listed.
  const events = await mapConcurrent(eventIds, concurrency, (eventId) => unlessStatus([404], readEvent(api, eventId)));
  const placed = events.flatMap((event) => (event?.entity ? [{ eventId: event.eventId, entity: event.entity }] : []));
  const byEntity = Map.groupBy(placed, ({ entity }) => entityName(entity)).values();
  const reports = await mapConcurrent([...byEntity], concurrency, (ofEntity) => readReportsOf(api, ofEntity));
  const withoutEntity = events.flatMap((event) => (event === undefined || event.entity ? [] : [[event.eventId, null]]));
  return {
    ...Object.fromEntries(withoutEntity),
    ...Object.fromEntries([...placed, ...reports.flat()].map(({ eventId, ...about }) => [eventId, about])),
  };
}

/** The same for a reader, who may not read single events: of the entities whose status changed last. @throws {CommandError} */
export async function readLatestAbouts(api: ApiClient, eventIds: readonly string[]): Promise<EventAbouts> {
  const { reports } = await listReports(api, {});
  return Object.fromEntries(
    reports.filter(({ eventId }) => eventIds.includes(eventId)).map((report) => [report.eventId, report]),
  );
}

type Placed = { readonly eventId: string; readonly entity: EntityKey };

/** Reads the timeline of an entity until each of these events is found. */
async function readReportsOf(api: ApiClient, ofEntity: readonly Placed[]): Promise<readonly Report[]> {
  const [first] = ofEntity;
  const wanted = new Set(ofEntity.map(({ eventId }) => eventId));
  const reports: Report[] = [];
  if (first === undefined) return reports;
  const { entity } = first;
  const readPages = async () => {
    for await (const events of timelinePages(api, entity)) {
      reports.push(...events.filter(({ eventId }) => wanted.has(eventId)).map((event) => toReport(entity, event)));
      if (reports.length >= wanted.size) break;
    }
  };
  await unlessStatus([404], readPages());
  return reports;
}
