import { formatTable } from '#sandbox/terminal/table.ts';
import { formatPromises } from '#test/simulation/format-promises.ts';
import { formatProgress } from '#test/simulation/progress.ts';
import { createTally } from '#test/simulation/promises/tally.ts';
import { createPlatformAppForAll } from '#test/simulation/system/platform-app.ts';
import { readFaults } from './enumerated-fault.ts';
import { type ExhaustiveOptions, type ExhaustiveResult, runExhaustive } from './run-exhaustive.ts';
import { situations } from './situations.ts';
import { eventCounts, type HistoryName, longerHistories, pairedInLonger } from './small-history.ts';
import { traceEnumerated } from './trace-enumerated.ts';

export type EnumerateOptions = {
  readonly seed: number;
  readonly workers: number;
  /** The small history to run. The default is all of them. */
  readonly name?: HistoryName | undefined;
  /** The faults of one history to trace. By default, all faults are run. */
  readonly faults?: string | undefined;
};

export type EnumerateDeps = {
  readonly print: (text: string) => void;
  readonly showProgress: (text: string) => void;
};

/** Part of the report, because the number of histories is not that of all possible ones. */
const leftOut =
  'Left out are faults that show the same as another one: to a read, whether and when the service performs it; to the parts of a list that ' +
  'are read at once, all except the first, the last and one in the middle. Pairs leave out a second duration, and errors with another name.';

/** The maximum number of failing histories that are traced. */
const maxTraces = 3;

/** Implements `npm run simulate -- --exhaustive`. Returns the exit code, which is 1 when a promise was broken. */
export async function enumerateFaults(options: EnumerateOptions, deps: EnumerateDeps): Promise<number> {
  const { seed, name, faults, workers } = options;
  if (faults !== undefined) return traceOne({ seed, name: name ?? 1, faults }, deps);
  const startedAt = performance.now();
  const onProgress: ExhaustiveOptions['onProgress'] = ({ name: now, done, all, seconds: since }) =>
    deps.showProgress(`${nameOf(now)}: ${formatProgress(done, all, since)}`);
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const results: ExhaustiveResult[] = [];
  for (const run of planRuns(name)) results.push(...(await runExhaustive({ ...run, seed, workers, onProgress })));
  return report(results, { seed, seconds: seconds() }, deps);
}

/**
 * The runs per history. A history of events runs all its pairs only if it is named: those of the longest take minutes. All pairs of the
 * longer histories would take hours, so these only pair the kinds of `pairedInLonger`.
 */
function planRuns(name: HistoryName | undefined): readonly Pick<ExhaustiveOptions, 'names' | 'maxFaults' | 'kinds'>[] {
  const isMeant = (one: HistoryName) => name === undefined || name === one;
  const longer = longerHistories.filter(isMeant);
  return [
    { names: eventCounts.filter(isMeant), maxFaults: name === undefined ? 1 : 2 },
    { names: longer, maxFaults: 1 },
    { names: longer, maxFaults: 2, kinds: pairedInLonger },
    { names: situations.filter(isMeant), maxFaults: 1 },
  ];
}

function nameOf(name: HistoryName): string {
  return typeof name === 'number' ? `${name} events` : name;
}

async function traceOne(
  { seed, name, faults }: { readonly seed: number; readonly name: HistoryName; readonly faults: string },
  { print }: EnumerateDeps,
): Promise<number> {
  const options = { seed, name, faults: readFaults(faults) };
  const { text, isBroken } = await traceEnumerated(options, { app: createPlatformAppForAll() });
  print(text);
  return isBroken ? 1 : 0;
}

async function report(
  results: readonly ExhaustiveResult[],
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
  { print }: EnumerateDeps,
): Promise<number> {
  const app = createPlatformAppForAll();
  const failures = results.flatMap(({ name, failures: some }) => some.map((failure) => ({ ...failure, name })));
  for (const { name, faults, error } of failures.slice(0, maxTraces)) {
    if (error !== undefined) print(`\nThe history of ${nameOf(name)} with the faults ${faults} failed: ${error}`);
    else print(`\n${(await traceEnumerated({ seed, name, faults: readFaults(faults) }, { app })).text}`);
  }
  print(`\n${formatTable(['fault', 'times'], timesOf(results))}`);
  print(
    `\n${formatTable(['history', 'I/Os', 'fault points', 'faults', 'pairs of faults', 'broken'], results.map(rowOf))}\n`,
  );
  const tally = createTally();
  for (const { judgements } of results) tally.add(judgements);
  print(`${formatPromises({ judgements: tally.judgements(), failures })}\n`);
  const done = results.reduce((sum, { histories }) => sum + histories.reduce((one, other) => one + other, 0), 0);
  print(`${leftOut}\n`);
  print(`${done} histories in ${Math.round(seconds)} s, ${Math.round(done / seconds)} per second.`);
  print(failures.length === 0 ? 'No promise was broken.' : `FAILED: ${failures.length} histories.`);
  return failures.length === 0 ? 0 : 1;
}

function rowOf({ name, ios, faultPoints, histories, failures }: ExhaustiveResult): readonly (string | number)[] {
  return [nameOf(name), ios, faultPoints, histories[1] ?? 0, histories[2] ?? 0, failures.length];
}

function timesOf(results: readonly ExhaustiveResult[]): readonly (readonly [string, number])[] {
  const times = new Map<string, number>();
  for (const { counts } of results) for (const [kind, count] of counts) times.set(kind, (times.get(kind) ?? 0) + count);
  return [...times];
}
