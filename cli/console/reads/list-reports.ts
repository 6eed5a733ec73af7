import type { ApiClient } from '#cli/deployment/api-client.ts';
import { readEntities, unknownId, unlessStatus } from '#cli/deployment/api-reads.ts';
import { readTimeline } from '#cli/entities/show-entity.ts';
import type { TimelineEventAnswer } from '#shared/api/query-answers.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';
import { explainEffect } from './explain-effect.ts';

/** What an event reported about an entity, and its effect. */
export type Report = {
  readonly eventId: string;
  readonly receivedOn: string;
  readonly entity: EntityKey;
  readonly reported: string | undefined;
  readonly effect: TimelineEventAnswer['effect'];
  readonly why: string;
};

export type ReportFilter = {
  readonly kind?: EntityKey['kind'] | undefined;
  readonly id?: string | undefined;
  readonly effect?: string | undefined;
  readonly receivedFrom?: string | undefined;
  readonly receivedTo?: string | undefined;
};

/** `scope` says which timelines were read. */
export type Reports = { readonly reports: readonly Report[]; readonly scope: string };

/** Entities whose timelines are read if no id is given. Each costs a request. */
const maxEntities = 100;

const concurrency = 8;

/**
 * Lists reports by entity or effect, the latest received first. The API lists events by neither: the timelines of entities have
 * both, and no personal data.
 *
 * @throws {CommandError}
 */
export async function listReports(api: ApiClient, filter: ReportFilter): Promise<Reports> {
  const { keys, scope } = await findEntities(api, filter);
  const timelines = await mapConcurrent(keys, concurrency, (entity) => readReports(api, entity));
  const reports = timelines
    .flat()
    .filter((report) => isWanted(report, filter))
    .toSorted((one, other) => other.receivedOn.localeCompare(one.receivedOn));
  return { reports, scope };
}

async function findEntities(
  api: ApiClient,
  { kind, id }: ReportFilter,
): Promise<{ readonly keys: readonly EntityKey[]; readonly scope: string }> {
  const kinds = kind === undefined ? entityKinds : [kind];
  if (id !== undefined)
    return { keys: kinds.map((each) => ({ kind: each, id })), scope: 'Every report about the entity.' };
  const limit = Math.floor(maxEntities / kinds.length);
  const pages = await Promise.all(kinds.map((each) => readEntities(api, each, {}, limit)));
  const keys = pages.flatMap(({ items }) => items);
  const isAll = pages.every(({ hasMore }) => !hasMore);
  return {
    keys,
    scope: isAll
      ? `Reports about ${keys.length === 1 ? 'the one entity' : `all ${keys.length} entities`}.`
      : `Only reports about the ${keys.length} entities with the latest changes of status. For another entity, give its id.`,
  };
}

/** None if no webhook has reported the entity, or if the kind has no such ids. */
async function readReports(api: ApiClient, entity: EntityKey): Promise<readonly Report[]> {
  const events = await unlessStatus(unknownId, readTimeline(api, entity));
  return (events ?? []).map((event) => toReport(entity, event));
}

export function toReport({ kind, id }: EntityKey, event: TimelineEventAnswer): Report {
  const { eventId, receivedOn, status, notificationType, effect } = event;
  const reported = status ?? notificationType;
  return { eventId, receivedOn, entity: { kind, id }, reported, effect, why: explainEffect(event) };
}

function isWanted({ effect, receivedOn }: Report, filter: ReportFilter): boolean {
  const { receivedFrom = '', receivedTo } = filter;
  const isInTime = receivedOn >= receivedFrom && (receivedTo === undefined || receivedOn < receivedTo);
  return isInTime && (filter.effect === undefined || effect === filter.effect);
}
