import { type PromiseNumber, promiseNumbers } from './promise.ts';

/** Counts what was held against a promise, such as an entity, a mark or a log line. @param times how many of them */
export type Judged = (promise: PromiseNumber, times?: number) => void;

/** How often something was held against each promise, with 0 for a promise that was not checked. */
export type Judgements = ReadonlyMap<PromiseNumber, number>;

export type Tally = {
  readonly judged: Judged;
  /** Adds the counts of other histories. */
  readonly add: (judgements: Judgements) => void;
  readonly judgements: () => Judgements;
};

/**
 * Counts how often each promise was checked, because a promise that was never checked was not shown to be kept. A check counts
 * each thing that it judges: without any, it counts nothing.
 */
export function createTally(): Tally {
  const counts = new Map<PromiseNumber, number>(promiseNumbers.map((promise) => [promise, 0]));
  const judged: Judged = (promise, times = 1) => {
    counts.set(promise, (counts.get(promise) ?? 0) + times);
  };
  return {
    judged,
    add: (judgements) => {
      for (const [promise, times] of judgements) judged(promise, times);
    },
    judgements: () => counts,
  };
}
