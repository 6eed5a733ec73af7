import * as z from 'zod/mini';
import { cursorTrail, followTrail, trailhead } from '#shared/platform/client/cursor-trail.ts';
import { platformId } from '#shared/platform/fields/fields.ts';
import { compareTimestamps, timestamp } from '#shared/platform/fields/timestamp.ts';

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

/** What a record means for the marks, as far as it can be read. */
export type Listed = {
  readonly id: string | undefined;
  readonly createdOn: string | undefined;
  /** Of a record of another system alone. */
  readonly foreignOrigin?: string | undefined;
};

/** A record of another system without a time may be older than any: no time can be older than this. */
const beforeAll = '0000-01-01T00:00:00+23:59';

/**
 * The walk after a page of which each record of ours is committed.
 *
 * @param marked up to when records were marked before the walk began
 */
export function addPage(walked: Walk, listed: readonly Listed[], marked: string | undefined): Walk {
  return listed.reduce((sofar, record) => addRecord(sofar, record, marked), walked);
}

function addRecord(walked: Walk, { id, createdOn, foreignOrigin }: Listed, marked: string | undefined): Walk {
  const sofar = createdOn === undefined ? walked : { ...walked, newest: newer(walked.newest, createdOn) };
  if (foreignOrigin !== undefined) return addForeign(sofar, createdOn ?? beforeAll, foreignOrigin);
  return createdOn === undefined ? { ...sofar, untimed: walked.untimed + 1 } : addOurs(sofar, id, createdOn, marked);
}

function addOurs(walked: Walk, id: string | undefined, createdOn: string, marked: string | undefined): Walk {
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
 * The walk with a record of another system. What it has counted of older records of ours under a higher bound, the next walk
 * counts again, which begins with this bound.
 */
function addForeign(walked: Walk, createdOn: string, origin: string): Walk {
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

/** How old the oldest record of ours is that the platform should have marked by now; undefined where there is none. */
export function oldestToMark({ bound, oldest }: Walk): string | undefined {
  return oldest !== undefined && isOlderThan(bound, oldest) ? oldest : undefined;
}

/** The most records of one time that are marked one by one. Those left over come with the next walk. */
const maxIds = 20;

function raise(sofar: Walk['watermark'], id: string, createdOn: string): Walk['watermark'] {
  if (sofar === undefined || isNewer(createdOn, sofar.createdOn)) return { createdOn, ids: [id] };
  const isOfThatTime = !isNewer(sofar.createdOn, createdOn);
  const isAnother = isOfThatTime && sofar.ids.length < maxIds && !sofar.ids.includes(id);
  return isAnother ? { ...sofar, ids: [...sofar.ids, id] } : sofar;
}

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

/** Records of another system's webhooks. */
const foreign = z.object({
  listed: z.int().check(z.positive()),
  /** The createdOn of the oldest of them. Release 0.2.0 had none where no time could be read. */
  oldest: z.optional(timestamp),
  /** Where the webhook of the first that was listed is: its scheme and host. */
  origin: z.string(),
});

/** Where in the list a walk is. */
const place = z.object({
  /** Of the page that comes next; none for the first. */
  cursor: z.optional(z.string()),
  trail: cursorTrail,
  /** Runs in a row that could not read that page. */
  failedRuns: count,
});

export type Place = z.infer<typeof place>;

const walk = z.object({
  place,
  /** Nothing newer may be marked; nothing at all where there is none. */
  horizon: z.optional(timestamp),
  /** The oldest record of another system, of this walk or the one before: only what is older may be marked. */
  bound: z.optional(timestamp),
  watermark: z.optional(watermark),
  /** Records that the watermark would mark: those not newer than the horizon, and older than the bound. */
  covered: count,
  /** Of all records that it has listed. */
  newest: z.optional(timestamp),
  /** Records of ours with a time, and the oldest of them. */
  ours: count,
  oldest: z.optional(timestamp),
  /** Records of ours that were not older than the bound when they were listed. */
  waiting: count,
  foreign: z.optional(foreign),
  /** Records of ours that are older than what was marked before the walk began. */
  late: count,
  /** Records of ours without a time that can be read. */
  untimed: count,
});

export type Walk = z.infer<typeof walk>;

const mark = z.extend(watermark, {
  covered: count,
  /** No record of another system is as old. A mark that an earlier release has written down does not say so, and is not sent. */
  isOursAlone: z.literal(true),
});

export type Mark = z.infer<typeof mark>;

/** The newest createdOn of a walk at one of its pages. */
const sighting = z.object({ createdOn: timestamp, listedOn: z.iso.datetime() });

type Sighting = z.infer<typeof sighting>;

export const drainProgress = z.object({
  /** The walk that is under way. One of a release that kept other fields begins again. */
  walk: z.catch(z.optional(walk), undefined),
  /** What is to be marked, until the platform has answered. All that is not newer is committed. */
  mark: z.optional(mark),
  /** A horizon, once it has been known for long enough. It stays until then, however many walks follow. */
  candidate: z.optional(sighting),
  /** The next candidate: of the latest page. */
  latest: z.optional(sighting),
  /** The latest that has been known for long enough: of the next walk. */
  horizon: z.optional(timestamp),
  /** Up to when records were marked. */
  marked: z.optional(timestamp),
  /** Marks in a row that the platform has refused, until it takes one, or lists no record of ours. */
  refusedMarks: z.optional(count),
  /** As the last walk that came to its end has found them. Those that wait are records of ours that cannot be marked because of them. */
  foreign: z.optional(z.extend(foreign, { waiting: count })),
  /** As the last walk that came to its end has found them. Nothing says which record is older: none of them is marked for itself. */
  untimed: z.optional(count),
});

export type DrainProgress = z.infer<typeof drainProgress>;

export type WalkProgress = DrainProgress & { readonly walk: Walk };

/** What has been known for long enough becomes the horizon of the next walk. */
function settleHorizon(progress: DrainProgress, now: Date, settle: number): DrainProgress {
  const sightings = [progress.candidate, progress.latest].filter((one) => one !== undefined);
  const isSettled = ({ listedOn }: Sighting) => now.getTime() - Date.parse(listedOn) >= settle;
  const horizon = sightings.findLast(isSettled)?.createdOn ?? progress.horizon;
  const [candidate, latest] = sightings.filter((one) => !isSettled(one));
  return { ...progress, horizon, candidate, latest };
}

/** The walk that is under way, or one from the first page. */
export function beginWalk(progress: DrainProgress, now: Date, settle: number): WalkProgress {
  if (progress.walk !== undefined) return { ...progress, walk: progress.walk };
  const { horizon, ...others } = settleHorizon(progress, now, settle);
  const walk: Walk = {
    place: { trail: trailhead, failedRuns: 0 },
    bound: progress.foreign?.oldest,
    covered: 0,
    ours: 0,
    waiting: 0,
    late: 0,
    untimed: 0,
  };
  // It may skip what the mark moves: it marks nothing.
  return progress.mark === undefined ? { ...others, walk: { ...walk, horizon } } : { ...others, horizon, walk };
}

/** After a page. A walk of hours so leaves a horizon for the walk that follows at once. */
export function raiseHorizon({ walk: walked, ...progress }: WalkProgress, now: Date, settle: number): WalkProgress {
  const settled = settleHorizon(progress, now, settle);
  if (walked.newest === undefined) return { ...settled, walk: walked };
  const sighting = { createdOn: walked.newest, listedOn: now.toISOString() };
  const { candidate = sighting } = settled;
  return { ...settled, candidate, latest: candidate === sighting ? undefined : sighting, walk: walked };
}

/**
 * The place of the page of this cursor; undefined at the end: no cursor, or one that has been there before.
 *
 * @param members of the page that the cursor came with
 */
export function follow(here: Place, cursor: string | undefined, members: readonly unknown[]): Place | undefined {
  const trail = followTrail(here.trail, here.cursor, cursor, members);
  return trail && { cursor, trail, failedRuns: 0 };
}

/** After the last page: what may be marked. */
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

/** After the platform has answered to the mark. A walk that began before may not mark: the next one may. */
export function endMark(
  { walk: _, mark: done, ...progress }: DrainProgress & { readonly mark: Mark },
  isMarked: boolean,
): DrainProgress {
  return isMarked
    ? { ...progress, marked: newer(progress.marked, done.createdOn), refusedMarks: undefined }
    : { ...progress, refusedMarks: (progress.refusedMarks ?? 0) + 1 };
}

/** Runs that may fail at a page before the walk is given up: a platform may answer 500 to a cursor of yesterday. */
const maxFailedRuns = 3;

/** After a run that could not read the next page. */
export function recordFailedRun({ walk: walked, ...progress }: WalkProgress): DrainProgress {
  const failedRuns = walked.place.failedRuns + 1;
  if (failedRuns >= maxFailedRuns) return progress;
  return { ...progress, walk: { ...walked, place: { ...walked.place, failedRuns } } };
}

/** The next walk begins with the first page. */
export function giveUpWalk({ walk: _, ...progress }: DrainProgress): DrainProgress {
  return progress;
}
