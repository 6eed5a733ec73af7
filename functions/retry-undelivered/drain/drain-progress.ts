import * as z from 'zod/mini';
import { cursorTrail, followTrail, trailhead } from '#shared/platform/client/cursor-trail.ts';
import { platformId } from '#shared/platform/fields/fields.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import { newer } from './created-on.ts';

/**
 * How the drain decides what to mark: pure, and kept in the checkpoint from run to run. Its size does not depend on the
 * length of the list.
 *
 * Marking a record marks all that are older (section 2.2), so all of them must be committed first, also those that are not
 * has listed included. What the platform holds is known by walks: from the first page to the end of the list, with no
 * mark on the way, with every order of the list and every kind of cursor. A walk lists every record that was there
 * when it began. A record that came later is newer than any that had been listed some time before (the profile's
 * `undelivered.settle`): nothing newer than that horizon is marked.
 *
 * Records of another system's webhooks are in the same list. A mark would take them from that system, so nothing is marked
 * that is not older than the oldest of them. The walk learns of that bound on its way, so it begins with the bound of the
 * walk before.
 */

const count = z.int().check(z.nonnegative());

/** The newest records that a walk may mark. They were created at the same time: which of them is older is not known. */
const watermark = z.object({ createdOn: timestamp, ids: z.array(platformId) });

/** Records of another system's webhooks, and what they hold up. */
const foreign = z.object({
  listed: z.int().check(z.positive()),
  /** Records of ours that cannot be marked because of them. */
  waiting: count,
  /** The createdOn of the oldest of them, where any can be read. */
  oldest: z.optional(timestamp),
  /** Where the webhook of the first that was listed is: its scheme and host. */
  origin: z.string(),
});

const walk = z.object({
  /** Of the page that comes next; none for the first. */
  cursor: z.optional(z.string()),
  trail: cursorTrail,
  /** False where a mark was under way when it began: it may have skipped what that mark moved. */
  mayMark: z.boolean(),
  /** Nothing newer may be marked; nothing at all where there is none. */
  horizon: z.optional(timestamp),
  watermark: z.optional(watermark),
  /** Of all records that it has listed. */
  newest: z.optional(timestamp),
  /** Of the records of ours. */
  oldest: z.optional(timestamp),
  /** Records that the watermark would mark: those not newer than the horizon, and older than the bound. */
  covered: count,
  /** The oldest record of another system, of this walk or the one before: only what is older may be marked. */
  bound: z.optional(timestamp),
  /** Records of ours that are older than the bound, and the newest of them. */
  free: count,
  newestFree: z.optional(timestamp),
  /** Records of ours that are not. */
  waiting: count,
  /** Records of another system that it has listed. */
  foreign: count,
  oldestForeign: z.optional(timestamp),
  foreignOrigin: z.optional(z.string()),
  /** Whether one of those has no time that can be read: then it may be older than any, and nothing may be marked. */
  hasUntimedForeign: z.boolean(),
  /** Whether it has listed a record whose mark the platform refused. */
  listsRefused: z.boolean(),
  /** Records of ours that are older than what was marked before the walk began. */
  late: count,
  /** Records of ours without a time that can be read. Release 0.2.0 did not count them. */
  untimed: z._default(count, 0),
  /** Runs in a row that could not read the page that comes next. */
  stumbles: count,
});

export type Walk = z.infer<typeof walk>;

const mark = z.extend(watermark, {
  covered: count,
  /** No record of another system is as old. A mark that an earlier release has written down does not say so, and is not sent. */
  isOursAlone: z.literal(true),
});

export type Mark = z.infer<typeof mark>;

export const drainProgress = z.object({
  /** The walk that is under way. */
  walk: z.optional(walk),
  /** What is to be marked, until the platform has answered. All that is not newer is committed. */
  mark: z.optional(mark),
  /** The newest createdOn of a walk before: a horizon, once it has been known for long enough. */
  candidate: z.optional(z.object({ createdOn: timestamp, listedOn: z.iso.datetime() })),
  /** Up to when records were marked. */
  marked: z.optional(timestamp),
  /** A mark that the platform refused, until it takes one, or lists these records no more. */
  refused: z.optional(z.object({ ids: z.array(platformId), runs: z.int().check(z.positive()) })),
  /** As the last walk that came to its end has found them. */
  foreign: z.optional(foreign),
  /** As the last walk that came to its end has found them. Nothing says which record is older: none of them is marked for itself. */
  untimed: z.optional(count),
});

export type DrainProgress = z.infer<typeof drainProgress>;

/** At the beginning of a run: one more in which the marks are refused. */
export function beginRun(progress: DrainProgress): DrainProgress {
  const { refused } = progress;
  return refused === undefined ? progress : { ...progress, refused: { ...refused, runs: refused.runs + 1 } };
}

/** The walk that is under way, or one from the first page. */
export function beginWalk(progress: DrainProgress, now: Date, settle: number): DrainProgress & { readonly walk: Walk } {
  const { walk: underWay, candidate, mark: pending } = progress;
  if (underWay !== undefined) return { ...progress, walk: underWay };
  const isSettled = candidate !== undefined && now.getTime() - Date.parse(candidate.listedOn) >= settle;
  return {
    ...progress,
    candidate: isSettled ? undefined : candidate,
    walk: {
      trail: trailhead,
      mayMark: pending === undefined,
      horizon: isSettled ? candidate.createdOn : undefined,
      bound: progress.foreign?.oldest,
      covered: 0,
      free: 0,
      waiting: 0,
      foreign: 0,
      hasUntimedForeign: false,
      listsRefused: false,
      late: 0,
      untimed: 0,
      stumbles: 0,
    },
  };
}

/**
 * The walk at the page of this cursor; undefined at the end: no cursor, or one that has been there before.
 *
 * @param members of the page that the cursor came with
 */
export function follow(walked: Walk, cursor: string | undefined, members: readonly unknown[]): Walk | undefined {
  const trail = followTrail(walked.trail, walked.cursor, cursor, members);
  return trail && { ...walked, cursor, stumbles: 0, trail };
}

/** Where in the list a walk is. */
export function placeOf({ cursor, trail, stumbles }: Walk): Pick<Walk, 'cursor' | 'trail' | 'stumbles'> {
  return { cursor, trail, stumbles };
}

/** After the last page: what may be marked, and the horizon of walks to come. */
export function endWalk(
  { walk: walked, foreign: _, ...progress }: DrainProgress & { readonly walk: Walk },
  now: Date,
): DrainProgress {
  const { watermark: newestCommitted, newest, covered, mayMark, hasUntimedForeign, listsRefused } = walked;
  const candidate = newest === undefined ? undefined : { createdOn: newest, listedOn: now.toISOString() };
  const isMarkable = mayMark && !hasUntimedForeign && newestCommitted !== undefined;
  return {
    ...progress,
    candidate: progress.candidate ?? candidate,
    mark: isMarkable ? { ...newestCommitted, covered, isOursAlone: true } : progress.mark,
    refused: listsRefused ? progress.refused : undefined,
    foreign: foreignOf(walked),
    untimed: walked.untimed || undefined,
  };
}

function foreignOf({ foreign: listed, oldestForeign: oldest, foreignOrigin = '', ...walked }: Walk) {
  if (listed === 0) return undefined;
  const { free, waiting, hasUntimedForeign } = walked;
  return { listed, waiting: hasUntimedForeign ? waiting + free : waiting, oldest, origin: foreignOrigin };
}

/** After the platform has answered to the mark. A walk that began before may not mark: the next one may. */
export function endMark(
  { walk: _, mark: done, ...progress }: DrainProgress & { readonly mark: Mark },
  isMarked: boolean,
): DrainProgress {
  if (!isMarked) return { ...progress, refused: { ids: done.ids, runs: progress.refused?.runs ?? 1 } };
  return { ...progress, marked: newer(progress.marked, done.createdOn), refused: undefined };
}

/** Runs that may fail at a page before the walk is given up: a platform may answer 500 to a cursor of yesterday. */
const maxFailedRuns = 3;

/** After a run that could not read the next page. */
export function recordFailedRun({ walk: walked, ...progress }: DrainProgress): DrainProgress {
  const stumbles = (walked?.stumbles ?? 0) + 1;
  return walked === undefined || stumbles >= maxFailedRuns ? progress : { ...progress, walk: { ...walked, stumbles } };
}

/** The next walk begins with the first page. */
export function giveUpWalk({ walk: _, ...progress }: DrainProgress): DrainProgress {
  return progress;
}
