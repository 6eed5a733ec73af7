import * as z from 'zod/mini';
import { type EntityRules, transactionStatusOf } from '#shared/entities/statuses/entity-rules.ts';
import { compareTexts, type Statuses, type TransactionStatus } from '#shared/entities/statuses/status-table.ts';
import { own } from '#shared/parse-json.ts';
import { compareTimestamps, timestamp } from '#shared/platform/fields/timestamp.ts';
import {
  compareTimes,
  type EntityState,
  emptyEntityState,
  leavesStatusOpen,
  type ReceivedReport,
  type StatusReport,
  type TimedStatus,
  timedStatuses,
} from './entity-state.ts';

/** What stands for the unknown statuses that are not kept one by one. No status: placing takes no such character. */
const otherStatuses = '*';

/**
 * Where the platform contradicts a final status, each as text: `SETTLED → PENDING` for a status that the platform dates after
 * a final one, and `REJECTED and SETTLED` for two final ones, of which one was left.
 *
 * A transition that the table does not have is not an anomaly: the platform may make it nevertheless. Statuses whose times do not
 * show their order are taken in the possible order, with the final one last.
 *
 * Anomalies are derived from the first and the last time of each status, not from the order in which the reports came, and these
 * only move apart: so the anomalies are the same for every order of the reports, and never go away.
 */
export function findAnomalies(
  { table, isKnown, isFinal }: Statuses,
  { seen, overflow }: EntityState,
): readonly string[] {
  const known = table.statuses.map(({ status }) => status).filter((status) => Object.hasOwn(seen, status));
  const unknown = Object.keys(seen).filter((status) => !isKnown(status));
  const last = new Map(timedStatuses(Object.entries(seen)).map(({ status, modifiedOn }) => [status, modifiedOn]));
  if (overflow !== undefined) last.set(otherStatuses, overflow.modifiedOn);
  const finals = known.filter(isFinal);
  const others = [...known.filter((status) => !isFinal(status)), ...unknown, otherStatuses];
  return finals.flatMap((from, index) => [
    ...finals.slice(index + 1).map((to) => `${from} and ${to}`),
    ...others.filter((to) => isBefore(seen[from]?.[0], last.get(to))).map((to) => `${from} → ${to}`),
  ]);
}

function isBefore(first: string | undefined, last: string | undefined): boolean {
  return first !== undefined && last !== undefined && compareTimestamps(first, last) < 0;
}

/** What to do in any case: the code cannot know which report is wrong. */
const askSupport =
  "Read the entity's timeline for the two events, and ask the platform's support which status holds. Act on neither until then.";

/**
 * What an operator does about each anomaly, in the same order: one or more sentences. The one home of these sentences: the
 * read API, the bus and the log take them from here.
 *
 * @param anomalies as `findAnomalies` names them
 */
export function remediesOf(anomalies: readonly string[]): string[] {
  return anomalies.map(remedyOf);
}

function remedyOf(anomaly: string): string {
  const [from, to] = anomaly.split(' → ', 2);
  if (to === undefined) return `The platform reported ${anomaly}, which exclude each other. ${askSupport}`;
  const other = to === '*' ? 'an unknown status' : to;
  return `The platform dates ${other} after ${from}, which is final. ${askSupport}`;
}

/** An entity as readers see it: derived from what is known, each time. */
export type EntityView = {
  /** Undefined while no report decides it. May be a word that the specification does not have. */
  readonly status: string | undefined;
  /** When it came to have this status, as the platform wrote it. Undefined when the status is known from untimed reports. */
  readonly modifiedOn: string | undefined;
  readonly transactionStatus: TransactionStatus | undefined;
  /** The codes that the platform gave with this status, in the order of texts; undefined if it gave none. */
  readonly reasonCodes: readonly string[] | undefined;
  /** What was seen of it that cannot all be true; see {@link findAnomalies}. */
  readonly anomalies: readonly string[];
  /** Whether the platform must be asked what the status is. */
  readonly toReadBack: boolean;
  /** When the latest report arrived that leaves the status open. The platform's answer returns it. */
  readonly openReportOn: string | undefined;
};

export function viewOf(rules: EntityRules, known: EntityState): EntityView {
  const { status, modifiedOn } = decide(rules, known);
  return {
    status,
    modifiedOn,
    transactionStatus: transactionStatusOf(rules.kind, status),
    reasonCodes: status === undefined ? undefined : own(known.reasonCodes ?? {}, status),
    anomalies: findAnomalies(rules.statuses, known),
    toReadBack: isToReadBack(rules, known),
    openReportOn: known.heardOn,
  };
}

type Decided = { readonly status: string | undefined; readonly modifiedOn: string | undefined };

/**
 * The status of the latest timed report. An untimed status counts if it ranks above every timed one: any other has come
 * before one of them. Untimed reports about what is read back never count.
 */
function decide({ statuses, readsBack }: EntityRules, known: EntityState): Decided {
  const compare = (one: string, other: string) => compareStatuses(statuses, known, one, other);
  const timed = timedOf(known);
  const untimed = readsBack ? [] : Object.keys(known.seen).filter((status) => known.seen[status]?.length === 0);
  const highest = [...untimed, ...timed.map(({ status }) => status)].toSorted(compare).at(-1);
  if (highest !== undefined && untimed.includes(highest)) return { status: highest, modifiedOn: undefined };
  return settleTie(statuses, known) ?? { status: undefined, modifiedOn: undefined };
}

/** Each timed status, with its latest time. */
function timedOf({ seen, overflow }: EntityState): readonly TimedStatus[] {
  return [...timedStatuses(Object.entries(seen)), ...(overflow ? [overflow] : [])];
}

/** Of statuses that the table does not have, the one that was first received last is the higher one. */
function compareStatuses({ compare }: Statuses, { firstReceivedOn = {} }: EntityState, one: string, other: string) {
  const [first, second] = [one, other].map((status) => own(firstReceivedOn, status));
  return compare(one, other) || compareReceipts(first, second) || compareTexts(one, other);
}

/** What has no time was received before what has one. */
function compareReceipts(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined);
  return compareTimes(one, other);
}

/** The timed status of the latest time, and of one instant the highest. */
function latestOf(statuses: Statuses, known: EntityState): TimedStatus | undefined {
  return timedOf(known)
    .toSorted(
      (one, other) =>
        compareTimestamps(one.modifiedOn, other.modifiedOn) ||
        compareStatuses(statuses, known, one.status, other.status),
    )
    .at(-1);
}

/**
 * The latest timed report. Where statuses of one instant can follow each other either way, we cannot know which is
 * the latest, but the platform's answer of that instant does. It never overrules a final status, which nothing follows.
 */
function settleTie(statuses: Statuses, known: EntityState): TimedStatus | undefined {
  const timed = latestOf(statuses, known);
  const { answer } = known;
  if (timed === undefined || answer === undefined) return timed;
  const isOfThatInstant = compareTimestamps(timed.modifiedOn, answer.modifiedOn) === 0;
  return isOfThatInstant && statuses.reaches(timed.status, answer.status) ? answer : timed;
}

function isToReadBack({ statuses, readsBack }: EntityRules, known: EntityState): boolean {
  const { heardOn, settledOn } = known;
  if (!readsBack) return false;
  if (heardOn !== undefined && (settledOn === undefined || compareTimestamps(heardOn, settledOn) > 0)) return true;
  return isTie(statuses, known);
}

/** Whether the latest timed reports are of one instant and could be in either order, and the platform was not asked since. */
function isTie(statuses: Statuses, known: EntityState): boolean {
  const latest = latestOf(statuses, known);
  if (latest === undefined) return false;
  const isOfThatInstant = (time: string) => compareTimestamps(time, latest.modifiedOn) === 0;
  if (known.answer !== undefined && isOfThatInstant(known.answer.modifiedOn)) return false;
  const rivals = timedOf(known).filter(
    ({ status, modifiedOn }) => status !== latest.status && isOfThatInstant(modifiedOn),
  );
  return rivals.some(({ status }) => statuses.reaches(latest.status, status));
}

/**
 * What an event did to its entity when it came.
 *
 * - applied: it changed what is shown, or made the entity one to be read back, or known at all
 * - superseded: what is known is newer, or ranks higher
 * - duplicate: it says what is shown already
 * - anomaly: it contradicts a final status. It is kept, and shown if it is the latest, nevertheless
 */
export const effects = ['applied', 'superseded', 'duplicate', 'anomaly'] as const;

export type Effect = (typeof effects)[number];

/** A change of what is shown of an entity. */
export const change = z.object({
  /** Of the entity, after this change. Later changes have higher ones; there are gaps. */
  version: z.int(),
  statusBefore: z.optional(z.string()),
  status: z.optional(z.string()),
  modifiedOn: z.optional(timestamp),
  /** The codes that the platform gave with the status; absent if it gave none. */
  reasonCodes: z.optional(z.array(z.string())),
  /** Those that are new with this change. */
  anomalies: z.array(z.string()),
});

export type Change = Readonly<z.output<typeof change>>;

export type Evaluation = { readonly effect: Effect; readonly change: Change | undefined };

/**
 * Says what a report did.
 *
 * @param before what was known, undefined if the entity was not known at all
 * @param after what is known with the report
 * @param version that the entity then has
 */
export function evaluate(
  rules: EntityRules,
  received: ReceivedReport,
  before: EntityState | undefined,
  after: EntityState,
  version: number,
): Evaluation {
  const [viewBefore, view] = [viewOf(rules, before ?? emptyEntityState), viewOf(rules, after)];
  const anomalies = view.anomalies.filter((anomaly) => !viewBefore.anomalies.includes(anomaly));
  const isChanged =
    view.status !== viewBefore.status ||
    view.modifiedOn !== viewBefore.modifiedOn ||
    view.reasonCodes?.some((reason) => !viewBefore.reasonCodes?.includes(reason)) ||
    anomalies.length > 0;
  const { status, modifiedOn, reasonCodes } = view;
  const changed: Change = {
    version,
    statusBefore: viewBefore.status,
    status,
    modifiedOn,
    ...(reasonCodes && { reasonCodes: [...reasonCodes] }),
    anomalies,
  };
  return {
    change: isChanged ? changed : undefined,
    effect: effectOf(anomalies.length > 0, {
      isNew: isChanged || before === undefined || leavesStatusOpen(rules, received),
      isShownStatus: isShown(received.report, view),
    }),
  };
}

function effectOf(
  isAnomaly: boolean,
  { isNew, isShownStatus }: { readonly isNew: boolean; readonly isShownStatus: boolean },
): Effect {
  if (isAnomaly) return 'anomaly';
  if (isNew) return 'applied';
  return isShownStatus ? 'duplicate' : 'superseded';
}

function isShown(report: StatusReport, view: EntityView): boolean {
  if (report.status !== view.status) return false;
  if (report.modifiedOn === undefined) return true;
  return view.modifiedOn !== undefined && compareTimestamps(report.modifiedOn, view.modifiedOn) === 0;
}
