import * as z from 'zod/mini';
import { uuid } from '#shared/platform/fields.ts';
import { compareTimestamps, timestamp } from '#shared/platform/timestamp.ts';
import { cursorTrail, followTrail, trailhead } from './cursor-trail.ts';

/**
 * How the drain decides what to mark: pure, and kept in the checkpoint from run to run. Its size does not depend on the
 * length of the list.
 *
 * Marking a record marks all that are older (section 2.2), so all of them must be committed first, those that nobody
 * has listed included. What the platform holds is known by walks: from the first page to the end of the list, with no
 * mark on the way, whatever the order of the list and the kind of its cursors. A walk lists every record that was there
 * when it began. A record that came later is newer than any that had been listed some time before (the profile's
 * `undelivered.settle`): nothing newer than that horizon is marked.
 */

const count = z.int().check(z.nonnegative());

/** The newest records that a walk may mark. They were created at the same time: which of them is older is not known. */
const watermark = z.object({ createdOn: timestamp, ids: z.array(uuid) });

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
  oldest: z.optional(timestamp),
  /** Records that the watermark would mark: those not newer than the horizon. */
  covered: count,
  /** Records that are older than what was marked before it began: they came to light too late. */
  late: count,
  /** Runs in a row that could not read the page that comes next. */
  stumbles: count,
});

export type Walk = z.infer<typeof walk>;

const mark = z.extend(watermark, { covered: count });

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
});

export type DrainProgress = z.infer<typeof drainProgress>;

/** What a record means for the marks, as far as it can be read. */
export type Listed = { readonly id: string | undefined; readonly createdOn: string | undefined };

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
      covered: 0,
      late: 0,
      stumbles: 0,
    },
  };
}

/** The walk after a page whose records are all committed. */
export function addPage(walked: Walk, listed: readonly Listed[], marked: string | undefined): Walk {
  return listed.reduce((sofar, record) => addRecord(sofar, record, marked), walked);
}

function addRecord(walked: Walk, { id, createdOn }: Listed, marked: string | undefined): Walk {
  if (createdOn === undefined) return walked;
  const { horizon, newest, oldest, covered, late } = walked;
  const isCovered = horizon !== undefined && !isNewer(createdOn, horizon);
  return {
    ...walked,
    newest: newer(newest, createdOn),
    oldest: oldest !== undefined && isNewer(createdOn, oldest) ? oldest : createdOn,
    covered: covered + Number(isCovered),
    late: late + Number(marked !== undefined && isNewer(marked, createdOn)),
    watermark:
      isCovered && uuid.safeParse(id).success ? raise(walked.watermark, String(id), createdOn) : walked.watermark,
  };
}

/** The most records of one time that are marked one by one. Those left over come with the next walk. */
const mostIds = 20;

function raise(sofar: Walk['watermark'], id: string, createdOn: string): Walk['watermark'] {
  const order = sofar === undefined ? 1 : compareTimestamps(createdOn, sofar.createdOn);
  if (sofar === undefined || order > 0) return { createdOn, ids: [id] };
  const isAnother = order === 0 && sofar.ids.length < mostIds && !sofar.ids.includes(id);
  return isAnother ? { ...sofar, ids: [...sofar.ids, id] } : sofar;
}

/** The walk at the page of this cursor; undefined at the end: no cursor, or one that has been there before. */
export function follow(walked: Walk, cursor: string | undefined): Walk | undefined {
  const trail = followTrail(walked.trail, walked.cursor, cursor);
  return trail && { ...walked, cursor, stumbles: 0, trail };
}

/** After the last page: what may be marked, and the horizon of walks to come. */
export function endWalk({ walk: walked, ...progress }: DrainProgress, now: Date): DrainProgress {
  if (walked === undefined) return progress;
  const { watermark: newestCommitted, newest, covered, mayMark } = walked;
  const candidate = newest === undefined ? undefined : { createdOn: newest, listedOn: now.toISOString() };
  return {
    ...progress,
    candidate: progress.candidate ?? candidate,
    mark: mayMark && newestCommitted !== undefined ? { ...newestCommitted, covered } : progress.mark,
  };
}

/** After the platform has answered to the mark. A walk that began before may not mark: the next one may. */
export function endMark({ walk: _, mark: done, ...progress }: DrainProgress, isMarked: boolean): DrainProgress {
  if (!isMarked || done === undefined) return progress;
  return { ...progress, marked: newer(progress.marked, done.createdOn) };
}

/** Runs that may fail at a page before the walk is given up: a platform may answer 500 to a cursor of yesterday. */
const mostStumbles = 3;

/** After a run that could not read the next page. */
export function stumble({ walk: walked, ...progress }: DrainProgress): DrainProgress {
  const stumbles = (walked?.stumbles ?? 0) + 1;
  return walked === undefined || stumbles >= mostStumbles ? progress : { ...progress, walk: { ...walked, stumbles } };
}

/** The next walk begins with the first page. */
export function giveUpWalk({ walk: _, ...progress }: DrainProgress): DrainProgress {
  return progress;
}

function isNewer(one: string, other: string): boolean {
  return compareTimestamps(one, other) > 0;
}

function newer(one: string | undefined, other: string): string {
  return one !== undefined && isNewer(one, other) ? one : other;
}
