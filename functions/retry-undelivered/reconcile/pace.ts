/** Resolves when the next call may begin. @throws the signal's reason when it is aborted before */
export type Pace = (signal: AbortSignal) => Promise<void>;

export type PaceDeps = {
  readonly callsPerSecond: number;
  readonly now: () => Date;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it is aborted before. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};

/** Lets calls begin no faster than at this rate: time that was not used is not saved up. */
export function createPace({ callsPerSecond, now, wait }: PaceDeps): Pace {
  const interval = 1_000 / callsPerSecond;
  let next = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    signal.throwIfAborted();
    const time = now().getTime();
    const begins = Math.max(time, next);
    next = begins + interval;
    if (begins > time) await wait(begins - time, signal);
  };
}
