import * as z from 'zod/mini';
import { firstReasons } from '#shared/entities/reason-codes.ts';
import { type EntityRules, leavesStatusOpen } from '#shared/entities/statuses/entity-rules.ts';
import { compareTexts, type Statuses } from '#shared/entities/statuses/status-table.ts';
import { compareTimestamps, timestamp } from '#shared/platform/fields/timestamp.ts';
import { readEarlierState } from './earlier-state.ts';
import { compareTimes, earlierTime, extremesOf, laterTime } from './report-times.ts';
import type { ReceivedReport } from './status-report.ts';

const timedStatus = z.object({ status: z.string(), modifiedOn: timestamp });

const storedEntityState = z.object({
  /**
   * Each status that was reported, and the first and the last `modifiedOn` of it: none where no report had one. Statuses of
   * the table, and at most {@link maxUnknownStatuses} others.
   */
  seen: z.record(z.string(), z.array(timestamp).check(z.maxLength(2))),
  /** When each status that the table does not have was first received. It ranks such statuses among themselves. */
  firstReceivedOn: z.optional(z.record(z.string(), timestamp)),
  /** The latest timed report of the unknown statuses for which there is no room in `seen`. */
  overflow: z.optional(timedStatus),
  /** What the platform answered when we asked last. */
  answer: z.optional(z.object({ status: z.string(), modifiedOn: timestamp, readOn: timestamp })),
  /** When the latest report arrived that leaves the status open. */
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
export const maxUnknownStatuses = 8;

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
 * what would have been merged after it. Which unknown statuses have room depends on their texts alone. A status that once
 * had none never has room later, so that nothing of those that stay is ever lost.
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
