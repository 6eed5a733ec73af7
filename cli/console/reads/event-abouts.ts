import { ApiError } from '#cli/command/command-error.ts';
import { requestPath } from '#cli/command/request-url.ts';
import type { ApiClient } from '#cli/deployment/api-client.ts';
import { timelinePages } from '#cli/entities/show-entity.ts';
import { eventAnswer } from '#shared/api/query-answers.ts';
import { type EntityKey, entityName } from '#shared/entities/entity-row.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { listReports, type Report, toReport } from './list-reports.ts';

/** The entity that an event is about, and what the event did; only the entity where `Store` has not got the event yet. */
export type EventAbout = Pick<Report, 'entity'> & Partial<Pick<Report, 'reported' | 'effect' | 'why'>>;

const concurrency = 8;

/** What stored events are about. The answer leaves out events about no entity. @throws {CommandError} */
export async function readAbouts(
  api: ApiClient,
  eventIds: readonly string[],
): Promise<Readonly<Record<string, EventAbout>>> {
  const entities = await mapConcurrent(eventIds, concurrency, (eventId) => readEntityOf(api, eventId));
  const placed = eventIds.flatMap((eventId, index) => {
    const entity = entities[index];
    return entity === undefined ? [] : [{ eventId, entity }];
  });
  const byEntity = Map.groupBy(placed, ({ entity }) => entityName(entity)).values();
  const reports = await mapConcurrent([...byEntity], concurrency, (ofEntity) => readReportsOf(api, ofEntity));
  return Object.fromEntries(
    [...placed, ...reports.flat()].map(({ eventId, ...about }): [string, EventAbout] => [eventId, about]),
  );
}

/** The same for a reader, who may not read single events: of the entities whose status changed last. @throws {CommandError} */
export async function readLatestAbouts(
  api: ApiClient,
  eventIds: readonly string[],
): Promise<Readonly<Record<string, EventAbout>>> {
  const { reports } = await listReports(api, {});
  return Object.fromEntries(
    reports.filter(({ eventId }) => eventIds.includes(eventId)).map((report) => [report.eventId, report]),
  );
}

type Placed = { readonly eventId: string; readonly entity: EntityKey };

/** Without the body. An event can be gone since it was listed. */
async function readEntityOf(api: ApiClient, eventId: string): Promise<EntityKey | undefined> {
  const path = requestPath`/events/${eventId}`;
  return api.send({ method: 'GET', path, query: { body: 'omit' } }, eventAnswer).then(
    ({ entity }) => entity,
    (error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    },
  );
}

/** Reads the timeline of an entity until each of these events is found. */
async function readReportsOf(api: ApiClient, ofEntity: readonly Placed[]): Promise<readonly Report[]> {
  const [first] = ofEntity;
  const wanted = new Set(ofEntity.map(({ eventId }) => eventId));
  const reports: Report[] = [];
  if (first === undefined) return reports;
  try {
    for await (const events of timelinePages(api, first.entity)) {
      reports.push(
        ...events.filter(({ eventId }) => wanted.has(eventId)).map((event) => toReport(first.entity, event)),
      );
      if (reports.length >= wanted.size) break;
    }
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
  return reports;
}
