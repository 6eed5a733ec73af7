/** A part of the run. Returns what it saw, for the printed line. */
export type Step<Context> = {
  readonly name: string;
  readonly run: (context: Context) => Promise<string | Skipped>;
  /** No later step needs this one: they run concurrently. */
  readonly isIndependent?: boolean;
};

/** A step that has nothing to do on this machine or in this repository. */
export type Skipped = { readonly skipped: string };

export type StepResult = {
  readonly name: string;
  readonly result: 'passed' | 'skipped' | 'FAILED';
  readonly seconds: number;
};

export type RunStepsDeps = {
  /** In milliseconds. */
  readonly now: () => number;
  readonly print: (text: string) => void;
};

/** Runs the steps in order, and prints each with its time. Starts no step after one that failed, and waits for those that run. */
export async function runSteps<Context>(
  steps: readonly Step<Context>[],
  context: Context,
  { now, print }: RunStepsDeps,
): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  async function take({ name, run }: Step<Context>): Promise<void> {
    const startedAt = now();
    const { result, text } = await outcomeOf(run, context);
    const seconds = (now() - startedAt) / 1_000;
    results.push({ name, result, seconds });
    print(`${result.padEnd(7)}  ${seconds.toFixed(1).padStart(6)} s  ${name}\n${indented(text)}`);
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

type Outcome = Pick<StepResult, 'result'> & { readonly text: string };

async function outcomeOf<Context>(run: Step<Context>['run'], context: Context): Promise<Outcome> {
  try {
    const seen = await run(context);
    return typeof seen === 'string' ? { result: 'passed', text: seen } : { result: 'skipped', text: seen.skipped };
  } catch (error) {
    return { result: 'FAILED', text: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

const indented = (text: string) =>
  text
    .split('\n')
    .map((line) => `${' '.repeat(19)}${line}`)
    .join('\n');
