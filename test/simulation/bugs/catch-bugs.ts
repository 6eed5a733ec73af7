import { mapConcurrent } from '#shared/map-concurrent.ts';
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

/** Plants each bug separately: first with its known seed, and then with all workers for each bug that no known seed catches. */
export async function catchBugs(
  bugs: readonly PlantedBug[],
  { seed, seeds, workers, knownSeeds = {}, onCaught = () => undefined }: CatchOptions,
): Promise<readonly CaughtBug[]> {
  const results = new Map<PlantedBug, CaughtBug>();

  function add(caught: CaughtBug): void {
    results.set(caught.bug, caught);
    onCaught(caught);
  }

  await mapConcurrent(bugs, workers, async (bug) => {
    const known = knownSeeds[bug.name];
    if (known === undefined) return;
    const { failures } = await runSeeds({ seed: known, seeds: 1, workers: 1, bug });
    const caught = evaluate(bug, failures, known);
    if (caught.isCaught) add(caught);
  });
  for (const bug of bugs) {
    if (results.has(bug)) continue;
    const { failures } = await runSeeds({ seed, seeds, workers, bug, stopAtFailure: true });
    add(evaluate(bug, failures, seed));
  }
  return bugs.flatMap((bug) => results.get(bug) ?? []);
}

function evaluate(bug: PlantedBug, failures: readonly Failure[], seed: number): CaughtBug {
  const failure = failures.find(({ broken }) => broken !== undefined) ?? failures[0];
  const promise = failure?.broken?.promise;
  const isCaught = promise !== undefined && bug.breaks.includes(promise);
  return { bug, failure, seeds: failure === undefined ? 0 : failure.options.seed - seed + 1, isCaught };
}
