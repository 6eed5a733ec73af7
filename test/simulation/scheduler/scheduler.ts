/** The owner of tasks. They run only while the owner is awake. */
export type Owner = { readonly name: string; readonly isAwake: () => boolean };

export type Task = {
  /** In milliseconds since 1970: the earliest time of the task. */
  readonly at: number;
  /** Undefined for tasks of the environment. */
  readonly owner: Owner | undefined;
  /** Whether the task also runs while its owner is frozen, as a request under way does. */
  readonly isUnderWay: boolean;
  readonly run: () => void | Promise<void>;
};

export type TaskOptions = { readonly owner?: Owner | undefined; readonly isUnderWay?: boolean };

export type Scheduler = ReturnType<typeof createScheduler>;

export type SchedulerDeps = {
  /** From 0 to 1: chooses the next task. */
  readonly random: () => number;
  /** In milliseconds since 1970. */
  readonly startAt: number;
};

/** The number of steps after which a history counts as endless. A failure of 17 hours, with many pages to drain, took more than 100,000. */
const maxSteps = 400_000;

/** In milliseconds: the maximum duration of a step. */
const maxStepMs = 5;

/** A history does not end. */
export class EndlessHistoryError extends Error {
  override readonly name = 'EndlessHistoryError';
}

/**
 * Runs the tasks of a history one after the other, each chosen at random among the due ones. All promises of a task settle
 * before the next task runs. Time is virtual, and advances from task to task.
 */
export function createScheduler({ random, startAt }: SchedulerDeps) {
  let tasks: Task[] = [];
  let time = startAt;
  let current: Owner | undefined;
  let steps = 0;
  let isStopped = false;

  /** Schedules a task after at least this many milliseconds. */
  function after(milliseconds: number, run: Task['run'], { owner, isUnderWay = false }: TaskOptions = {}): Task {
    const task = { at: time + Math.max(0, milliseconds), owner, isUnderWay, run };
    tasks.push(task);
    return task;
  }

  function cancel(task: Task | undefined): void {
    const index = task === undefined ? -1 : tasks.indexOf(task);
    if (index >= 0) tasks.splice(index, 1);
  }

  const isPossible = ({ owner, isUnderWay }: Task) => isUnderWay || owner === undefined || owner.isAwake();

  /** Takes a due task, and advances the time to it. Returns undefined when no task is due before `until`. */
  function takeNext(until: number): Task | undefined {
    let first = Number.POSITIVE_INFINITY;
    let due: Task[] = [];
    for (const task of tasks) {
      const at = Math.max(task.at, time);
      if (at > first || !isPossible(task)) continue;
      if (at < first) due = [];
      first = at;
      due.push(task);
    }
    if (due.every(({ at }) => at > until)) return undefined;
    time = first;
    const task = due[Math.floor(random() * due.length)];
    cancel(task);
    return task;
  }

  /** Runs all tasks until this time, unless the scheduler is stopped. */
  async function run(until: number): Promise<void> {
    for (let task = takeNext(until); task !== undefined && !isStopped; task = takeNext(until)) {
      steps += 1;
      if (steps > maxSteps) throw new EndlessHistoryError(`After ${maxSteps} steps the history still has tasks.`);
      current = task.owner;
      await task.run();
      await settle();
      time += Math.floor(random() * maxStepMs);
    }
    if (!isStopped) time = Math.max(time, until);
  }

  /** Runs work on behalf of an owner, which also owns the timers that the work sets. */
  async function runAs<Result>(owner: Owner, work: () => Result | Promise<Result>): Promise<Result> {
    const before = current;
    const step = steps;
    current = owner;
    try {
      return await work();
    } finally {
      await settle();
      // Where no task waits for this work, the next one may have begun meanwhile: it has an owner of its own.
      if (steps === step) current = before;
    }
  }

  return {
    now: () => time,
    steps: () => steps,
    /** The owner of the running task. */
    current: () => current,
    after,
    cancel,
    /** Cancels the tasks of an owner, except those under way. */
    cancelAll: (owner: Owner) => {
      tasks = tasks.filter((task) => task.owner !== owner || task.isUnderWay);
    },
    run,
    runAs,
    /** Runs no more tasks. */
    stop: () => {
      isStopped = true;
    },
    isStopped: () => isStopped,
  };
}

/** Resolves when all ready promises have settled. Node then runs the next tick, without a turn of its event loop. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}
