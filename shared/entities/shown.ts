import type { EntityKind } from '#shared/platform/event-place.ts';
import { compareTimestamps } from '#shared/platform/timestamp.ts';
import { findAnomalies } from './anomalies.ts';
import { entityRules } from './entity-rules.ts';
import { type Knowledge, unknownWords } from './knowledge.ts';
import type { Statuses } from './status-table.ts';
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

export function show(kind: EntityKind, known: Knowledge): Shown {
  const { statuses } = entityRules[kind];
  const { status, modifiedOn } = decide(statuses, known);
  return {
    status,
    modifiedOn,
    transactionStatus: transactionStatusOf(kind, status),
    anomalies: findAnomalies(statuses, known),
    toReadBack: isToReadBack(kind, known),
    heardOn: known.heardOn,
  };
}

type Decided = { readonly status: string | undefined; readonly modifiedOn: string | undefined };

/** Of what timed and untimed news say, the higher-ranked. */
function decide(statuses: Statuses, known: Knowledge): Decided {
  const { status, modifiedOn } = settleTie(statuses, known) ?? { status: undefined, modifiedOn: undefined };
  const { untimed } = known;
  if (untimed === undefined) return { status, modifiedOn };
  if (status !== undefined && statuses.compare(status, untimed) >= 0) return { status, modifiedOn };
  return { status: untimed, modifiedOn: undefined };
}

/**
 * The latest timed news. Where statuses of one instant can follow each other either way, no order of ours tells which is
 * the latest, but the platform's answer of that instant does. It never overrules a final status, which nothing follows.
 */
function settleTie({ reaches }: Statuses, { timed, answer }: Knowledge): Knowledge['timed'] {
  if (timed === undefined || answer === undefined) return timed;
  const isOfThatInstant = compareTimestamps(timed.modifiedOn, answer.modifiedOn) === 0;
  return isOfThatInstant && reaches(timed.status, answer.status) ? answer : timed;
}

function isToReadBack(kind: EntityKind, known: Knowledge): boolean {
  const { statuses, readsBack } = entityRules[kind];
  const { heardOn, settledOn } = known;
  if (!readsBack) return false;
  if (heardOn !== undefined && (settledOn === undefined || compareTimestamps(heardOn, settledOn) > 0)) return true;
  return isTie(statuses, known);
}

/** Whether the latest timed news are of one instant and could be in either order, and the platform was not asked since. */
function isTie({ isKnown, reaches }: Statuses, { timed, answer, seen }: Knowledge): boolean {
  if (timed === undefined) return false;
  const own = isKnown(timed.status) ? timed.status : unknownWords;
  const isOfThatInstant = (time: string | undefined) =>
    time !== undefined && compareTimestamps(time, timed.modifiedOn) === 0;
  if (isOfThatInstant(answer?.modifiedOn)) return false;
  const rivals = Object.entries(seen).filter(
    ([status, times]) => status !== own && isOfThatInstant(times.at(-1)) && reaches(timed.status, status),
  );
  return rivals.length > 0;
}
