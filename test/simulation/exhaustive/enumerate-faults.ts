import { formatTable } from '#sandbox/table.ts';
import { formatProgress } from '#test/simulation/progress.ts';
import { createPlatformAppForAll } from '#test/simulation/world/platform-app.ts';
import { readFaults } from './enumerated-fault.ts';
import { type ExhaustiveResult, runExhaustive } from './run-exhaustive.ts';
import { eventCounts } from './small-history.ts';
import { tellEnumerated } from './tell-enumerated.ts';

export type EnumerateOptions = {
  readonly seed: number;
  readonly workers: number;
  /** All of the small histories unless given. */
  readonly events?: number | undefined;
  /** Of the one history that is told; all are run unless given. */
  readonly faults?: string | undefined;
};

export type EnumerateDeps = {
  readonly print: (text: string) => void;
  readonly showProgress: (text: string) => void;
};

/** Failing histories that are told: one is read at a time. */
const mostStories = 3;

/** `npm run simulate -- --exhaustive`. Gives the exit code: 1 where a promise was broken. */
export async function enumerateFaults(options: EnumerateOptions, deps: EnumerateDeps): Promise<number> {
  const { seed, events, faults, workers } = options;
  if (faults !== undefined) return tellOne({ seed, events: events ?? 1, faults }, deps);
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const results = await runExhaustive({
    seed,
    events: events === undefined ? eventCounts : [events],
    most: 2,
    workers,
    onProgress: ({ events: now, done, all, seconds: since }) =>
      deps.showProgress(`${now} events: ${formatProgress(done, all, since)}`),
  });
  return report(results, { seed, seconds: seconds() }, deps);
}

async function tellOne(
  { seed, events, faults }: { readonly seed: number; readonly events: number; readonly faults: string },
  { print }: EnumerateDeps,
): Promise<number> {
  const options = { seed, events, faults: readFaults(faults) };
  const { text, isBroken } = await tellEnumerated(options, { app: createPlatformAppForAll() });
  print(text);
  return isBroken ? 1 : 0;
}

async function report(
  results: readonly ExhaustiveResult[],
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
  { print }: EnumerateDeps,
): Promise<number> {
  const app = createPlatformAppForAll();
  const failures = results.flatMap(({ events, failures: some }) => some.map((failure) => ({ ...failure, events })));
  for (const { events, faults, error } of failures.slice(0, mostStories)) {
    if (error !== undefined) print(`\nThe history with ${events} events and the faults ${faults} failed: ${error}`);
    else print(`\n${(await tellEnumerated({ seed, events, faults: readFaults(faults) }, { app })).text}`);
  }
  print(`\n${formatTable(['fault', 'times'], timesOf(results))}`);
  print(
    `\n${formatTable(['events', 'I/Os', 'occasions', 'faults', 'pairs of faults', 'broken'], results.map(rowOf))}\n`,
  );
  const done = results.reduce((sum, { histories }) => sum + histories.reduce((one, other) => one + other, 0), 0);
  print(`${done} histories in ${Math.round(seconds)} s, ${Math.round(done / seconds)} a second.`);
  print(failures.length === 0 ? 'No promise was broken.' : `FAILED: ${failures.length} histories.`);
  return failures.length === 0 ? 0 : 1;
}

function rowOf({ events, ios, occasions, histories, failures }: ExhaustiveResult): readonly number[] {
  return [events, ios, occasions, histories[1] ?? 0, histories[2] ?? 0, failures.length];
}

function timesOf(results: readonly ExhaustiveResult[]): readonly (readonly [string, number])[] {
  const times = new Map<string, number>();
  for (const { counts } of results) for (const [kind, count] of counts) times.set(kind, (times.get(kind) ?? 0) + count);
  return [...times];
}
