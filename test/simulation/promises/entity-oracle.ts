import { pathBetween, type Transitions } from '#sandbox/platform/core/transitions.ts';
import { orderTransitions, transactionStatusOfOrder } from '#sandbox/platform/trading/orders/order-states.ts';
import {
  transactionStatusOfTransfer,
  transferTransitions,
} from '#sandbox/platform/trading/transfers/transfer-states.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';

/**
 * The expected view of an entity, derived from its states on the platform. The oracle uses neither the state tables nor the
 * merge of the product. It is simpler than both, because it knows the order of the states on the platform.
 */

/** A state of an entity that the platform reported. */
export type PlatformState = {
  readonly status: string;
  /** The platform's time of the state; undefined for a webhook without a time. */
  readonly modifiedOn: string | undefined;
  /** The first receipt of the webhook. ISO 8601, UTC. */
  readonly firstReceivedOn: string;
  /** The last receipt; undefined of a drained webhook, of which only the platform's time is stored. */
  readonly lastReceivedOn: string | undefined;
};

/** The expected view. */
export type ExpectedView = {
  /** The allowed statuses: more than one only when the specification leaves the status open. `undefined` is "no status yet". */
  readonly statuses: readonly (string | undefined)[];
  /** Whether the entity must be read back; undefined when both are right. */
  readonly toReadBack: boolean | undefined;
  /** The receipt of the latest report that leaves the status open, 'unknown' if one was drained; undefined without one. */
  readonly openReportOn: string | undefined;
  /** Whether the reports contradict the specification: a final status was left. */
  readonly isContradiction: boolean;
};

/** The transitions of what moves one way, from the tables of the sandbox platform. */
const oneWay: Readonly<Partial<Record<EntityKind, Transitions<string>>>> = {
  order: orderTransitions,
  transfer: transferTransitions,
};

const openOf = (transitions: Transitions<string>) =>
  Object.keys(transitions).filter((from) => transitions[from]?.length);
const finalOf = (transitions: Transitions<string>) =>
  Object.keys(transitions).filter((from) => !transitions[from]?.length);

/** The open statuses of sections 3.1 to 3.4, and further observed statuses. */
const open: Readonly<Record<EntityKind, readonly string[]>> = {
  'natural-person': ['RECEIVED', 'REVIEW', 'CREATED', 'PENDING', 'ACTIVE', 'SUSPENDED', 'BLOCKED'],
  'identification-verification': ['RECEIVED', 'PENDING'],
  order: openOf(orderTransitions),
  transfer: openOf(transferTransitions),
};

const final: Readonly<Record<EntityKind, readonly string[]>> = {
  'natural-person': ['INVALID', 'REJECTED', 'DECEASED'],
  'identification-verification': ['APPROVED'],
  order: finalOf(orderTransitions),
  transfer: finalOf(transferTransitions),
};

/** The first status of an order or a transfer. */
const first: Readonly<Partial<Record<EntityKind, string>>> = { order: 'RECEIVED', transfer: 'RECEIVED' };

/** Orders and transfers move one way. Other entities can return to a status, so that only times tell the latest one. */
const movesOneWay = (kind: EntityKind) => oneWay[kind] !== undefined;

/**
 * The expected view of an entity after all reports are processed.
 *
 * @param states each state once, in the order of the platform
 */
export function expectedView(kind: EntityKind, states: readonly PlatformState[]): ExpectedView {
  const isOneWay = movesOneWay(kind);
  const untimed = states.filter(({ modifiedOn }) => modifiedOn === undefined);
  return {
    statuses: isOneWay ? expectedOfOneWay(kind, states) : expectedOfTimed(states),
    toReadBack: isOneWay ? false : untimed.length > 0 || (hasTie(states) ? undefined : false),
    openReportOn: isOneWay ? undefined : latestOf(untimed.map(({ lastReceivedOn = 'unknown' }) => lastReceivedOn)),
    isContradiction: isContradiction(kind, states),
  };
}

const isFinal = (kind: EntityKind, status: string) => final[kind].includes(status);
const isKnown = (kind: EntityKind, status: string) => open[kind].includes(status) || isFinal(kind, status);

/**
 * The platform's last state. Among states with times, the latest time decides. Otherwise the possible transitions decide: a
 * report without a time counts when its status is the last one of all.
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
 * The last of some states by the possible transitions, regardless of their times. An unknown status can only follow the first
 * status of an entity. Among several, the last is the one whose first receipt is latest. Returns several states on a tie.
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

function isBefore(kind: EntityKind, one: string, other: string): boolean {
  const path = isFinal(kind, other) ? undefined : pathBetween(oneWay[kind] ?? {}, one, other);
  return path !== undefined && path.length > 0;
}

/** The furthest states when the platform went back. Several final states exclude each other. */
function furthestOf(kind: EntityKind, states: readonly PlatformState[]): readonly PlatformState[] {
  const ends = states.filter(({ status }) => isFinal(kind, status));
  if (ends.length > 0) return ends;
  return states.filter(({ status: from }) => !states.some(({ status: to }) => isBefore(kind, from, to)));
}

/** The statuses of the latest time. The platform uses one time format, so that times sort as texts. */
function expectedOfTimed(states: readonly PlatformState[]): readonly (string | undefined)[] {
  const latest = latestOf(states.flatMap(({ modifiedOn }) => modifiedOn ?? []));
  return latest === undefined
    ? [undefined]
    : states.filter(({ modifiedOn }) => modifiedOn === latest).map(({ status }) => status);
}

function hasTie(states: readonly PlatformState[]): boolean {
  return expectedOfTimed(states).length > 1;
}

/** Whether two final statuses were reported, or a status with a later time than a final one. */
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

/** The transaction status of an order or transfer by its status (section 3.5). Undefined without one. */
export function expectedTransactionStatus(kind: EntityKind, status: string | undefined): string | undefined {
  if (!movesOneWay(kind) || status === undefined || !isKnown(kind, status)) return undefined;
  const ofKind = kind === 'order' ? transactionStatusOfOrder : transactionStatusOfTransfer;
  return new Map<string, string | undefined>(Object.entries(ofKind)).get(status) ?? 'N/A';
}
