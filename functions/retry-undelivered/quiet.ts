import type { RulesByKind } from '#shared/entities/entity-rules.ts';
import { laterTime } from '#shared/entities/times.ts';
import type { TimelineEntry } from '#shared/entity-row.ts';
import type { EntityKind } from '#shared/platform/event-place.ts';

/**
 * Whether news of an entity of this status should come within some time. Not of a word that the tables of section 3 do not
 * have: it may as well be the end, such as the word for a verification that has failed.
 */
export function expectsNews(rules: RulesByKind, kind: EntityKind, status: string | undefined): boolean {
  if (status === undefined) return true;
  const { statuses, resting } = rules[kind];
  return statuses.isKnown(status) && !statuses.isFinal(status) && !resting.includes(status);
}

/** Whether there can be no more news of an entity of this status. */
export function isOver(rules: RulesByKind, kind: EntityKind, status: string | undefined): boolean {
  const { isKnown, isFinal } = rules[kind].statuses;
  return status !== undefined && isKnown(status) && isFinal(status);
}

/** When the last news came, of an entity's latest events. */
export function lastNewsOn(latest: readonly Pick<TimelineEntry, 'receivedOn'>[]): string | undefined {
  return latest.reduce<string | undefined>((last, { receivedOn }) => laterTime(last, receivedOn), undefined);
}
