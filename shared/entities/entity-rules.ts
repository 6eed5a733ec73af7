import type { EntityKind } from '#shared/platform/event-place.ts';
import { identificationVerificationStatuses } from './identification-verification-statuses.ts';
import { naturalPersonStatuses } from './natural-person-statuses.ts';
import type { Told } from './news.ts';
import { orderStatuses } from './order-statuses.ts';
import type { Statuses } from './status-table.ts';
import { transferStatuses } from './transfer-statuses.ts';

/** What holds for all entities of a kind. */
export type EntityRules = {
  readonly kind: EntityKind;
  readonly statuses: Statuses;
  /**
   * Whether news that leave the status open (without a time, or without a status) are settled by reading the entity from
   * the platform. A person's states can come back, and what ends a verification is not known, so that no order of statuses
   * tells which is the latest. Orders and transfers move one way.
   */
  readonly readsBack: boolean;
};

/** The rules of every kind, as an environment has them. */
export type RulesByKind = Readonly<Record<EntityKind, EntityRules>>;

/** The rules with the statuses of section 3 alone. */
export const entityRules: RulesByKind = {
  'natural-person': { kind: 'natural-person', statuses: naturalPersonStatuses, readsBack: true },
  'identification-verification': {
    kind: 'identification-verification',
    statuses: identificationVerificationStatuses,
    readsBack: true,
  },
  order: { kind: 'order', statuses: orderStatuses, readsBack: false },
  transfer: { kind: 'transfer', statuses: transferStatuses, readsBack: false },
};

/** Whether the news say that something has happened, but not what the status is now: only the platform can tell. */
export function leavesStatusOpen({ readsBack }: EntityRules, { news, readBack }: Told): boolean {
  return readsBack && readBack === undefined && (news.status === undefined || news.modifiedOn === undefined);
}
