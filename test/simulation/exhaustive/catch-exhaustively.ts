import type { PlantedBug } from '#test/simulation/bugs/planted-bug.ts';
import { type ExhaustiveOptions, runExhaustive } from './run-exhaustive.ts';
import type { EnumeratedFailure } from './worker.ts';

export type CatchOptions = Pick<ExhaustiveOptions, 'seed' | 'names' | 'maxFaults' | 'kinds' | 'callers' | 'workers'> & {
  readonly onCaught?: (caught: ExhaustivelyCaught) => void;
};

/** The result of a planted bug. */
export type ExhaustivelyCaught = {
  readonly bug: PlantedBug;
  /** The first history that broke a promise; undefined when none did. */
  readonly failure: EnumeratedFailure | undefined;
  /** Whether the broken promise is one that the bug names. */
  readonly isCaught: boolean;
};

/** Plants each bug alone, and runs small histories until a promise is broken. */
export async function catchExhaustively(
  bugs: readonly PlantedBug[],
  { workers, onCaught = () => undefined, ...options }: CatchOptions,
): Promise<readonly ExhaustivelyCaught[]> {
  const left = bugs.entries();
  const caughtBugs = new Map<number, ExhaustivelyCaught>();

  async function work(): Promise<void> {
    for (const [index, bug] of left) {
      const results = await runExhaustive({ ...options, workers: 1, bug, stopAtFailure: true });
      const caught = evaluate(
        bug,
        results.flatMap(({ failures }) => failures),
      );
      caughtBugs.set(index, caught);
      onCaught(caught);
    }
  }

  await Promise.all(Array.from({ length: workers }, work));
  return bugs.flatMap((_, index) => caughtBugs.get(index) ?? []);
}

function evaluate(bug: PlantedBug, failures: readonly EnumeratedFailure[]): ExhaustivelyCaught {
  const failure = failures.find(({ broken }) => broken !== undefined) ?? failures[0];
  const promise = failure?.broken?.promise;
  return { bug, failure, isCaught: promise !== undefined && bug.breaks.includes(promise) };
}
