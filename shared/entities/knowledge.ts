import * as z from 'zod/mini';
import type { EntityKind } from '#shared/platform/event-place.ts';
import { compareTimestamps, timestamp } from '#shared/platform/timestamp.ts';
import { entityRules, leavesStatusOpen } from './entity-rules.ts';
import type { Told } from './news.ts';
import { compareTexts, type Statuses } from './status-table.ts';
import { compareTimes, extremesOf, laterTime } from './times.ts';

const timedStatus = z.object({ status: z.string(), modifiedOn: timestamp });

/** All that is kept of the news about an entity. Bounded: it does not grow with the number of news. */
export const knowledge = z.object({
  /** The latest timed news. Of one instant, the highest status. */
  timed: z.optional(timedStatus),
  /** The highest status of untimed news. Of entities that are read back there is none. */
  untimed: z.optional(z.string()),
  /** What the platform answered when we asked last. */
  answer: z.optional(z.object({ status: z.string(), modifiedOn: timestamp, readOn: timestamp })),
  /**
   * Each status of which there were news, and the first and the last time that they gave for it. Words that the table does
   * not have share one place. Anomalies are derived from it.
   */
  seen: z.record(z.string(), z.array(timestamp).check(z.maxLength(2))),
  /** When the latest news arrived that leave the status open. */
  heardOn: z.optional(timestamp),
  /** Up to which of these an answer has settled it. */
  settledOn: z.optional(timestamp),
});

export type Knowledge = Readonly<z.output<typeof knowledge>>;

type Seen = Readonly<Record<string, readonly string[]>>;
type TimedStatus = z.output<typeof timedStatus>;

/** Where `seen` keeps the words that the table does not have. No status: placing takes no such character. */
export const unknownWords = '*';

export const nothingKnown: Knowledge = { seen: {} };

/** What some news tell, as knowledge: to be merged with what is known. */
export function knowledgeOf(kind: EntityKind, told: Told): Knowledge {
  const rules = entityRules[kind];
  const { status, modifiedOn } = told.news;
  const { readOn, answers } = told.readBack ?? {};
  const timed = status !== undefined && modifiedOn !== undefined ? { status, modifiedOn } : undefined;
  const times = modifiedOn === undefined ? [] : [modifiedOn];
  return {
    timed,
    untimed: timed === undefined && !rules.readsBack ? status : undefined,
    answer: timed && readOn !== undefined ? { ...timed, readOn } : undefined,
    seen: status === undefined ? {} : mergeSeen(rules.statuses, { [status]: times }),
    heardOn: leavesStatusOpen(rules, told) ? told.receivedOn : undefined,
    settledOn: timed && answers,
  };
}

/**
 * Joins what is known with what else is known. Each part is a maximum in a total order, or a pair of extremes, so that
 * merging is associative, commutative and idempotent: every order and repetition of the same news ends in the same
 * knowledge (promise 4).
 */
export function mergeKnowledge(kind: EntityKind, one: Knowledge, other: Knowledge): Knowledge {
  const { statuses } = entityRules[kind];
  const compareTimed = (a: TimedStatus, b: TimedStatus) =>
    compareTimestamps(a.modifiedOn, b.modifiedOn) ||
    statuses.compare(a.status, b.status) ||
    compareTexts(a.modifiedOn, b.modifiedOn);
  return {
    timed: higher(compareTimed, one.timed, other.timed),
    untimed: higher(statuses.compare, one.untimed, other.untimed),
    answer: higher((a, b) => compareTimes(a.readOn, b.readOn) || compareTimed(a, b), one.answer, other.answer),
    seen: mergeSeen(statuses, one.seen, other.seen),
    heardOn: laterTime(one.heardOn, other.heardOn),
    settledOn: laterTime(one.settledOn, other.settledOn),
  };
}

function higher<Value>(
  compare: (one: Value, other: Value) => number,
  one: Value | undefined,
  other: Value | undefined,
): Value | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return compare(one, other) >= 0 ? one : other;
}

/** In the order of the table, so that the same knowledge is always written as the same text. */
function mergeSeen({ table, isKnown }: Statuses, ...parts: readonly Seen[]): Record<string, string[]> {
  const entries = parts.flatMap((part) => Object.entries(part));
  const places = [...table.statuses.map(({ status }) => status), unknownWords];
  const placed = places.flatMap((place) => {
    const times = entries.filter(([status]) => (isKnown(status) ? status : unknownWords) === place);
    return times.length === 0 ? [] : [[place, extremesOf(times.flatMap(([, own]) => own))] as const];
  });
  return Object.fromEntries(placed);
}

/** Whether two pieces of knowledge are one and the same. */
export function isSameKnowledge(one: Knowledge, other: Knowledge): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
