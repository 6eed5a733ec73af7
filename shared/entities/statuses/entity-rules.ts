import type { ReceivedReport } from '#shared/entities/merge/status-report.ts';
import type { DeclaredStatuses } from '#shared/platform/profile/declared-statuses.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import { identificationVerificationStatuses } from './identification-verification-statuses.ts';
import { naturalPersonStatuses } from './natural-person-statuses.ts';
import { orderStatuses } from './order-statuses.ts';
import { extendTable, type Statuses, statusesOf } from './status-table.ts';
import { transferStatuses } from './transfer-statuses.ts';

/** What holds for all entities of a kind. */
export type EntityRules = {
  readonly kind: EntityKind;
  readonly statuses: Statuses;
  /**
   * Whether a report that leaves the status open (without a time, or without a status) is settled by reading the entity from
   * the platform. A person's states can come back, and what ends a verification is not known, so that no order of statuses
   * tells which is the latest. Orders and transfers move one way.
   */
  readonly readsBack: boolean;
};

/** The rules of every kind, as an environment has them. */
export type RulesByKind = Readonly<Record<EntityKind, EntityRules>>;

/** What the specification says of each kind. */
const ofSpecification = {
  'natural-person': { statuses: naturalPersonStatuses, readsBack: true },
  'identification-verification': { statuses: identificationVerificationStatuses, readsBack: true },
  order: { statuses: orderStatuses, readsBack: false },
  transfer: { statuses: transferStatuses, readsBack: false },
} satisfies Record<EntityKind, Omit<EntityRules, 'kind'>>;

/** The rules with the statuses of section 3 and those that an environment declares. */
export function rulesWith(declared: DeclaredStatuses): RulesByKind {
  const rulesOf = (kind: EntityKind): EntityRules => {
    const { statuses, readsBack } = ofSpecification[kind];
    const own = declared[kind] ?? [];
    return { kind, statuses: own.length === 0 ? statuses : statusesOf(extendTable(statuses.table, own)), readsBack };
  };
  return {
    'natural-person': rulesOf('natural-person'),
    'identification-verification': rulesOf('identification-verification'),
    order: rulesOf('order'),
    transfer: rulesOf('transfer'),
  };
}

/** The rules with the statuses of section 3 alone. */
export const entityRules: RulesByKind = rulesWith({});

/** Whether the report says that something has happened, but not what the status is now: only the platform knows. */
export function leavesStatusOpen({ readsBack }: EntityRules, { report, readBack }: ReceivedReport): boolean {
  return readsBack && readBack === undefined && (report.status === undefined || report.modifiedOn === undefined);
}
