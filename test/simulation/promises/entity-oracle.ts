import type { EntityKind } from '#shared/platform/profile/event-place.ts';

/**
 * What must be shown of an entity, by what the platform did with it. Nothing here is the product's: neither its state
 * tables nor its merge. It is simpler than both, since it knows the order in which the platform changed the entity.
 */

/** A state that the platform said an entity has. */
export type PlatformState = {
  readonly status: string;
  /** The platform's time of the state; undefined where the webhook did not carry it. */
  readonly modifiedOn: string | undefined;
  /** When the webhook was received first, and when last. ISO 8601, UTC. */
  readonly firstReceivedOn: string;
  readonly lastReceivedOn: string;
};

/** What must be shown. */
export type ExpectedView = {
  /** Any of these: more than one only where the specification does not say which. `undefined` is "no status yet". */
  readonly statuses: readonly (string | undefined)[];
  /** Whether the platform must be asked; undefined where either is right. */
  readonly toReadBack: boolean | undefined;
  /** When the latest report arrived that leaves the status open; undefined where none did. */
  readonly heardOn: string | undefined;
  /** Whether the reports contradict the specification: a final status was left. */
  readonly isContradiction: boolean;
};

/** Sections 3.1 to 3.4, and the statuses that were seen besides. */
const open: Readonly<Record<EntityKind, readonly string[]>> = {
  'natural-person': ['RECEIVED', 'REVIEW', 'CREATED', 'PENDING', 'ACTIVE', 'SUSPENDED', 'BLOCKED'],
  'identification-verification': ['RECEIVED', 'PENDING'],
  order: ['RECEIVED', 'PENDING', 'FILLED', 'CORRECTED'],
  transfer: ['RECEIVED', 'PENDING'],
};

const final: Readonly<Record<EntityKind, readonly string[]>> = {
  'natural-person': ['INVALID', 'REJECTED', 'DECEASED'],
  'identification-verification': ['APPROVED'],
  order: ['INVALID', 'REJECTED', 'SETTLED', 'CANCELED'],
  transfer: ['INVALID', 'REJECTED', 'PROCESSED'],
};

/** With what an order or a transfer begins. */
const first: Readonly<Partial<Record<EntityKind, string>>> = { order: 'RECEIVED', transfer: 'RECEIVED' };

/** Orders and transfers move one way. The states of the others can come back, so that only times tell which is the latest. */
const movesOneWay: ReadonlySet<EntityKind> = new Set<EntityKind>(['order', 'transfer']);

/**
 * What must be shown of an entity at rest.
 *
 * @param states each state once, in the order in which the platform came to it
 */
export function expectedView(kind: EntityKind, states: readonly PlatformState[]): ExpectedView {
  const isOneWay = movesOneWay.has(kind);
  const untimed = states.filter(({ modifiedOn }) => modifiedOn === undefined);
  return {
    statuses: isOneWay ? expectedOfOneWay(kind, states) : expectedOfTimed(states),
    toReadBack: isOneWay ? false : untimed.length > 0 || (hasTie(states) ? undefined : false),
    heardOn: isOneWay ? undefined : latestOf(untimed.map(({ lastReceivedOn }) => lastReceivedOn)),
    isContradiction: isContradiction(kind, states),
  };
}

const isFinal = (kind: EntityKind, status: string) => final[kind].includes(status);
const isKnown = (kind: EntityKind, status: string) => open[kind].includes(status) || isFinal(kind, status);

/**
 * The platform's last state. A time tells which state is the last one. What can follow what tells it of states without times,
 * and of states with and without: a report without a time counts where its status is the last one of all.
 */
function expectedOfOneWay(kind: EntityKind, states: readonly PlatformState[]): readonly (string | undefined)[] {
  const reports = withoutEchoes(states);
  const latest = latestOf(reports.flatMap(({ modifiedOn }) => modifiedOn ?? []));
  const timed = reports.filter((report) => isTimed(report) && report.modifiedOn === latest);
  const untimed = reports.filter((report) => !isTimed(report));
  const last = lastOf(kind, reports);
  const groups = [last.some(isTimed) ? timed : [], last.every(isTimed) ? [] : untimed];
  return reports.length === 0
    ? [undefined]
    : groups.flatMap((group) => lastOf(kind, group).map(({ status }) => status));
}

const isTimed = ({ modifiedOn }: PlatformState) => modifiedOn !== undefined;

/**
 * Without reports that have no time, of statuses that were also reported with a time. Each keeps the first receipt of its
 * status.
 */
function withoutEchoes(states: readonly PlatformState[]): readonly PlatformState[] {
  const reportsOf = (status: string) => states.filter((state) => state.status === status);
  return states
    .filter((state) => isTimed(state) || !reportsOf(state.status).some(isTimed))
    .map((state) => {
      const receipts = reportsOf(state.status).map(({ firstReceivedOn }) => firstReceivedOn);
      return { ...state, firstReceivedOn: receipts.toSorted()[0] ?? state.firstReceivedOn };
    });
}

/**
 * The last of some states by what can follow what, whatever their times. An unknown status can follow the first status of an
 * entity alone; of several, the last is the one first received last. More than one state where nothing tells which is the last.
 */
function lastOf(kind: EntityKind, states: readonly PlatformState[]): readonly PlatformState[] {
  const known = states.filter(({ status }) => isKnown(kind, status) && status !== first[kind]);
  if (known.length > 0) return hasGoneBack(kind, known) ? furthestOf(kind, known) : known.slice(-1);
  const unknown = states.filter(({ status }) => !isKnown(kind, status));
  const latest = latestOf(unknown.map(({ firstReceivedOn }) => firstReceivedOn));
  return unknown.length > 0 ? unknown.filter(({ firstReceivedOn }) => firstReceivedOn === latest) : states;
}

/** Whether a state came after a state that it cannot follow: the platform contradicts the specification. */
function hasGoneBack(kind: EntityKind, states: readonly PlatformState[]): boolean {
  return states.some(({ status: to }, index) =>
    states.slice(0, index).some(({ status: from }) => from !== to && (isFinal(kind, from) || isBefore(kind, to, from))),
  );
}

const isBefore = (kind: EntityKind, one: string, other: string) =>
  !isFinal(kind, one) && open[kind].indexOf(one) < open[kind].indexOf(other);

/** Where the platform went back, the last of its states is not the answer. Several final ones exclude each other. */
function furthestOf(kind: EntityKind, states: readonly PlatformState[]): readonly PlatformState[] {
  const ends = states.filter(({ status }) => isFinal(kind, status));
  if (ends.length > 0) return ends;
  return states.filter(({ status: from }) => !states.some(({ status: to }) => isBefore(kind, from, to)));
}

/** Those of the latest time: the platform writes all times alike, so that they sort as texts. */
function expectedOfTimed(states: readonly PlatformState[]): readonly (string | undefined)[] {
  const latest = latestOf(states.flatMap(({ modifiedOn }) => modifiedOn ?? []));
  return latest === undefined
    ? [undefined]
    : states.filter(({ modifiedOn }) => modifiedOn === latest).map(({ status }) => status);
}

function hasTie(states: readonly PlatformState[]): boolean {
  return expectedOfTimed(states).length > 1;
}

/** Whether two final statuses were reported, or a status of a later time than a final one. Without times nothing tells. */
function isContradiction(kind: EntityKind, states: readonly PlatformState[]): boolean {
  return states
    .filter(({ status }) => isFinal(kind, status))
    .some((end) =>
      states.some(
        ({ status, modifiedOn }) =>
          status !== end.status && (isFinal(kind, status) || (modifiedOn ?? '') > (end.modifiedOn ?? modifiedOn ?? '')),
      ),
    );
}

function latestOf(times: readonly string[]): string | undefined {
  return times.toSorted().at(-1);
}

/** Section 3.5: what a transaction status is, by the status of its order or transfer. Undefined where it has none. */
export function expectedTransactionStatus(kind: EntityKind, status: string | undefined): string | undefined {
  if (!movesOneWay.has(kind) || status === undefined || !isKnown(kind, status)) return undefined;
  if (status === 'CORRECTED') return 'MODIFIED';
  return ['FILLED', 'SETTLED', 'PROCESSED'].includes(status) ? 'COMPLETED' : 'N/A';
}
