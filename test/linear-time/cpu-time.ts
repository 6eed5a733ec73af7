/** In milliseconds: CPU time of this thread alone, so that what else the machine does counts less. */
export function cpuTimeOf(work: () => void): number {
  const { user, system } = process.threadCpuUsage();
  work();
  const after = process.threadCpuUsage();
  return (after.user - user + after.system - system) / 1_000;
}

const tries = 8;

/** In milliseconds: so much can be the collection of garbage. */
const noise = 5;

/** In milliseconds, of a size and of half of it. The ratio is 2 for linear work, and 4 for quadratic work. */
export type Growth = { readonly size: number; readonly half: number; readonly whole: number; readonly ratio: number };

export type GrowthLimits = {
  readonly smallest: number;
  readonly largest: number;
  /** In milliseconds: the size grows until the work takes as long. */
  readonly floor: number;
  readonly maxRatio: number;
};

/**
 * How the time grows when the size doubles, at a size for which the work takes some time. A ratio that is too high is looked
 * at again with the next size: memory that is cleared away at one size makes no work quadratic.
 *
 * @param prepare makes the work of a size
 */
export function growthOf(prepare: (size: number) => () => void, limits: GrowthLimits): Growth {
  const { smallest, largest, floor, maxRatio } = limits;
  let size = smallest;
  while (cpuTimeOf(prepare(size)) < floor && 2 * size <= largest) size *= 2;
  const growth = compare(size, prepare, limits);
  const isSure = growth.ratio < maxRatio || 2 * size > largest;
  return isSure ? growth : compare(2 * size, prepare, limits);
}

/** The shortest of several runs each: what the others took longer was not the work. */
function compare(size: number, prepare: (size: number) => () => void, { floor, maxRatio }: GrowthLimits): Growth {
  let [half, whole] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tried = 0; tried < tries; tried += 1) {
    half = Math.min(half, cpuTimeOf(prepare(size / 2)));
    whole = Math.min(whole, cpuTimeOf(prepare(size)));
    if (whole < floor || whole < 0.9 * maxRatio * half) break;
  }
  return { size, half, whole, ratio: whole / Math.max(half, noise) };
}
