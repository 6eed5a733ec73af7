import { CheckpointConflictError } from '#shared/aws/checkpoint.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { FillPersonIndex } from '#shared/persons/fill-person-index.ts';

export type FillIndexDeps = {
  readonly fillPersonIndex: FillPersonIndex;
  readonly now: () => Date;
  readonly log: Log;
};

/** In milliseconds: the part of a run that fills the index of persons. The rest is for reconciliation. */
const shareMs = 4 * 60_000;

/**
 * Goes on with the index of persons, which has the events of an earlier release after some runs. Reconciliation does not wait for the index:
 * what fails here is logged, and goes on with the next run.
 */
export function createFillIndex({ fillPersonIndex, now, log }: FillIndexDeps): () => Promise<void> {
  return async () => {
    const until = now().getTime() + shareMs;
    try {
      await fillPersonIndex(() => now().getTime() < until);
    } catch (error) {
      if (!(error instanceof CheckpointConflictError)) log.error('index of persons not filled', { error });
    }
  };
}
