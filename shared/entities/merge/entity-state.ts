import * as z from 'zod/mini';
import { firstReasons } from '#shared/entities/reason-codes.ts';
import type { EntityRules } from '#shared/entities/statuses/entity-rules.ts';
import { compareTexts, type Statuses } from '#shared/entities/statuses/status-table.ts';
import { compareTimestamps, timestamp } from '#shared/platform/fields/timestamp.ts';

/** By the instant, to the nanosecond; one instant written in two ways, as texts. So of any two the later is always the same. */
export function compareTimes(one: string, other: string): number {
  return compareTimestamps(one, other) || compareTexts(one, other);
}

/** The later of two times, either of which may be missing. */
export function laterTime(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return compareTimes(one, other) > 0 ? one : other;
}

/** The earlier of two times, of which the second may be missing. */
function earlierTime(one: string, other: string | undefined): string {
  return other === undefined || compareTimes(one, other) <= 0 ? one : other;
}

/** The first and the last of some times: none, one or two. */
export function extremesOf(times: readonly string[]): string[] {
  const sorted = times.toSorted(compareTimes);
  return [...new Set([...sorted.slice(0, 1), ...sorted.slice(-1)])];
}

type StoredStatus = { status: string; modifiedOn: string };

type StoredState = {
  seen: Record<string, string[]>;
  firstReceivedOn?: Record<string, string> | undefined;
  overflow?: StoredStatus | undefined;
  answer?: (StoredStatus & { readOn: string }) | undefined;
  heardOn?: string | undefined;
  settledOn?: string | undefined;
  reasonCodes?: Record<string, string[]> | undefined;
};

type EarlierState = StoredState & { timed?: StoredStatus | undefined; untimed?: string | undefined };

/** Where rows of an earlier release keep the times of all statuses that the table does not have. */
const unknownStatuses = '*';

/** Before any receipt: earlier releases did not keep when an unknown status was first received. */
const beforeAll = '1970-01-01T00:00:00.000Z';

/**
 * What is known, from a row of any release.
 *
 * Earlier releases kept the latest timed status and the highest untimed one beside `seen`, and no unknown status in `seen`.
 * The two may be unknown: they go where all statuses are now.
 */
function readEarlierState({ timed, untimed, ...stored }: EarlierState): StoredState {
  const { [unknownStatuses]: times = [], ...seen } = stored.seen;
  const statuses = [timed?.status, untimed].filter((status) => status !== undefined);
  const moved = statuses.filter((status) => !Object.hasOwn(seen, status));
  const isMoved = (status: string | undefined): status is string => moved.some((one) => one === status);
  const latest = times.at(-1);
  // A timed status that is moved is the latest of them.
  const isOther = latest !== undefined && !isMoved(timed?.status);
  return {
    seen: {
      ...seen,
      ...(isMoved(untimed) && { [untimed]: [] }),
      ...(timed && isMoved(timed.status) && { [timed.status]: [timed.modifiedOn] }),
    },
    firstReceivedOn: firstReceipts(stored.firstReceivedOn, moved),
    overflow: isOther ? { status: unknownStatuses, modifiedOn: latest } : stored.overflow,
    answer: stored.answer,
    heardOn: stored.heardOn,
    settledOn: stored.settledOn,
    reasonCodes: stored.reasonCodes,
  };
}

function firstReceipts(first: Record<string, string> | undefined, moved: readonly string[]) {
  if (moved.length === 0) return first;
  return { ...first, ...Object.fromEntries(moved.map((status) => [status, beforeAll])) };
}

/** What a payload says of an entity: its status, and words of the platform. Never personal data. */
export type StatusReport = {
  readonly status?: string;
  /** A `date-time` of the platform, as it was written. A report without it is untimed. */
  readonly modifiedOn?: string;
  readonly notificationType?: string;
  /** Of `validationError`. Its description may name the person: it stays in the event's body. */
  readonly errorType?: string;
  /** Codes of the platform that say why, in the order of texts; at least one. */
  readonly reasonCodes?: readonly string[];
  /** Whether the platform reports a validation error: with a status or without. */
  readonly hasValidationError?: true;
};

/** A report, and how it reached us. */
export type ReceivedReport = {
  readonly report: StatusReport;
  /** When this delivery arrived. ISO 8601, UTC. */
  readonly receivedOn: string;
  /** When the event was first received, if that was before this delivery. ISO 8601, UTC. */
  readonly firstReceivedOn?: string | undefined;
  /** Of a report that Drawbridge read from the platform, instead of receiving it. */
  readonly readBack?: ReadBack;
};

export type ReadBack = {
  /** When we asked. ISO 8601, UTC. */
  readonly readOn: string;
  /**
   * The `openReportOn` of the entity before the read: what was reported until then is settled by the answer. Not a time
   * of the reader's own, so that no two clocks are compared.
   */
  readonly answers?: string;
};

const timedStatus = z.object({ status: z.string(), modifiedOn: timestamp });

const storedEntityState = z.object({
  /**
   * Each status that was reported, and the first and the last `modifiedOn` of it: none if no report had one. Statuses of
   * the table, and at most {@link maxUnknownStatuses} others.
   */
  seen: z.record(z.string(), z.array(timestamp).check(z.maxLength(2))),
  /** When each status that the table does not have was first received. It ranks such statuses among themselves. */
  firstReceivedOn: z.optional(z.record(z.string(), timestamp)),
  /** The latest timed report of the unknown statuses for which there is no room in `seen`. */
  overflow: z.optional(timedStatus),
  /** What the platform answered when we asked last. */
  answer: z.optional(z.object({ status: z.string(), modifiedOn: timestamp, readOn: timestamp })),
  /** When the latest report arrived that leaves the status open: `openReportOn` of the view. Rows have this name. */
  heardOn: z.optional(timestamp),
  /** Up to which of these an answer has settled it. */
  settledOn: z.optional(timestamp),
  /** The codes that came with each status, at most {@link maxReasons}. */
  reasonCodes: z.optional(z.record(z.string(), z.array(z.string()))),
  /** Of rows that an earlier release wrote. */
  timed: z.optional(timedStatus),
  /** Of rows that an earlier release wrote. */
  untimed: z.optional(z.string()),
});

/** All that is kept of the reports about an entity. Bounded: it does not grow with the number of reports. */
export const entityState = z.pipe(storedEntityState, z.transform(readEarlierState));

export type EntityState = Readonly<z.output<typeof entityState>>;

export type TimedStatus = z.output<typeof timedStatus>;

type Seen = Readonly<Record<string, readonly string[]>>;
type FirstReceipts = Readonly<Record<string, string>>;
type Reasons = Readonly<Record<string, readonly string[]>>;

/** How many statuses that the table does not have are kept of an entity: the first ones in the order of texts. */
const maxUnknownStatuses = 8;

export const emptyEntityState: EntityState = { seen: {} };

/** What one report says, as a state: to be merged with what is known. */
export function entityStateOf(rules: EntityRules, received: ReceivedReport): EntityState {
  const { status, modifiedOn, reasonCodes } = received.report;
  const { readOn, answers } = received.readBack ?? {};
  const timed = status !== undefined && modifiedOn !== undefined ? { status, modifiedOn } : undefined;
  const isUnknown = status !== undefined && !rules.statuses.isKnown(status);
  return {
    seen: status === undefined ? {} : { [status]: modifiedOn === undefined ? [] : [modifiedOn] },
    firstReceivedOn: isUnknown ? { [status]: received.firstReceivedOn ?? received.receivedOn } : undefined,
    answer: timed && readOn !== undefined ? { ...timed, readOn } : undefined,
    heardOn: leavesStatusOpen(rules, received) ? received.receivedOn : undefined,
    settledOn: timed && answers,
    reasonCodes: status !== undefined && reasonCodes !== undefined ? { [status]: [...reasonCodes] } : undefined,
  };
}

/**
 * Joins what is known with what else is known. Each part is a minimum or a maximum in a total order, per status, so that
 * merging is associative, commutative and idempotent: every order and repetition of the same reports ends in the same
 * state (promise 4).
 *
 * Nothing but the bound on unknown statuses depends on the status table: what was merged before a status was declared is
 * what would have been merged after it. Which unknown statuses have room depends only on their texts. A status that
 * is left out once is left out of every later state. So all reports of the statuses that are kept are kept.
 */
export function mergeEntityStates({ statuses }: EntityRules, one: EntityState, other: EntityState): EntityState {
  const seen = mergeSeen(one.seen, other.seen);
  const crowdedOut = new Set(statusesWithoutRoom(statuses, seen));
  const hasRoom = (status: string) => !crowdedOut.has(status);
  const overflow = [one.overflow, other.overflow, ...timedStatuses(seen).filter(({ status }) => !hasRoom(status))];
  return {
    seen: Object.fromEntries(seen.filter(([status]) => hasRoom(status))),
    firstReceivedOn: mergeFirstReceipts(hasRoom, one.firstReceivedOn, other.firstReceivedOn),
    overflow: overflow.reduce((latest, next) => higher(compareAnswers, latest, next), undefined),
    answer: higher((a, b) => compareTimes(a.readOn, b.readOn) || compareAnswers(a, b), one.answer, other.answer),
    heardOn: laterTime(one.heardOn, other.heardOn),
    settledOn: laterTime(one.settledOn, other.settledOn),
    reasonCodes: mergeReasons(hasRoom, one.reasonCodes, other.reasonCodes),
  };
}

/** Each status with its latest time: none of statuses that came without a time. */
export function timedStatuses(seen: readonly (readonly [string, readonly string[]])[]): readonly TimedStatus[] {
  return seen.flatMap(([status, times]) => times.slice(-1).map((modifiedOn) => ({ status, modifiedOn })));
}

/** By time and then by texts, so that no status table decides what is kept. */
function compareAnswers(one: TimedStatus, other: TimedStatus): number {
  return (
    compareTimestamps(one.modifiedOn, other.modifiedOn) ||
    compareTexts(one.status, other.status) ||
    compareTexts(one.modifiedOn, other.modifiedOn)
  );
}

function higher<Value>(
  compare: (one: Value, other: Value) => number,
  one: Value | undefined,
  other: Value | undefined,
): Value | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return compare(one, other) >= 0 ? one : other;
}

/** In the order of texts, so that the same knowledge is always written as the same text. */
function mergeSeen(...parts: readonly Seen[]): readonly (readonly [string, string[]])[] {
  const times = Map.groupBy(
    parts.flatMap((part) => Object.entries(part)),
    ([status]) => status,
  );
  return [...times]
    .map(([status, entries]) => [status, extremesOf(entries.flatMap(([, own]) => own))] as const)
    .toSorted(([one], [other]) => compareTexts(one, other));
}

function statusesWithoutRoom({ isKnown }: Statuses, seen: readonly (readonly [string, unknown])[]): readonly string[] {
  const unknown = seen.map(([status]) => status).filter((status) => !isKnown(status));
  return unknown.slice(maxUnknownStatuses);
}

function mergeFirstReceipts(
  hasRoom: (status: string) => boolean,
  ...parts: readonly (FirstReceipts | undefined)[]
): Record<string, string> | undefined {
  const first = new Map<string, string>();
  for (const [status, time] of parts.flatMap((part) => Object.entries(part ?? {})))
    if (hasRoom(status)) first.set(status, earlierTime(time, first.get(status)));
  if (first.size === 0) return undefined;
  return Object.fromEntries([...first].toSorted(([one], [other]) => compareTexts(one, other)));
}

/** Of a union, the first so many texts: associative, commutative and idempotent. */
function mergeReasons(
  hasRoom: (status: string) => boolean,
  ...parts: readonly (Reasons | undefined)[]
): Record<string, string[]> | undefined {
  const codes = Map.groupBy(
    parts.flatMap((part) => Object.entries(part ?? {})),
    ([status]) => status,
  );
  const kept = [...codes]
    .filter(([status]) => hasRoom(status))
    .map(([status, entries]) => [status, firstReasons(entries.flatMap(([, own]) => own))] as const)
    .toSorted(([one], [other]) => compareTexts(one, other));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Whether two pieces of knowledge are one and the same. */
export function isSameEntityState(one: EntityState, other: EntityState): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether the report says that something has happened, but not what the status is now: only the platform knows. */
export function leavesStatusOpen({ readsBack }: EntityRules, { report, readBack }: ReceivedReport): boolean {
  return readsBack && readBack === undefined && (report.status === undefined || report.modifiedOn === undefined);
}
