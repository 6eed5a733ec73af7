import * as z from 'zod/mini';
import { cursorTrail, followTrail, trailhead } from '#shared/platform/client/cursor-trail.ts';
import { platformId } from '#shared/platform/fields/fields.ts';
import { compareTimestamps, timestamp } from '#shared/platform/fields/timestamp.ts';

/**
 * How the drain decides what to mark: pure, and stored in the checkpoint from run to run. Its size does not depend on the
 * length of the list.
 *
 * Marking a record marks all older records, too (section 2.2). So all of them must be committed first, including those that the
 * drain has not listed yet. A walk finds them: it reads the list from the first page to the end, and marks nothing meanwhile. That
 * works with every order of the list and every kind of cursor. A walk lists every record that existed when it began. A record
 * that was created later is newer than the horizon: the newest createdOn that had been listed at least `undelivered.settle` (of the
 * profile) before the walk began. Nothing newer than the horizon is marked.
 *
 * The list also has records of another system's webhooks. A mark would take them from that system, so only records older than the
 * oldest of them are marked. A walk finds that bound only on its way, so it begins with the bound of the walk before.
 */

export function isNewer(one: string, other: string): boolean {
  return compareTimestamps(one, other) > 0;
}

/** The newer of two times. */
export function newer(one: string | undefined, other: string): string {
  return one !== undefined && isNewer(one, other) ? one : other;
}

/** The older of two times. */
export function older(one: string | undefined, other: string): string {
  return one !== undefined && isNewer(other, one) ? one : other;
}

/** The fields of a record that decide what may be marked, as far as they can be read. */
export type Listed = {
  readonly id: string | undefined;
  readonly createdOn: string | undefined;
  /** Only of a record of another system. */
  readonly foreignOrigin?: string | undefined;
};

/** Stands for the unknown time of a record of another system: no time is older. */
const beforeAll = '0000-01-01T00:00:00+23:59';

/**
 * The walk after a page of which each of our records is committed.
 *
 * @param marked up to when records were marked before the walk began
 */
export function addPage(walked: DrainWalk, listed: readonly Listed[], marked: string | undefined): DrainWalk {
  return listed.reduce((sofar, record) => addRecord(sofar, record, marked), walked);
}

function addRecord(walked: DrainWalk, { id, createdOn, foreignOrigin }: Listed, marked: string | undefined): DrainWalk {
  const sofar = createdOn === undefined ? walked : { ...walked, newest: newer(walked.newest, createdOn) };
  if (foreignOrigin !== undefined) return addForeign(sofar, createdOn ?? beforeAll, foreignOrigin);
  return createdOn === undefined ? { ...sofar, untimed: walked.untimed + 1 } : addOurs(sofar, id, createdOn, marked);
}

function addOurs(walked: DrainWalk, id: string | undefined, createdOn: string, marked: string | undefined): DrainWalk {
  const { horizon, bound, watermark } = walked;
  const isFree = isOlderThan(bound, createdOn);
  const isCovered = isFree && horizon !== undefined && !isNewer(createdOn, horizon);
  return {
    ...walked,
    ours: walked.ours + 1,
    oldest: older(walked.oldest, createdOn),
    waiting: walked.waiting + Number(!isFree),
    covered: walked.covered + Number(isCovered),
    late: walked.late + Number(marked !== undefined && isNewer(marked, createdOn)),
    watermark: isCovered && platformId.safeParse(id).success ? raise(watermark, String(id), createdOn) : watermark,
  };
}

/**
 * The walk with a record of another system. The walk may have counted older records of our webhooks under a higher bound: the next
 * walk begins with this bound, and counts them again.
 */
function addForeign(walked: DrainWalk, createdOn: string, origin: string): DrainWalk {
  const { foreign, bound, watermark } = walked;
  const counted = {
    ...walked,
    foreign: {
      listed: (foreign?.listed ?? 0) + 1,
      oldest: older(foreign?.oldest, createdOn),
      origin: foreign?.origin ?? origin,
    },
  };
  if (!isOlderThan(bound, createdOn)) return counted;
  const isHeldUp = watermark !== undefined && !isOlderThan(createdOn, watermark.createdOn);
  return { ...counted, bound: createdOn, ...(isHeldUp && { watermark: undefined, covered: 0 }) };
}

function isOlderThan(bound: string | undefined, createdOn: string): boolean {
  return bound === undefined || isNewer(bound, createdOn);
}

/** The createdOn of the oldest record of our webhooks that could be marked by now; undefined if there is none. */
export function oldestToMark({ bound, oldest }: DrainWalk): string | undefined {
  return oldest !== undefined && isOlderThan(bound, oldest) ? oldest : undefined;
}

/** The most records of one time that are marked one by one. The next walk marks the others. */
const maxIds = 20;

function raise(sofar: DrainWalk['watermark'], id: string, createdOn: string): DrainWalk['watermark'] {
  if (sofar === undefined || isNewer(createdOn, sofar.createdOn)) return { createdOn, ids: [id] };
  const isOfThatTime = !isNewer(sofar.createdOn, createdOn);
  const isAnother = isOfThatTime && sofar.ids.length < maxIds && !sofar.ids.includes(id);
  return isAnother ? { ...sofar, ids: [...sofar.ids, id] } : sofar;
}

const count = z.int().check(z.nonnegative());

/** The newest records that a walk may mark. All have the same createdOn, so their order is not known. */
const watermark = z.object({ createdOn: timestamp, ids: z.array(platformId) });

/** Records of another system's webhooks. */
const foreign = z.object({
  listed: z.int().check(z.positive()),
  /** The createdOn of the oldest of them. Release 0.2.0 stored none if no time could be read. */
  oldest: z.optional(timestamp),
  /** The scheme and host of the webhook of the first listed record. */
  origin: z.string(),
});

/** Where in the list a walk is. */
const place = z.object({
  /** The cursor of the next page; absent for the first page. */
  cursor: z.optional(z.string()),
  trail: cursorTrail,
  /** Consecutive runs that could not read that page. */
  failedRuns: count,
});

export type Place = z.infer<typeof place>;

const walk = z.object({
  place,
  /** Nothing newer may be marked; nothing at all if there is none. */
  horizon: z.optional(timestamp),
  /** The oldest record of another system, of this walk or the one before: only what is older may be marked. */
  bound: z.optional(timestamp),
  watermark: z.optional(watermark),
  /** Records that the watermark would mark: those not newer than the horizon, and older than the bound. */
  covered: count,
  /** The newest createdOn of all listed records. */
  newest: z.optional(timestamp),
  /** Records of our webhooks with a time, and the oldest of them. */
  ours: count,
  oldest: z.optional(timestamp),
  /** Records of our webhooks that were not older than the bound when they were listed. */
  waiting: count,
  foreign: z.optional(foreign),
  /** Records of our webhooks that are older than what was marked before the walk began. */
  late: count,
  /** Records of our webhooks without a time that can be read. */
  untimed: count,
});

export type DrainWalk = z.infer<typeof walk>;

const mark = z.extend(watermark, {
  covered: count,
  /** Whether all records of another system are newer. A mark that an earlier release stored has no such field, and is not sent. */
  isOursAlone: z.literal(true),
});

export type Mark = z.infer<typeof mark>;

/** The newest createdOn of a walk at one of its pages. */
const sighting = z.object({ createdOn: timestamp, listedOn: z.iso.datetime() });

type Sighting = z.infer<typeof sighting>;

export const drainProgress = z.object({
  /** The current walk. A walk of a release with other fields starts again. */
  walk: z.catch(z.optional(walk), undefined),
  /** The records to mark, until the platform has answered. Everything that is not newer is committed. */
  mark: z.optional(mark),
  /** Becomes a horizon once it is old enough. It stays until then, however many walks follow. */
  candidate: z.optional(sighting),
  /** The next candidate, from the latest page. */
  latest: z.optional(sighting),
  /** The horizon of the next walk: the latest candidate that is old enough. */
  horizon: z.optional(timestamp),
  /** The createdOn up to which records were marked. */
  marked: z.optional(timestamp),
  /** Consecutive marks that the platform has refused, until it accepts one, or lists none of our records. */
  refusedMarks: z.optional(count),
  /** What the last complete walk found. `waiting` counts records of our webhooks that these records keep from being marked. */
  foreign: z.optional(z.extend(foreign, { waiting: count })),
  /** What the last complete walk found. Their order is not known, so they are never marked themselves. */
  untimed: z.optional(count),
});

export type DrainProgress = z.infer<typeof drainProgress>;

export type WalkProgress = DrainProgress & { readonly walk: DrainWalk };

/** The latest candidate that is old enough becomes the horizon of the next walk. */
function settleHorizon(progress: DrainProgress, now: Date, settle: number): DrainProgress {
  const sightings = [progress.candidate, progress.latest].filter((one) => one !== undefined);
  const isSettled = ({ listedOn }: Sighting) => now.getTime() - Date.parse(listedOn) >= settle;
  const horizon = sightings.findLast(isSettled)?.createdOn ?? progress.horizon;
  const [candidate, latest] = sightings.filter((one) => !isSettled(one));
  return { ...progress, horizon, candidate, latest };
}

/** The current walk, or a new one from the first page. */
export function beginWalk(progress: DrainProgress, now: Date, settle: number): WalkProgress {
  if (progress.walk !== undefined) return { ...progress, walk: progress.walk };
  const { horizon, ...others } = settleHorizon(progress, now, settle);
  const walk: DrainWalk = {
    place: { trail: trailhead, failedRuns: 0 },
    bound: progress.foreign?.oldest,
    covered: 0,
    ours: 0,
    waiting: 0,
    late: 0,
    untimed: 0,
  };
  // A pending mark moves records, so the walk may skip some: it must mark nothing.
  return progress.mark === undefined ? { ...others, walk: { ...walk, horizon } } : { ...others, horizon, walk };
}

/** After a page. So a walk of hours leaves a horizon for the walk that follows immediately. */
export function raiseHorizon({ walk: walked, ...progress }: WalkProgress, now: Date, settle: number): WalkProgress {
  const settled = settleHorizon(progress, now, settle);
  if (walked.newest === undefined) return { ...settled, walk: walked };
  const sighting = { createdOn: walked.newest, listedOn: now.toISOString() };
  const { candidate = sighting } = settled;
  return { ...settled, candidate, latest: candidate === sighting ? undefined : sighting, walk: walked };
}

/**
 * The place of the page of this cursor; undefined at the end of the list: no cursor, or one that came before.
 *
 * @param members of the page that had the cursor
 */
export function follow(here: Place, cursor: string | undefined, members: readonly unknown[]): Place | undefined {
  const trail = followTrail(here.trail, here.cursor, cursor, members);
  return trail && { cursor, trail, failedRuns: 0 };
}

/** After the last page: sets the mark. */
export function endWalk({ walk: walked, ...progress }: WalkProgress): DrainProgress {
  const { watermark: newestCommitted, covered, ours, waiting, foreign: others, untimed } = walked;
  return {
    ...progress,
    mark: newestCommitted ? { ...newestCommitted, covered, isOursAlone: true } : progress.mark,
    refusedMarks: ours === 0 ? undefined : progress.refusedMarks,
    foreign: others && { ...others, waiting },
    untimed: untimed || undefined,
  };
}

/** After the platform has answered the mark. A walk that began before may not mark, so it is dropped. */
export function endMark(
  { walk: _, mark: done, ...progress }: DrainProgress & { readonly mark: Mark },
  isMarked: boolean,
): DrainProgress {
  return isMarked
    ? { ...progress, marked: newer(progress.marked, done.createdOn), refusedMarks: undefined }
    : { ...progress, refusedMarks: (progress.refusedMarks ?? 0) + 1 };
}

/** Runs that may fail at a page before the walk starts again: a platform may answer 500 to a cursor of yesterday. */
const maxFailedRuns = 3;

/** After a run that could not read the next page. */
export function recordFailedRun({ walk: walked, ...progress }: WalkProgress): DrainProgress {
  const failedRuns = walked.place.failedRuns + 1;
  if (failedRuns >= maxFailedRuns) return progress;
  return { ...progress, walk: { ...walked, place: { ...walked.place, failedRuns } } };
}

/** The next walk begins with the first page. */
export function dropWalk({ walk: _, ...progress }: DrainProgress): DrainProgress {
  return progress;
}
