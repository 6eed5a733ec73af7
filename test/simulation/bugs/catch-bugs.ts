import { runSeeds } from '#test/simulation/run-seeds.ts';
import type { Failure } from '#test/simulation/worker.ts';
import type { PlantedBug } from './planted-bug.ts';

/** What became of a planted bug. */
export type CaughtBug = {
  readonly bug: PlantedBug;
  /** The first history that broke a promise; undefined where none did. */
  readonly failure: Failure | undefined;
  /** How many seeds it took. */
  readonly seeds: number;
  /** Whether the promise is one that the bug was known to break. */
  readonly isCaught: boolean;
};

export type CatchOptions = {
  readonly seed: number;
  /** For each bug, at the most. */
  readonly seeds: number;
  readonly workers: number;
  readonly onCaught?: (caught: CaughtBug) => void;
};

/** Plants each bug by itself, and runs histories until a promise is broken. */
export async function catchBugs(
  bugs: readonly PlantedBug[],
  { seed, seeds, workers, onCaught = () => undefined }: CatchOptions,
): Promise<readonly CaughtBug[]> {
  const left = bugs.entries();
  const results = new Map<number, CaughtBug>();

  async function work(): Promise<void> {
    for (const [index, bug] of left) {
      const { failures } = await runSeeds({ seed, seeds, workers: 1, bug, stopAtFailure: true });
      const caught = evaluate(bug, failures, seed);
      results.set(index, caught);
      onCaught(caught);
    }
  }

  await Promise.all(Array.from({ length: workers }, work));
  return bugs.flatMap((_, index) => results.get(index) ?? []);
}

function evaluate(bug: PlantedBug, failures: readonly Failure[], seed: number): CaughtBug {
  const failure = failures.find(({ broken }) => broken !== undefined) ?? failures[0];
  const promise = failure?.broken?.promise;
  const isCaught = promise !== undefined && bug.breaks.includes(promise);
  return { bug, failure, seeds: failure === undefined ? 0 : failure.options.seed - seed + 1, isCaught };
}
