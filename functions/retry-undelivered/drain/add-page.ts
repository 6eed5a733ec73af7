import { platformId } from '#shared/platform/fields/fields.ts';
import { isNewer, newer, older } from './created-on.ts';
import type { Walk } from './drain-progress.ts';

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
