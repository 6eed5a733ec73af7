import { toWord } from '#shared/platform/fields/received.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import type { DeclaredStatuses, PlatformProfile } from '#shared/platform/profile/profile.ts';
import type { identificationVerificationStatusWords as words } from '#shared/platform/resources/identification-verifications.ts';
import type { NaturalPersonStatus } from '#shared/platform/resources/natural-person.ts';
import {
  extendTable,
  type Statuses,
  type StatusRow,
  type StatusTable,
  statusesOf,
  type TransactionStatus,
} from './status-table.ts';

const rowOf = (status: string) => `3.3, row ${status}`;

const orderRows = [
  { status: 'RECEIVED', final: false, resting: false, meaning: 'request passed the API layer' },
  { status: 'PENDING', final: false, resting: false, meaning: 'order is queued, no trading action taken yet' },
  {
    status: 'FILLED',
    final: false,
    resting: false,
    meaning: 'fully executed at the specified or a better price; closed',
  },
  { status: 'CORRECTED', final: false, resting: true, meaning: 'a post-trade correction was applied' },
  { status: 'INVALID', final: true, meaning: 'request failed API-level validation' },
  { status: 'REJECTED', final: true, meaning: 'rejected by the exchange' },
  { status: 'SETTLED', final: true, meaning: 'all financial transactions complete; funds can now be withdrawn' },
  { status: 'CANCELED', final: true, meaning: 'canceled by user or system before being filled' },
] as const satisfies readonly StatusRow[];

export type OrderStatus = (typeof orderRows)[number]['status'];

export const orderStatusWords: readonly OrderStatus[] = orderRows.map(({ status }) => status);

/**
 * Section 3.3. FILLED → CORRECTED is legal: the row of CORRECTED names FILLED as its previous state, although the row of
 * FILLED does not name CORRECTED as a next one.
 */
const orderTable: StatusTable<OrderStatus> = {
  title: 'Order',
  section: '3.3',
  statuses: orderRows,
  transitions: [
    { from: '(none)', to: 'RECEIVED', source: '3.3, flow rule 1' },
    { from: 'RECEIVED', to: 'PENDING', source: 'not stated: what passed the API layer is queued' },
    { from: 'RECEIVED', to: 'INVALID', source: 'not stated: what came in fails validation' },
    { from: 'PENDING', to: 'FILLED', source: rowOf('PENDING') },
    { from: 'PENDING', to: 'CANCELED', source: rowOf('PENDING') },
    { from: 'PENDING', to: 'REJECTED', source: rowOf('PENDING') },
    { from: 'FILLED', to: 'SETTLED', source: rowOf('FILLED') },
    { from: 'FILLED', to: 'CORRECTED', source: rowOf('CORRECTED') },
    { from: 'CORRECTED', to: 'CANCELED', source: rowOf('CORRECTED') },
  ],
};

const orderStatuses = statusesOf(orderTable);

/** Section 3.5, its first table. */
export const transactionStatusOfOrder: Readonly<Record<OrderStatus, TransactionStatus>> = {
  RECEIVED: 'N/A',
  INVALID: 'N/A',
  PENDING: 'N/A',
  CANCELED: 'N/A',
  REJECTED: 'N/A',
  FILLED: 'COMPLETED',
  CORRECTED: 'MODIFIED',
  SETTLED: 'COMPLETED',
};

const transferRows = [
  { status: 'RECEIVED', final: false, resting: false, meaning: 'passed the API layer' },
  { status: 'PENDING', final: false, resting: false, meaning: 'created, checks or operations still running' },
  { status: 'INVALID', final: true, meaning: 'failed validation' },
  { status: 'REJECTED', final: true, meaning: 'check the error codes' },
  { status: 'PROCESSED', final: true, meaning: 'successfully processed' },
] as const satisfies readonly StatusRow[];

export type TransferStatus = (typeof transferRows)[number]['status'];

/** Section 3.4. */
const transferTable: StatusTable<TransferStatus> = {
  title: 'Transfer',
  section: '3.4',
  statuses: transferRows,
  transitions: [
    { from: '(none)', to: 'RECEIVED', source: '3.4, outgoing transfer accepted' },
    { from: 'RECEIVED', to: 'PENDING', source: '3.4, balance sufficient' },
    { from: 'PENDING', to: 'PROCESSED', source: '3.4, transfer completed' },
    { from: 'RECEIVED', to: 'REJECTED', source: '3.4, insufficient balance' },
    { from: '(none)', to: 'PROCESSED', source: '3.4, incoming payment notification' },
    { from: 'RECEIVED', to: 'INVALID', source: 'not shown in 3.4: what came in fails validation' },
  ],
};

const transferStatuses = statusesOf(transferTable);

/** Section 3.5, its second table. */
export const transactionStatusOfTransfer: Readonly<Record<TransferStatus, TransactionStatus>> = {
  RECEIVED: 'N/A',
  INVALID: 'N/A',
  PENDING: 'N/A',
  REJECTED: 'N/A',
  PROCESSED: 'COMPLETED',
};

const personSeen = 'not shown in 3.1: seen';
const personAssumed = 'not shown in 3.1: assumed';

/**
 * Section 3.1 names four states and no transitions: those here were seen on the platform, or are assumed. ACTIVE,
 * SUSPENDED and BLOCKED can all come back.
 */
const personTable: StatusTable<NaturalPersonStatus> = {
  title: 'Natural person',
  section: '3.1',
  statuses: [
    { status: 'RECEIVED', final: false, resting: false, meaning: 'observed' },
    { status: 'REVIEW', final: false, resting: false, meaning: 'observed' },
    { status: 'CREATED', final: false, resting: true, meaning: 'not accepted as a requestor' },
    { status: 'PENDING', final: false, resting: false, meaning: 'observed' },
    { status: 'ACTIVE', final: false, resting: true, meaning: 'accepted as a requestor' },
    { status: 'SUSPENDED', final: false, resting: true, meaning: 'not accepted as a requestor' },
    { status: 'BLOCKED', final: false, resting: true, meaning: 'not accepted as a requestor' },
    { status: 'INVALID', final: true, meaning: 'observed' },
    { status: 'REJECTED', final: true, meaning: 'observed' },
    { status: 'DECEASED', final: true, meaning: 'observed' },
  ],
  transitions: [
    { from: '(none)', to: 'RECEIVED', source: personSeen },
    { from: 'RECEIVED', to: 'CREATED', source: personSeen },
    { from: 'RECEIVED', to: 'INVALID', source: personSeen },
    { from: 'RECEIVED', to: 'REVIEW', source: personSeen },
    { from: 'RECEIVED', to: 'REJECTED', source: personSeen },
    { from: 'REVIEW', to: 'CREATED', source: personSeen },
    { from: 'REVIEW', to: 'REJECTED', source: personSeen },
    { from: 'CREATED', to: 'PENDING', source: personSeen },
    { from: 'PENDING', to: 'ACTIVE', source: personSeen },
    { from: 'ACTIVE', to: 'SUSPENDED', source: personAssumed },
    { from: 'SUSPENDED', to: 'ACTIVE', source: personAssumed },
    { from: 'ACTIVE', to: 'BLOCKED', source: personAssumed },
    { from: 'BLOCKED', to: 'ACTIVE', source: personAssumed },
    { from: 'SUSPENDED', to: 'BLOCKED', source: personAssumed },
    { from: 'BLOCKED', to: 'SUSPENDED', source: personAssumed },
    { from: 'CREATED', to: 'DECEASED', source: personAssumed },
    { from: 'PENDING', to: 'DECEASED', source: personAssumed },
    { from: 'ACTIVE', to: 'DECEASED', source: personAssumed },
    { from: 'SUSPENDED', to: 'DECEASED', source: personAssumed },
    { from: 'BLOCKED', to: 'DECEASED', source: personAssumed },
  ],
};

const naturalPersonStatuses = statusesOf(personTable);

const verificationSeen = 'not shown in 3.2: seen';

/** Section 3.2 observed RECEIVED, and shows nothing else. The words for failure are not known: they are kept as they come. */
const verificationTable: StatusTable<(typeof words)[number]> = {
  title: 'Identification verification',
  section: '3.2',
  statuses: [
    { status: 'RECEIVED', final: false, resting: false, meaning: 'observed' },
    { status: 'PENDING', final: false, resting: false, meaning: 'observed' },
    { status: 'APPROVED', final: true, meaning: 'observed' },
  ],
  transitions: [
    { from: '(none)', to: 'RECEIVED', source: verificationSeen },
    { from: 'RECEIVED', to: 'PENDING', source: verificationSeen },
    { from: 'PENDING', to: 'APPROVED', source: verificationSeen },
  ],
};

/** A status of section 3, of an entity of any kind. */
export type KnownStatus = OrderStatus | TransferStatus | NaturalPersonStatus | (typeof words)[number];

const identificationVerificationStatuses = statusesOf(verificationTable);

/** Persons and verifications have no transactions. */
const transactionStatuses: Readonly<Partial<Record<EntityKind, ReadonlyMap<string | undefined, TransactionStatus>>>> = {
  order: new Map(Object.entries(transactionStatusOfOrder)),
  transfer: new Map(Object.entries(transactionStatusOfTransfer)),
};

/**
 * The transaction status of an order or a transfer (section 3.5). Derived from its status each time, never stored.
 *
 * @returns undefined for what has no transactions, and for a status that section 3.5 does not map
 */
export function transactionStatusOf(kind: EntityKind, status: string | undefined): TransactionStatus | undefined {
  return transactionStatuses[kind]?.get(status);
}

/** What holds for all entities of a kind. */
export type EntityRules = {
  readonly kind: EntityKind;
  readonly statuses: Statuses;
  /**
   * Whether a report that leaves the status open (without a time, or without a status) is settled by reading the entity from
   * the platform. A person's states can come back, and what ends a verification is not known, so that no order of statuses
   * shows which is the latest. Orders and transfers move one way.
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

/** The rules with only the statuses of section 3. */
export const entityRules: RulesByKind = rulesWith({});

/** What of the profile declares words of statuses. */
export type StatusProfile = Partial<Pick<PlatformProfile, 'statuses' | 'verificationWords'>>;

/** Whether section 3 or the profile has this status of a kind. */
export function isKnownStatus(
  kind: EntityKind,
  { statuses, verificationWords }: StatusProfile,
  status: string,
): boolean {
  if (entityRules[kind].statuses.isKnown(status)) return true;
  if (statuses?.[kind]?.some((declared) => declared.status === status) === true) return true;
  const { success = [], failure = [], waiting = [] } = verificationWords ?? {};
  return kind === 'identification-verification' && [...success, ...failure, ...waiting].includes(status);
}

/** Reads a status as a word, by {@link toWord}. Spaces become underscores only in known statuses, since any other text could be a name. */
export function toStatus(kind: EntityKind, profile: StatusProfile, value: unknown): unknown {
  return toWord(value, (word) => isKnownStatus(kind, profile, word));
}

/** The same for a status that the client has read. */
export function readStatus(
  kind: EntityKind,
  profile: StatusProfile,
  value: string | null | undefined,
): string | undefined {
  const status = toStatus(kind, profile, value);
  return typeof status === 'string' ? status : undefined;
}
