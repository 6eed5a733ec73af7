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
  /** In milliseconds: work that takes less is compared again at the next size, and is fast enough at the largest. */
  readonly sureFrom: number;
};

/** Half the size. The ratio is 2 for linear work, and 4 for quadratic work. */
const toHalf: Comparison = { factor: 2, maxRatio: 3 };

/** A part so small that noise of a busy machine cannot hide what follows: linear work takes 8 times as long, quadratic 64 times. */
const toEighth: Comparison = { factor: 8, maxRatio: 18 };

/**
 * How the time grows when the size doubles, at a size for which the work takes some time. A ratio that is too high is
 * measured again with the next size: the collection of garbage makes one size look quadratic, but not each size after it. At
 * a size that takes long enough, the comparison with an eighth of it decides.
 *
 * @param prepare makes the work of a size
 */
export function growthOf(prepare: (size: number) => () => void, limits: GrowthLimits): Growth {
  const { smallest, largest, floor, sureFrom } = limits;
  let size = smallest;
  while (cpuTimeOf(prepare(size)) < floor && 2 * size <= largest) size *= 2;
  let growth = growthAt(size, prepare, toHalf);
  while (!growth.isLinear && growth.whole < sureFrom) {
    if (2 * size > largest) return { ...growth, isLinear: true };
    size *= 2;
    growth = growthAt(size, prepare, toHalf);
  }
  return growth.isLinear ? growth : growthAt(size, prepare, toEighth);
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
