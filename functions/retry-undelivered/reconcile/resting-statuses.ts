import type { TimelineEntry } from '#shared/entities/entity-row.ts';
import { laterTime } from '#shared/entities/merge/report-times.ts';
import type { RulesByKind } from '#shared/entities/statuses/entity-rules.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';

/**
 * Whether another report about an entity of this status is expected within some time. Not for a word that the tables of section 3
 * do not have: that word could be final, such as the word for a verification that has failed.
 */
export function expectsReport(rules: RulesByKind, kind: EntityKind, status: string | undefined): boolean {
  if (status === undefined) return true;
  const { isKnown, isFinal, isResting } = rules[kind].statuses;
  return isKnown(status) && !isFinal(status) && !isResting(status);
}

/** Whether no further report about an entity of this status can come. */
export function isOver(rules: RulesByKind, kind: EntityKind, status: string | undefined): boolean {
  const { isKnown, isFinal } = rules[kind].statuses;
  return status !== undefined && isKnown(status) && isFinal(status);
}

/** When the last report came, of an entity's latest events. */
export function lastReportOn(latest: readonly Pick<TimelineEntry, 'receivedOn'>[]): string | undefined {
  return latest.reduce<string | undefined>((last, { receivedOn }) => laterTime(last, receivedOn), undefined);
}
