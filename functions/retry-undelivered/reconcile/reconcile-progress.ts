import * as z from 'zod/mini';
import { type CountsByKind, countsByKind, type Gap, type GapCounts } from '#shared/api/reconcile-answers.ts';
import {
  isListOver,
  type ListPositions,
  type LiveEntity,
  listingStart,
  listPositions,
  tableSegments,
} from '#shared/entities/due-entities.ts';
import type { DuePlace } from '#shared/entities/entity-row.ts';
import { compareTimes } from '#shared/entities/merge/entity-state.ts';
import type { ReadBackAnswer } from '#shared/events/read-back.ts';
import { type CursorTrail, cursorTrail, trailhead } from '#shared/platform/client/cursor-trail.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';

/**
 * The progress and the results of reconciliation: pure, and stored in the checkpoint from run to run. Each run has a pass over due
 * entities. A walk is over when it has checked every person of the platform and the verifications of all onboardings, in any number of
 * runs. It begins to read these lists once they are due.
 */

const count = z.int().check(z.nonnegative());

const tally = {
  /** When the walk began. */
  beganOn: z.iso.datetime(),
  counts: countsByKind,
  /** When the run began that was the first to read the lists; absent until they are due. */
  listedOn: z.optional(z.iso.datetime()),
  /** Always 0: release 0.2.0 reads no checkpoint without it, as after a rollback. */
  onboardingsDue: count,
  /** The time of the last report of the entity that waits the longest. */
  oldestStale: z.optional(timestamp),
};

const walk = z.object({
  ...tally,
  /** `persons` while the platform's list of persons is read. Only 0.2.0 tells the two other values apart. */
  phase: z.enum(['persons', 'verifications', 'entities']),
  /** The cursor of the next page of persons; absent for the first page. */
  cursor: z.optional(z.string()),
  trail: cursorTrail,
  /** Whether the walk includes a scan of the table, which an operator asked for. */
  scan: z.optional(z.enum(['asked', 'over'])),
});

export type ReconcileWalk = z.infer<typeof walk>;

/**
 * How far the index of due entities has the rows that 0.2.0 wrote. A rollback to 0.2.0 drops this field, so the next upgrade scans
 * again.
 */
const scan = z.object({
  /** When the first scan of the table began. */
  firstOn: z.iso.datetime(),
  /** When the present scan began; absent between two scans. */
  begunOn: z.optional(z.iso.datetime()),
  segments: z._default(listPositions, {}),
  /** From then on nothing is scanned unless an operator asks for it. */
  completedOn: z.optional(z.iso.datetime()),
});

export const reconcileProgress = z.object({
  walk: z.optional(walk),
  /** Where a report continues with due entities. Each run of a repair begins with the longest waiting. */
  due: z.optional(z.object({ open: listPositions, marked: listPositions })),
  /** Where the walk over the verifications of onboardings continues, independently of the other walk. */
  verifications: z.optional(z.object({ start: z.optional(listingStart), isOver: z.boolean() })),
  /** The scan of the table, by the name that it has in checkpoints. */
  fill: z.optional(scan),
  /** The last walk that came to its end. */
  last: z.optional(z.object({ ...tally, endedOn: z.iso.datetime() })),
  /** Consecutive runs that failed at this place, by the name that their count has in checkpoints. */
  stumbles: z._default(count, 0),
});

export type ReconcileProgress = z.infer<typeof reconcileProgress>;

/** What a check has found about an entity. An entity without a difference has no finding. */
export type Finding = Omit<Gap, 'what' | 'id'> & {
  /** Absent when the platform's list has a person without a usable id. */
  readonly id?: string;
  readonly what: Gap['what'] | 'to be read back';
  /** Of a stale entity: when its last report came. */
  readonly since?: string | undefined;
  /** The answer for `store`. */
  readonly answer?: ReadBackAnswer;
};

/** The new place of an entity in the index of due entities; undefined if it must have none. */
export type NewPlace = { readonly entity: LiveEntity; readonly to: DuePlace | undefined };

/** The outcome of checking some entities. */
export type CheckResult = {
  readonly checked: readonly EntityKind[];
  readonly findings: readonly Finding[];
  readonly places?: readonly NewPlace[];
};

/** The number of stale entities of each kind, and the findings about those that wait the longest. */
export type StaleEntities = {
  readonly counts: Readonly<Partial<Record<EntityKind, number>>>;
  readonly longest: readonly Finding[];
};

const nothing: GapCounts = { checked: 0, drifted: 0, repaired: 0, readBack: 0, stale: 0, gone: 0, unanswered: 0 };

/** In milliseconds: a deployment is over by then, and so are functions of 0.2.0, which store entities without a place in the index. */
const formerReleaseMs = 24 * 3_600_000;

/** A walk that has checked nothing yet. */
export function newWalk(now: Date): ReconcileWalk {
  return {
    beganOn: now.toISOString(),
    counts: forEachKind(() => nothing),
    onboardingsDue: 0,
    phase: 'persons',
    trail: trailhead,
  };
}

/** The current walk, or a new one. */
export function walkOf({ walk: underWay }: ReconcileProgress, now: Date): ReconcileWalk {
  return underWay ?? newWalk(now);
}

/** In milliseconds: runs begin a little earlier or later than an hour after each other. */
const listSlack = 30 * 60_000;

/** Whether a scheduled run reads the lists of persons and verifications: it continues them, or they were last begun so long ago. */
export function areListsDue({ walk: walked, last }: ReconcileProgress, now: Date, everyHours: number): boolean {
  if (walked?.listedOn !== undefined || last?.listedOn === undefined) return true;
  return now.getTime() - Date.parse(last.listedOn) >= everyHours * 3_600_000 - listSlack;
}

/**
 * At the beginning of a run. A repair starts again with the due entities; a report continues. A walk that has not begun to read its
 * lists has no place to continue from, and is a new one.
 *
 * @param isFull whether to scan the table before the walk ends. Invocations that continue the walk repeat it
 * @param isListing whether the run reads the lists of persons and verifications
 */
export function beginRun(
  progress: ReconcileProgress,
  now: Date,
  { repairs, isFull, isListing }: { readonly repairs: boolean; readonly isFull: boolean; readonly isListing: boolean },
): ReconcileProgress & { walk: ReconcileWalk } {
  const { due = nothingRead, verifications = { isOver: false }, fill: scanned, ...others } = progress;
  const walked = progress.walk?.listedOn === undefined ? newWalk(now) : progress.walk;
  const isAsked = isFull && walked.scan === undefined;
  const needsScan = scanned === undefined || isAsked || isScanDue(scanned, now);
  const begun = {
    ...others,
    walk: isAsked ? { ...walked, scan: 'asked' as const } : walked,
    due: repairs ? nothingRead : due,
    verifications,
    fill: needsScan ? newScan(scanned, now) : scanned,
  };
  return isListing ? beginLists(begun, now) : begun;
}

const nothingRead = { open: {}, marked: {} };

/** When a run begins to read the lists of persons and verifications, or continues to. @param runBeganOn when the run began */
export function beginLists(progress: ReconcileProgress, runBeganOn: Date): ReconcileProgress & { walk: ReconcileWalk } {
  return { ...progress, walk: { listedOn: runBeganOn.toISOString(), ...walkOf(progress, runBeganOn) } };
}

type Scan = z.infer<typeof scan>;

function newScan(scanned: Scan | undefined, now: Date): Scan {
  const begunOn = now.toISOString();
  return { firstOn: scanned?.firstOn ?? begunOn, begunOn, segments: {} };
}

/** Once more after a day: functions of 0.2.0 may have written rows behind the first scan. */
function isScanDue({ firstOn, begunOn, completedOn }: Scan, now: Date): boolean {
  const isAwaited = begunOn === undefined && completedOn === undefined;
  return isAwaited && now.getTime() - Date.parse(firstOn) >= formerReleaseMs;
}

/** After a page of each segment of the table. */
export function afterScan(progress: ReconcileProgress, segments: ListPositions, now: Date): ReconcileProgress {
  const { fill: scanned, walk: walked } = progress;
  if (scanned?.begunOn === undefined) return progress;
  if (!isListOver(segments, tableSegments)) return { ...progress, fill: { ...scanned, segments } };
  const { firstOn, begunOn } = scanned;
  const isLast = Date.parse(begunOn) - Date.parse(firstOn) >= formerReleaseMs;
  return {
    ...progress,
    fill: { firstOn, segments: {}, ...(isLast && { completedOn: now.toISOString() }) },
    walk: walked?.scan === undefined ? walked : { ...walked, scan: 'over' },
  };
}

export function addChecked(walked: ReconcileWalk, { checked, findings }: CheckResult, repairs: boolean): ReconcileWalk {
  return { ...walked, counts: forEachKind((kind) => addTo(walked.counts[kind], kind)) };

  function addTo(sofar: GapCounts, kind: EntityKind): GapCounts {
    const own = findings.filter((finding) => finding.kind === kind);
    const drifted = own.filter(({ what }) => what === 'drifted');
    const number = (what: Finding['what']) => own.filter((finding) => finding.what === what).length;
    return {
      ...sofar,
      checked: sofar.checked + checked.filter((one) => one === kind).length,
      drifted: sofar.drifted + drifted.length,
      repaired: sofar.repaired + (repairs ? drifted.filter(({ answer }) => answer !== undefined).length : 0),
      readBack: sofar.readBack + number('to be read back'),
      gone: sofar.gone + number('gone'),
      unanswered: sofar.unanswered + number('unanswered'),
    };
  }
}

/** What is stale now: each run counts it again. */
export function withStale(walked: ReconcileWalk, { counts, longest }: StaleEntities): ReconcileWalk {
  return {
    ...walked,
    counts: forEachKind((kind) => ({ ...walked.counts[kind], stale: counts[kind] ?? 0 })),
    oldestStale: longest.flatMap(({ since }) => since ?? []).toSorted(compareTimes)[0],
  };
}

function forEachKind(countsOf: (kind: EntityKind) => GapCounts): CountsByKind {
  return {
    'natural-person': countsOf('natural-person'),
    'identification-verification': countsOf('identification-verification'),
    order: countsOf('order'),
    transfer: countsOf('transfer'),
  };
}

/** After a page of persons: at the page of this cursor, or at the end of the list. */
export function afterPersons(
  walked: ReconcileWalk,
  cursor: string | undefined,
  trail: CursorTrail | undefined,
): ReconcileWalk {
  const { cursor: _, ...others } = walked;
  return trail === undefined ? { ...others, phase: 'verifications' } : { ...others, cursor, trail };
}

/** The list of persons is read from its first page: a platform may not know a cursor of yesterday. */
export function startPersonsOver({ cursor: _, ...walked }: ReconcileWalk): ReconcileWalk {
  return { ...walked, trail: trailhead };
}

/** Whether the walk has checked everything. */
export function isWalkOver({ walk: walked, verifications }: ReconcileProgress): boolean {
  return walked?.phase !== 'persons' && verifications?.isOver === true && walked?.scan !== 'asked';
}

/** At the end of a walk. */
export function endWalk({ fill: scanned, walk: walked }: ReconcileProgress, now: Date): ReconcileProgress {
  const { beganOn, listedOn, counts, oldestStale } = walked ?? newWalk(now);
  const last = { beganOn, listedOn, counts, onboardingsDue: 0, oldestStale, endedOn: now.toISOString() };
  return { stumbles: 0, last, fill: scanned };
}

/** Runs that may fail at one place before reconciliation changes its approach. */
export const maxFailedRuns = 3;

/** After a failed run. @param isListAtFault whether the run was reading the list of persons */
export function recordFailedRun(progress: ReconcileProgress, isListAtFault: boolean): ReconcileProgress {
  const { walk: walked, stumbles: failedRuns } = progress;
  if (isListAtFault && walked?.cursor !== undefined && failedRuns + 1 >= maxFailedRuns)
    return { ...progress, walk: startPersonsOver(walked), stumbles: 0 };
  return { ...progress, stumbles: failedRuns + 1 };
}
