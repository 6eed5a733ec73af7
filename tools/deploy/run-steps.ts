import { once } from 'node:events';

/** A part of the run. Returns what it saw, for the printed line. */
export type Step<Context> = {
  readonly name: string;
  readonly run: (context: Context) => Promise<string | Skipped>;
  /** Why the step cannot run here, such as `not supported here: …`. Undefined if it can. */
  readonly whyNot?: (context: Context) => string | undefined;
  /** No later step needs this one: they run concurrently. */
  readonly isIndependent?: boolean;
};

/** A step that has nothing to do on this machine or in this repository. */
export type Skipped = { readonly skipped: string };

export type StepResult = {
  readonly name: string;
  readonly result: 'passed' | 'skipped' | 'FAILED';
  readonly seconds: number;
  /** What it saw, or why it did not run or failed. */
  readonly text: string;
  readonly startedOn: string;
};

export type RunStepsDeps = {
  /** In milliseconds. */
  readonly now: () => number;
  readonly today: () => Date;
  readonly print: (text: string) => void;
  /** Abandons the steps that run, and starts no later one. */
  readonly signal?: AbortSignal | undefined;
};

/** Runs the steps in order, and prints each with its time. Starts no step after one that failed, and waits for those that run. */
export async function runSteps<Context>(
  steps: readonly Step<Context>[],
  context: Context,
  { now, today, print, signal }: RunStepsDeps,
): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  const isInterrupted = () => signal?.aborted === true;
  const interruption = signal && once(signal, 'abort').then(() => interrupted);
  async function take({ name, ...step }: Step<Context>): Promise<void> {
    const startedAt = now();
    const startedOn = today().toISOString();
    const { result, text } = await outcomeUnlessInterrupted(step);
    const seconds = (now() - startedAt) / 1_000;
    results.push({ name, result, seconds, text, startedOn });
    print(`${result.padEnd(7)}  ${seconds.toFixed(1).padStart(6)} s  ${name}\n${indented(text)}`);
  }
  async function outcomeUnlessInterrupted({ run, whyNot }: Pick<Step<Context>, 'run' | 'whyNot'>): Promise<Outcome> {
    if (isInterrupted()) return interrupted;
    const skipped = whyNot?.(context);
    if (skipped !== undefined) return skip(skipped);
    const outcome = outcomeOf(run, context);
    const first = await (interruption === undefined ? outcome : Promise.race([interruption, outcome]));
    // The interrupt of a terminal ends the tools of the step, too.
    return isInterrupted() ? interrupted : first;
  }
  const independent: Promise<void>[] = [];
  for (const step of steps) {
    if (step.isIndependent === true) independent.push(take(step));
    else await take(step);
    if (results.some(({ result }) => result === 'FAILED')) break;
  }
  await Promise.all(independent);
  return results;
}

type Outcome = Pick<StepResult, 'result' | 'text'>;

const interrupted: Outcome = { result: 'FAILED', text: 'interrupted' };

const skip = (text: string): Outcome => ({ result: 'skipped', text });

async function outcomeOf<Context>(run: Step<Context>['run'], context: Context): Promise<Outcome> {
  try {
    const seen = await run(context);
    return typeof seen === 'string' ? { result: 'passed', text: seen } : skip(seen.skipped);
  } catch (error) {
    return { result: 'FAILED', text: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

const indented = (text: string) =>
  text
    .split('\n')
    .map((line) => `${' '.repeat(19)}${line}`)
    .join('\n');
