import { compareTimestamps } from '#shared/platform/timestamp.ts';
import { findAnomalies } from './anomalies.ts';
import type { EntityRules } from './entity-rules.ts';
import { type Knowledge, type TimedStatus, timedStatuses } from './knowledge.ts';
import { compareTexts, type Statuses } from './status-table.ts';
import { compareTimes } from './times.ts';
import { type TransactionStatus, transactionStatusOf } from './transaction-status.ts';

/** An entity as it is shown to whoever asks: derived from what is known, each time. */
export type Shown = {
  /** Undefined while there were no news that decide it. May be a word that the specification does not have. */
  readonly status: string | undefined;
  /** When it came to have this status, as the platform wrote it. Undefined where it is known from untimed news. */
  readonly modifiedOn: string | undefined;
  readonly transactionStatus: TransactionStatus | undefined;
  /** What was seen of it that cannot all be true; see {@link findAnomalies}. */
  readonly anomalies: readonly string[];
  /** Whether the platform must be asked what the status is. */
  readonly toReadBack: boolean;
  /** When the latest news arrived that leave the status open. To be handed back with the platform's answer. */
  readonly heardOn: string | undefined;
};

export function show(rules: EntityRules, known: Knowledge): Shown {
  const { status, modifiedOn } = decide(rules, known);
  return {
    status,
    modifiedOn,
    transactionStatus: transactionStatusOf(rules.kind, status),
    anomalies: findAnomalies(rules.statuses, known),
    toReadBack: isToReadBack(rules, known),
    heardOn: known.heardOn,
  };
}

type Decided = { readonly status: string | undefined; readonly modifiedOn: string | undefined };

/**
 * The status of the latest timed news. An untimed status counts where it ranks above every timed one: any other has come
 * before one of them. Untimed news about what is read back count never.
 */
function decide({ statuses, readsBack }: EntityRules, known: Knowledge): Decided {
  const compare = (one: string, other: string) => compareStatuses(statuses, known, one, other);
  const timed = timedOf(known);
  const untimed = readsBack ? [] : Object.keys(known.seen).filter((status) => known.seen[status]?.length === 0);
  const highest = [...untimed, ...timed.map(({ status }) => status)].toSorted(compare).at(-1);
  if (highest !== undefined && untimed.includes(highest)) return { status: highest, modifiedOn: undefined };
  return settleTie(statuses, known) ?? { status: undefined, modifiedOn: undefined };
}

/** Each timed status, with its latest time. */
function timedOf({ seen, overflow }: Knowledge): readonly TimedStatus[] {
  return [...timedStatuses(Object.entries(seen)), ...(overflow ? [overflow] : [])];
}

/** Of statuses that the table does not have, the one that was first received last is the higher one. */
function compareStatuses({ compare }: Statuses, { firstReceivedOn = {} }: Knowledge, one: string, other: string) {
  const [first, second] = [one, other].map((status) => own(firstReceivedOn, status));
  return compare(one, other) || compareReceipts(first, second) || compareTexts(one, other);
}

/** What has no time was received before what has one. */
function compareReceipts(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined);
  return compareTimes(one, other);
}

/** The timed status of the latest time, and of one instant the highest. */
function latestOf(statuses: Statuses, known: Knowledge): TimedStatus | undefined {
  return timedOf(known)
    .toSorted(
      (one, other) =>
        compareTimestamps(one.modifiedOn, other.modifiedOn) ||
        compareStatuses(statuses, known, one.status, other.status),
    )
    .at(-1);
}

/**
 * The latest timed news. Where statuses of one instant can follow each other either way, no order of ours tells which is
 * the latest, but the platform's answer of that instant does. It never overrules a final status, which nothing follows.
 */
function settleTie(statuses: Statuses, known: Knowledge): TimedStatus | undefined {
  const timed = latestOf(statuses, known);
  const { answer } = known;
  if (timed === undefined || answer === undefined) return timed;
  const isOfThatInstant = compareTimestamps(timed.modifiedOn, answer.modifiedOn) === 0;
  return isOfThatInstant && statuses.reaches(timed.status, answer.status) ? answer : timed;
}

function isToReadBack({ statuses, readsBack }: EntityRules, known: Knowledge): boolean {
  const { heardOn, settledOn } = known;
  if (!readsBack) return false;
  if (heardOn !== undefined && (settledOn === undefined || compareTimestamps(heardOn, settledOn) > 0)) return true;
  return isTie(statuses, known);
}

/** Whether the latest timed news are of one instant and could be in either order, and the platform was not asked since. */
function isTie(statuses: Statuses, known: Knowledge): boolean {
  const latest = latestOf(statuses, known);
  if (latest === undefined) return false;
  const isOfThatInstant = (time: string) => compareTimestamps(time, latest.modifiedOn) === 0;
  if (known.answer !== undefined && isOfThatInstant(known.answer.modifiedOn)) return false;
  const rivals = timedOf(known).filter(
    ({ status, modifiedOn }) => status !== latest.status && isOfThatInstant(modifiedOn),
  );
  return rivals.some(({ status }) => statuses.reaches(latest.status, status));
}

/** Not what every object has, such as `constructor`: a status may be any word. */
function own(times: Readonly<Record<string, string>>, status: string): string | undefined {
  return Object.hasOwn(times, status) ? times[status] : undefined;
}
