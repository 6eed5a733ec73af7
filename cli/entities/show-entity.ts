import { requestPath } from '#cli/command/request-url.ts';
import type { ApiClient } from '#cli/deployment/api-client.ts';
import { formatColumns, formatFields, type Width } from '#cli/output/format-columns.ts';
import { describeComparison } from '#cli/reconcile/compare-with-platform.ts';
import {
  type EntityAnswer,
  entityAnswer,
  type TimelineAnswer,
  type TimelineEventAnswer,
  timelineAnswer,
} from '#shared/api/query-answers.ts';
import type { EntityComparison } from '#shared/api/reconcile-answers.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';

/** An entity, with its events if they were asked for. */
export type ShownEntity = EntityAnswer & { readonly events?: readonly TimelineEventAnswer[] };

/** Reads an entity, and the whole of its timeline if that is asked for. @throws {CommandError} */
export async function readEntity(api: ApiClient, key: EntityKey, hasTimeline = false): Promise<ShownEntity> {
  const path = requestPath`/entities/${key.kind}/${key.id}`;
  const entity = await api.send({ method: 'GET', path }, entityAnswer);
  return hasTimeline ? { ...entity, events: await readTimeline(api, key) } : entity;
}

/** The whole timeline of an entity. @throws {CommandError} */
export async function readTimeline(api: ApiClient, key: EntityKey): Promise<readonly TimelineEventAnswer[]> {
  return (await Array.fromAsync(timelinePages(api, key))).flat();
}

/** The timeline of an entity, page by page. @throws {CommandError} */
export async function* timelinePages(
  api: ApiClient,
  { kind, id }: EntityKey,
): AsyncGenerator<readonly TimelineEventAnswer[]> {
  let cursor: string | undefined;
  do {
    const path = requestPath`/entities/${kind}/${id}/timeline`;
    const page: TimelineAnswer = await api.send({ method: 'GET', path, query: { cursor } }, timelineAnswer);
    yield page.events;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** An entity for people: its state, what to do about it, what the platform says, and its events. */
export function formatEntity(
  { anomalies, remedies, events, comparison, ...entity }: ShownEntity & { readonly comparison?: EntityComparison },
  width: Width,
): string {
  const fields = formatFields([
    [entity.kind, entity.id],
    ['status', entity.status ?? 'unknown'],
    ['transaction status', entity.transactionStatus],
    ['reasons', entity.reasonCodes?.join(', ')],
    ['modified on', entity.modifiedOn],
    ['sequence', entity.sequence],
    ['to be read back', entity.toReadBack ? 'yes: drawbridge reconcile repair' : undefined],
  ]);
  return [
    fields,
    ...(anomalies.length === 0
      ? []
      : [`Anomalies: ${anomalies.join(', ')}`, ...remedies.map((remedy) => `- ${remedy}`)]),
    ...(comparison === undefined ? [] : [formatComparison(comparison, width)]),
    ...(events === undefined ? [] : [formatTimeline(events, width)]),
  ].join('\n\n');
}

function formatTimeline(events: readonly TimelineEventAnswer[], width: Width): string {
  const rows = events.map(({ eventId, receivedOn, status, notificationType, reasonCodes, effect, change }) => [
    eventId,
    receivedOn,
    [status ?? notificationType, ...(reasonCodes ?? [])].filter((part) => part !== undefined).join(' '),
    effect,
    change?.status === undefined ? undefined : `${change.statusBefore ?? 'unknown'} → ${change.status}`,
  ]);
  return formatColumns(['event id', 'received', 'reported', 'effect', 'change'], rows, width);
}

function formatComparison(comparison: EntityComparison, width: Width): string {
  const { ours, platform, readOn } = comparison;
  const theirs = typeof platform === 'string' ? undefined : platform;
  const rows = [
    ['here', ours?.status, ours?.modifiedOn],
    ['the platform', theirs?.status ?? String(platform), theirs?.modifiedOn],
  ];
  return [
    formatColumns([`read on ${readOn}`, 'status', 'modified'], rows, width),
    '',
    describeComparison(comparison),
  ].join('\n');
}
