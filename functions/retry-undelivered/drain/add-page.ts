import { platformId } from '#shared/platform/fields/fields.ts';
import { isNewer, newer, older } from './created-on.ts';
import type { DrainProgress, Walk } from './drain-progress.ts';

/** What a record means for the marks, as far as it can be read. */
export type Listed = {
  readonly id: string | undefined;
  readonly createdOn: string | undefined;
  /** Of a record of another system alone. */
  readonly foreignOrigin?: string | undefined;
};

/** What a walk has to know of the progress. */
export type Known = Pick<DrainProgress, 'marked' | 'refused'>;

/** The walk after a page of which each record of ours is committed. */
export function addPage(walked: Walk, listed: readonly Listed[], known: Known): Walk {
  return listed.reduce((sofar, record) => addRecord(sofar, record, known), walked);
}

function addRecord(walked: Walk, record: Listed, { marked, refused }: Known): Walk {
  const { id, createdOn, foreignOrigin } = record;
  const listsRefused = walked.listsRefused || (id !== undefined && refused?.ids.includes(id) === true);
  const sofar = createdOn === undefined ? walked : { ...walked, newest: newer(walked.newest, createdOn) };
  if (foreignOrigin !== undefined) return addForeign({ ...sofar, listsRefused }, createdOn, foreignOrigin);
  return createdOn === undefined
    ? { ...sofar, listsRefused, untimed: walked.untimed + 1 }
    : addOurs({ ...sofar, listsRefused }, id, createdOn, marked);
}

function addOurs(walked: Walk, id: string | undefined, createdOn: string, marked: string | undefined): Walk {
  const { horizon, bound, covered, late, free, waiting } = walked;
  const isFree = isOlderThan(bound, createdOn);
  const isCovered = isFree && horizon !== undefined && !isNewer(createdOn, horizon);
  return {
    ...walked,
    oldest: older(walked.oldest, createdOn),
    ...(isFree ? { free: free + 1, newestFree: newer(walked.newestFree, createdOn) } : { waiting: waiting + 1 }),
    covered: covered + Number(isCovered),
    late: late + Number(marked !== undefined && isNewer(marked, createdOn)),
    watermark:
      isCovered && platformId.safeParse(id).success ? raise(walked.watermark, String(id), createdOn) : walked.watermark,
  };
}

function addForeign(walked: Walk, createdOn: string | undefined, origin: string): Walk {
  const counted = { ...walked, foreign: walked.foreign + 1, foreignOrigin: walked.foreignOrigin ?? origin };
  if (createdOn === undefined) return { ...counted, hasUntimedForeign: true };
  const bounded = { ...counted, oldestForeign: older(walked.oldestForeign, createdOn) };
  return isOlderThan(walked.bound, createdOn) ? lowerBound(bounded, createdOn) : bounded;
}

/**
 * The walk with an older record of another system. What it has forgotten of older records of ours, the next walk learns
 * again, which begins with this bound.
 */
function lowerBound(walked: Walk, bound: string): Walk {
  const { watermark: sofar, newestFree, free, waiting } = walked;
  const isHeldUp = (createdOn: string | undefined) => createdOn !== undefined && !isOlderThan(bound, createdOn);
  return {
    ...walked,
    bound,
    ...(isHeldUp(sofar?.createdOn) && { watermark: undefined, covered: 0 }),
    ...(isHeldUp(newestFree) && { newestFree: undefined, free: 0, waiting: waiting + free }),
  };
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
