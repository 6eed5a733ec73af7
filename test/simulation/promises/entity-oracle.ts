import type { EntityKind } from '#shared/platform/event-place.ts';

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
  /** Whether the reports contradict the specification: a final status was left. Undefined where either is right. */
  readonly isContradiction: boolean | undefined;
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

/** The platform's last state, unless its word is unknown and no time says that the state is the latest. */
function expectedOfOneWay(kind: EntityKind, states: readonly PlatformState[]): readonly (string | undefined)[] {
  const last = states.at(-1);
  if (last === undefined) return [undefined];
  if (isLatestByTime(last, states)) return [last.status];
  const ends = states.flatMap(({ status }, index) => (isFinal(kind, status) && isLeft(states, index) ? [status] : []));
  // The platform left a final status, and no time says when: the specification does not say which is right.
  if (ends.length > 0 && !isUntimed(states)) return states.map(({ status }) => status);
  if (ends.length > 0) return isKnown(kind, last.status) ? [last.status, ...ends] : ends;
  if (isKnown(kind, last.status)) return [last.status];
  const known = states.findLast(({ status }) => isKnown(kind, status));
  // It ranks above the first status of an entity, and below each that can follow another one.
  if (known !== undefined && known.status !== first[kind] && isUntimed(states)) return [known.status];
  const unknown = latestReceived(states.filter(({ status }) => !isKnown(kind, status)));
  const words = unknown.map(({ status }) => status);
  return known === undefined || isUntimed(states) ? words : [...words, known.status];
}

/** Also where the platform comes back to that status later. */
const isLeft = (states: readonly PlatformState[], index: number) =>
  states.slice(index + 1).some(({ status }) => status !== states[index]?.status);

const isUntimed = (states: readonly PlatformState[]) => states.every(({ modifiedOn }) => modifiedOn === undefined);

/** Without times, the status that was first received last is the latest one. Any, where some have times. */
function latestReceived(states: readonly PlatformState[]): readonly PlatformState[] {
  if (states.some(({ modifiedOn }) => modifiedOn !== undefined)) return states;
  const latest = latestOf(states.map(({ firstReceivedOn }) => firstReceivedOn));
  return states.filter(({ firstReceivedOn }) => firstReceivedOn === latest);
}

function isLatestByTime({ modifiedOn }: PlatformState, states: readonly PlatformState[]): boolean {
  const rivals = states.filter((state) => (state.modifiedOn ?? modifiedOn) === modifiedOn);
  return modifiedOn !== undefined && rivals.length === 1;
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

/** Whether the platform said of a later time that an entity left a final status. */
function isContradiction(kind: EntityKind, states: readonly PlatformState[]): boolean | undefined {
  const ends = states.filter(({ status }) => isFinal(kind, status));
  if (ends.length === 0) return false;
  const others = (end: PlatformState) => states.filter(({ status }) => status !== end.status);
  if (ends.every((end) => others(end).length === 0)) return false;
  const isLeft = ends.some((end) =>
    others(end).some(({ modifiedOn }) => (modifiedOn ?? '') > (end.modifiedOn ?? modifiedOn ?? '')),
  );
  if (isLeft) return true;
  // Without times nobody can tell what came before what: but one final status excludes another.
  const isOnePath = ends.every(({ status }) => status === states.at(-1)?.status);
  return isOnePath ? false : undefined;
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
