/** In milliseconds: some kernels count the CPU time of a thread in steps of this length. */
const tick = 4;

/**
 * In milliseconds: the CPU time of this thread, so that other processes count less. The elapsed time where that is shorter: no
 * work takes more CPU time, and short work falls between two ticks.
 */
export function cpuTimeOf(work: () => void): number {
  const start = performance.now();
  const { user, system } = process.threadCpuUsage();
  work();
  const after = process.threadCpuUsage();
  return Math.min(performance.now() - start, (after.user - user + after.system - system) / 1_000 + tick);
}

/** A measurement that looks linear ends the tries, so many of them cost time only where the work looks quadratic. */
const maxTries = 8;

/** In milliseconds: what another process can take from a short run. */
const interruption = 20;

/** In milliseconds: a shorter time is mostly that of the measurement. */
const minTimeSeconds = 0.1;

/** In milliseconds, of a size and of a part of it. */
export type Growth = {
  readonly size: number;
  readonly part: number;
  readonly whole: number;
  readonly isLinear: boolean;
};

/** How many times smaller the part is, and how many times longer the whole may take. */
export type Comparison = { readonly factor: number; readonly maxRatio: number };

export type GrowthLimits = {
  readonly smallest: number;
  readonly largest: number;
  /** In milliseconds: the size grows until the work takes as long. */
  readonly floor: number;
  /** The size of work that looks quadratic grows up to here. */
  readonly largestInDoubt: number;
  /** In milliseconds: work that looks quadratic and takes as long grows no more. */
  readonly sureFrom: number;
};

/** Half the size. The ratio is 2 for linear work, and 4 for quadratic work. */
const toHalf: Comparison = { factor: 2, maxRatio: 3 };

/**
 * Linear work takes 64 times as long, quadratic work 4,096 times, and the limit is as far from the one as from the other.
 * Memory that is touched for the first time makes the same linear work up to six times slower from some size on, which a
 * smaller factor takes for quadratic work.
 */
export const toSixtyFourth: Comparison = { factor: 64, maxRatio: 512 };

/**
 * How the time grows when the size doubles, at a size for which the work takes some time. A ratio that is too high is
 * measured again with the next size: garbage and new memory make one size look quadratic, but not each size after it. Work
 * that looks quadratic to the last is compared with a sixty-fourth of its size.
 *
 * @param prepare makes the work of a size
 */
export function growthOf(prepare: (size: number) => () => void, limits: GrowthLimits): Growth {
  const { smallest, largest, floor, largestInDoubt, sureFrom } = limits;
  let size = smallest;
  while (cpuTimeOf(prepare(size)) < floor && 2 * size <= largest) size *= 2;
  let growth = growthAt(size, prepare, toHalf);
  while (!growth.isLinear && growth.whole < sureFrom && 2 * size <= largestInDoubt) {
    size *= 2;
    growth = growthAt(size, prepare, toHalf);
  }
  return growth.isLinear ? growth : growthAt(size, prepare, toSixtyFourth);
}

/** The growth at one size. Of several runs the shortest counts: what the others took longer was not the work. */
export function growthAt(size: number, prepare: (size: number) => () => void, comparison: Comparison): Growth {
  const { factor, maxRatio } = comparison;
  const partAgain = () => cpuTimeOf(prepare(size / factor));
  // Too long a time of the part would hide that the whole takes too long. So it runs once more than the whole; and where
  // it is so short that one interruption falsifies it, as often as takes the time of the whole.
  const timeOfPart = () => {
    const time = partAgain();
    return time < interruption ? Math.min(time, ...Array.from({ length: factor }, partAgain)) : time;
  };
  let part = timeOfPart();
  let whole = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < maxTries; tried += 1) {
    whole = Math.min(whole, cpuTimeOf(prepare(size)));
    part = Math.min(part, timeOfPart());
    if (whole < maxRatio * part) break;
  }
  return { size, part, whole, isLinear: whole < maxRatio * Math.max(part, minTimeSeconds) };
}
