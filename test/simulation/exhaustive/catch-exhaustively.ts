import type { PlantedBug } from '#test/simulation/bugs/planted-bug.ts';
import { runExhaustive } from './run-exhaustive.ts';
import type { EnumeratedFailure } from './worker.ts';

export type CatchOptions = {
  readonly seed: number;
  readonly events: number;
  readonly workers: number;
  readonly onCaught?: (caught: ExhaustivelyCaught) => void;
};

/** What became of a planted bug. */
export type ExhaustivelyCaught = {
  readonly bug: PlantedBug;
  /** The first history that broke a promise; undefined where none did. */
  readonly failure: EnumeratedFailure | undefined;
  /** Whether the promise is one that the bug was known to break. */
  readonly isCaught: boolean;
};

/** Plants each bug by itself, and runs a small history with each fault until a promise is broken. */
export async function catchExhaustively(
  bugs: readonly PlantedBug[],
  { seed, events, workers, onCaught = () => undefined }: CatchOptions,
): Promise<readonly ExhaustivelyCaught[]> {
  const left = bugs.entries();
  const results = new Map<number, ExhaustivelyCaught>();

  async function work(): Promise<void> {
    for (const [index, bug] of left) {
      const [result] = await runExhaustive({ seed, events: [events], most: 1, workers: 1, bug, stopAtFailure: true });
      const caught = judge(bug, result?.failures ?? []);
      results.set(index, caught);
      onCaught(caught);
    }
  }

  await Promise.all(Array.from({ length: workers }, work));
  return bugs.flatMap((_, index) => results.get(index) ?? []);
}

function judge(bug: PlantedBug, failures: readonly EnumeratedFailure[]): ExhaustivelyCaught {
  const failure = failures.find(({ broken }) => broken !== undefined) ?? failures[0];
  const promise = failure?.broken?.promise;
  return { bug, failure, isCaught: promise !== undefined && bug.breaks.includes(promise) };
}
