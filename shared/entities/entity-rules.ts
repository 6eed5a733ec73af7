import type { DeclaredStatuses } from '#shared/platform/declared-statuses.ts';
import type { EntityKind } from '#shared/platform/event-place.ts';
import { extendTable } from './extend-table.ts';
import { identificationVerificationStatuses } from './identification-verification-statuses.ts';
import { naturalPersonStatuses } from './natural-person-statuses.ts';
import type { Told } from './news.ts';
import { orderStatuses } from './order-statuses.ts';
import { type Statuses, statusesOf } from './status-table.ts';
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
  /** Statuses that are not final, and that an entity may keep for good all the same. */
  readonly resting: readonly string[];
};

/** The rules of every kind, as an environment has them. */
export type RulesByKind = Readonly<Record<EntityKind, EntityRules>>;

/** What the specification says of each kind. `resting` is the code's own: statuses that last without being final. */
const ofSpecification = {
  'natural-person': {
    statuses: naturalPersonStatuses,
    readsBack: true,
    resting: ['CREATED', 'ACTIVE', 'SUSPENDED', 'BLOCKED'],
  },
  'identification-verification': { statuses: identificationVerificationStatuses, readsBack: true, resting: [] },
  order: { statuses: orderStatuses, readsBack: false, resting: ['CORRECTED'] },
  transfer: { statuses: transferStatuses, readsBack: false, resting: [] },
} satisfies Record<EntityKind, Omit<EntityRules, 'kind'>>;

/** The rules with the statuses of section 3 and those that an environment declares. */
export function rulesWith(declared: DeclaredStatuses): RulesByKind {
  const rulesOf = (kind: EntityKind): EntityRules => {
    const { statuses, readsBack, resting } = ofSpecification[kind];
    const own = declared[kind] ?? [];
    if (own.length === 0) return { kind, statuses, readsBack, resting };
    const ownResting = own.filter((one) => one.resting === true).map(({ status }) => status);
    const extended = statusesOf(extendTable(statuses.table, own));
    return { kind, statuses: extended, readsBack, resting: [...resting, ...ownResting] };
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

/** Whether the news say that something has happened, but not what the status is now: only the platform can tell. */
export function leavesStatusOpen({ readsBack }: EntityRules, { news, readBack }: Told): boolean {
  return readsBack && readBack === undefined && (news.status === undefined || news.modifiedOn === undefined);
}
