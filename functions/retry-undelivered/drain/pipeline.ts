export type Pipeline = {
  /**
   * Adds work that has begun. `finish` gets its result once all that was added before is finished. Resolves when there is room for
   * more work.
   *
   * @throws the first failure of what was added before
   */
  readonly add: <Result>(work: Promise<Result>, finish: (result: Result) => Promise<void>) => Promise<void>;
  /** Resolves when all is finished. After a failure waits for the work under way. @throws the first failure */
  readonly end: () => Promise<void>;
};

/** Several pieces of work at the same time, which are finished in their order. After a failure nothing more is finished. */
export function createPipeline(maxUnderWay: number): Pipeline {
  let finished: Promise<void> = Promise.resolve();
  const underWay: { readonly work: Promise<unknown>; readonly finished: Promise<void> }[] = [];
  return {
    add: async (work, finish) => {
      finished = Promise.all([work, finished]).then(([result]) => finish(result));
      // It is awaited later.
      finished.catch(() => undefined);
      underWay.push({ work, finished });
      if (underWay.length >= maxUnderWay) await underWay.shift()?.finished;
    },
    end: async () => {
      await Promise.allSettled(underWay.map(({ work }) => work));
      await finished;
    },
  };
}
