import { runSeeds } from '#test/simulation/run-seeds.ts';
import type { Failure } from '#test/simulation/worker.ts';
import type { PlantedBug } from './planted-bug.ts';

/** The result of a planted bug. */
export type CaughtBug = {
  readonly bug: PlantedBug;
  /** The first history that broke a promise; undefined when none did. */
  readonly failure: Failure | undefined;
  /** The number of seeds until the failure. */
  readonly seeds: number;
  /** Whether the broken promise is one that the bug names. */
  readonly isCaught: boolean;
};

export type CatchOptions = {
  readonly seed: number;
  /** The maximum number of histories per bug. */
  readonly seeds: number;
  readonly workers: number;
  /** By the name of a bug: a seed whose history caught it before, which runs first. */
  readonly knownSeeds?: Readonly<Record<string, number>>;
  readonly onCaught?: (caught: CaughtBug) => void;
};

/** Plants each bug alone, and runs histories until a promise is broken. */
export async function catchBugs(
  bugs: readonly PlantedBug[],
  { seed, seeds, workers, knownSeeds = {}, onCaught = () => undefined }: CatchOptions,
): Promise<readonly CaughtBug[]> {
  const left = bugs.entries();
  const results = new Map<number, CaughtBug>();

  async function run(bug: PlantedBug, from: number, count: number): Promise<CaughtBug> {
    const { failures } = await runSeeds({ seed: from, seeds: count, workers: 1, bug, stopAtFailure: true });
    return evaluate(bug, failures, from);
  }

  async function work(): Promise<void> {
    for (const [index, bug] of left) {
      const known = knownSeeds[bug.name];
      const first = known === undefined ? undefined : await run(bug, known, 1);
      const caught = first?.isCaught ? first : await run(bug, seed, seeds);
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
