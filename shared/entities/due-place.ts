import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import type { EntityView } from './merge/entity-view.ts';
import { laterTime } from './merge/report-times.ts';
import type { EntityRules } from './statuses/entity-rules.ts';

/**
 * The parts of the index of due entities, each with an order and a pace of its own:
 * - `marked`: entities that must be read back, since a report left the status open;
 * - `open`: entities that expect a report and can be read from the platform;
 * - `order`: orders that expect a report, which no operation of the platform reads;
 * - `stale`: entities of `open` that were read for long enough, and had no report.
 */
export const dueLanes = ['marked', 'open', 'order', 'stale'] as const;

export type DueLane = (typeof dueLanes)[number];

/**
 * Where an entity is in the index. `since` orders a lane: when the last report came, or from when on an entity that was asked for
 * counts as silent. No setting is in it: `reconcile` adds its hours when it asks.
 */
export type DuePlace = { readonly lane: DueLane; readonly since: string };

/** An event of an entity, of which the time of its receipt counts. */
type Received = { readonly receivedOn: string };

/** In milliseconds. Reports within a quarter of an hour leave the key as it is: most entities are settled by then, and the index is not written. */
const precision = 15 * 60_000;

/** A time as the index has it: ISO 8601, UTC, not later than the time itself, so that no entity is asked for late. */
export function dueTime(time: number): string {
  return new Date(Math.floor(time / precision) * precision).toISOString();
}

const laneOfKind = {
  'natural-person': 'open',
  'identification-verification': 'open',
  order: 'order',
  transfer: 'open',
} as const satisfies Record<EntityKind, DueLane>;

/** The place of an entity after a report; undefined where no further report is expected. */
export function duePlaceOf(
  rules: EntityRules,
  { status, toReadBack, heardOn }: Pick<EntityView, 'status' | 'toReadBack' | 'heardOn'>,
  latest: readonly Received[],
): DuePlace | undefined {
  const since = (toReadBack ? heardOn : undefined) ?? lastReportOn(latest);
  if (since === undefined || !(toReadBack || expectsReport(rules, status))) return undefined;
  return { lane: toReadBack ? 'marked' : laneOfKind[rules.kind], since: dueTime(Date.parse(since)) };
}

/**
 * Whether another report about an entity of this status is expected within some time. Not for a word that the tables of section 3
 * do not have: that word could be final, such as the word for a verification that has failed.
 */
export function expectsReport({ statuses }: EntityRules, status: string | undefined): boolean {
  if (status === undefined) return true;
  return statuses.isKnown(status) && !statuses.isFinal(status) && !statuses.isResting(status);
}

/** Whether no further report about an entity of this status can come. */
export function isOver({ statuses }: EntityRules, status: string | undefined): boolean {
  return status !== undefined && statuses.isKnown(status) && statuses.isFinal(status);
}

/** When the last report came, of an entity's latest events. */
export function lastReportOn(latest: readonly Received[]): string | undefined {
  return latest.reduce<string | undefined>((last, { receivedOn }) => laterTime(last, receivedOn), undefined);
}
