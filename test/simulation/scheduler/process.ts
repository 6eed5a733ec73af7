import type { Call, IoBehaviour } from '#test/simulation/faults/io-behaviour.ts';
import type { Owner, Scheduler } from './scheduler.ts';

/** One process of one function: a Lambda execution environment. */
export type SimulatedProcess = Owner & {
  /** The function that it runs. */
  readonly caller: string;
  /** Its own clock. */
  readonly now: () => Date;
  /** Performs an I/O at a time that the scheduler chooses, with the behaviour that the faults give it. */
  readonly io: <Result>(call: Call, perform: () => Result | Promise<Result>, signal?: AbortSignal) => Promise<Result>;
  /** Ends the process immediately. Its pending steps do not happen, and its calls get no response. */
  readonly kill: (why: string) => void;
  readonly isDead: () => boolean;
  /** Adds a listener for the end of the process. */
  readonly onDeath: (listener: (why: string) => void) => void;
  /** Stops the process until it is thawed. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** The number of thaws so far. */
  readonly thaws: () => number;
};

export type ProcessDeps = {
  readonly scheduler: Scheduler;
  /** From 0 to 1. */
  readonly random: () => number;
  /** How an I/O goes. */
  readonly behaviourOf: (call: Call) => IoBehaviour;
  /** Receives each step for the trace. */
  readonly trace: (who: string, what: string) => void;
};

export type ProcessOptions = {
  readonly name: string;
  readonly caller: string;
  /** In milliseconds: how far the clock of the process is ahead. */
  readonly skew?: number;
};

/** The share of responses that arrive later than the I/O is done. */
const shareOfLateAnswers = 0.25;

/** The share of requests that arrive although their process has ended. */
const shareOfOrphans = 0.5;

export function createProcess(
  { name, caller, skew = 0 }: ProcessOptions,
  { scheduler, random, behaviourOf, trace }: ProcessDeps,
): SimulatedProcess {
  let isDead = false;
  let isFrozen = false;
  let thaws = 0;
  let listeners: ((why: string) => void)[] = [];
  const self: SimulatedProcess = {
    name,
    caller,
    isAwake: () => !isFrozen && !isDead,
    now: () => new Date(scheduler.now() + skew),
    io,
    kill,
    isDead: () => isDead,
    onDeath: (listener) => listeners.push(listener),
    freeze: () => {
      isFrozen = true;
    },
    thaw: () => {
      isFrozen = false;
      thaws += 1;
    },
    thaws: () => thaws,
  };

  function kill(why: string): void {
    if (isDead) return;
    isDead = true;
    trace(name, why);
    scheduler.cancelAll(self);
    for (const listener of listeners) listener(why);
    listeners = [];
  }

  function io<Result>(call: Call, perform: () => Result | Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    if (isDead) return promise;
    const behaviour = behaviourOf(call);
    signal?.addEventListener('abort', () => reject(signal.reason));
    const answer = (settle: () => void) => {
      if (behaviour.isSilent === true || isDead) return;
      if (self.isAwake() && behaviour.pause === undefined && random() >= shareOfLateAnswers) settle();
      else scheduler.after(behaviour.pause ?? 0, settle, { owner: self });
    };
    const arrive = async () => {
      if (isDead && random() >= shareOfOrphans) return;
      if (behaviour.crash === 'before') return kill(`crashes before ${call.operation}`);
      const done = await performAs(behaviour, perform);
      trace(name, describe(call, done));
      if (behaviour.crash === 'after') kill(`crashes after ${call.operation}`);
      answer(() => ('error' in done ? reject(done.error) : resolve(done.result)));
    };
    scheduler.after(behaviour.delay ?? 0, arrive, { owner: self, isUnderWay: true });
    return promise;
  }

  /** Performs the I/O as often as the behaviour says. The last result counts. */
  async function performAs<Result>(
    behaviour: IoBehaviour,
    perform: () => Result | Promise<Result>,
  ): Promise<Done<Result>> {
    const { late, times = late === undefined ? 1 : 0, error, answer } = behaviour;
    if (late !== undefined) scheduler.after(late, async () => void (await attempt(perform)));
    let done: Done<Result | undefined> = { result: undefined };
    for (let left: number = times; left > 0; left -= 1) done = await attempt(perform);
    if (error !== undefined) return { error: error() };
    if (answer !== undefined && 'result' in done) return { result: answer(done.result) as Result };
    return done as Done<Result>;
  }

  return self;
}

type Done<Result> = { readonly result: Result } | { readonly error: unknown };

async function attempt<Result>(perform: () => Result | Promise<Result>): Promise<Done<Result>> {
  try {
    return { result: await perform() };
  } catch (error) {
    return { error };
  }
}

function describe({ service, operation }: Call, done: Done<unknown>): string {
  const answer = 'error' in done ? `: ${nameOf(done.error)}` : '';
  return `${service} ${operation}${answer}`;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name} ${error.message}` : String(error);
}
