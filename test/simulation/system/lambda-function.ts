import { type FunctionName, functionTimeouts } from '#test/simulation/declared.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Handler } from '#test/simulation/functions/build-handler.ts';
import type { SimulatedProcess } from '#test/simulation/scheduler/process.ts';
import type { Scheduler } from '#test/simulation/scheduler/scheduler.ts';

/** The result of an invocation. */
export type Outcome = { readonly answer: unknown } | { readonly failure: string };

export type LambdaFunction = {
  /** Resolves with the result within the timeout of the function, after which Lambda ends the process. */
  readonly invoke: (event: unknown) => Promise<Outcome>;
  /** Makes later invocations run in new processes with the new configuration. */
  readonly configure: () => void;
};

export type LambdaFunctionDeps = {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  /** Starts a process, and loads the function in it. */
  readonly start: () => Environment;
  readonly trace: (who: string, what: string) => void;
  /** Receives each invocation. */
  readonly onInvoke?: (process: SimulatedProcess, event: unknown) => void;
};

/** A process with a loaded function. The process handles one invocation at a time and is frozen in between. */
export type Environment = { readonly process: SimulatedProcess; readonly handler: Handler };

/** A Lambda function with one process per concurrent invocation. Idle processes are reused until they end. */
export function createLambdaFunction(
  name: FunctionName,
  { scheduler, faults, start, trace, onInvoke = () => undefined }: LambdaFunctionDeps,
): LambdaFunction {
  const timeLimit = functionTimeouts[name] * 1_000;
  let idle: readonly Environment[] = [];
  let configurations = 0;

  function take(): Environment {
    // A request that is still under way can end an idle process. Lambda does not invoke such a process again.
    const [warm, ...others] = idle.filter(({ process }) => !process.isDead());
    if (warm === undefined) return start();
    idle = others;
    if (faults.happens('cold start')) return start();
    warm.process.thaw();
    return warm;
  }

  function invoke(event: unknown): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const environment = take();
    const configuration = configurations;
    const { process, handler } = environment;
    onInvoke(process, event);
    const endsAt = scheduler.now() + timeLimit;
    const deadline = scheduler.after(timeLimit, () => process.kill(`times out after ${timeLimit / 1_000} s`));
    if (faults.happens('function timeout during a batch'))
      scheduler.after(faults.draw('function timeout during a batch') * 200, process.freeze);

    const end = (outcome: Outcome) => {
      scheduler.cancel(deadline);
      resolve(outcome);
    };
    const pause = (outcome: Outcome) => {
      if (process.isDead()) return;
      process.freeze();
      if (configuration === configurations) idle = [...idle, environment];
      end(outcome);
    };
    process.onDeath((why) => end({ failure: why }));
    const begin = () => {
      trace(process.name, 'is invoked');
      handler(event, { getRemainingTimeInMillis: () => endsAt - scheduler.now() }).then(
        (answer) => pause({ answer }),
        (error: unknown) => pause({ failure: String(error) }),
      );
    };
    scheduler.after(0, begin, { owner: process });
    return promise;
  }

  return {
    invoke,
    configure: () => {
      configurations += 1;
      idle = [];
    },
  };
}
