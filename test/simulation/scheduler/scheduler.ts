/** Whoever tasks belong to: they are done only while it is awake. */
export type Owner = { readonly name: string; readonly isAwake: () => boolean };

export type Task = {
  /** In milliseconds since 1970: not before. */
  readonly at: number;
  /** Undefined of what belongs to the world. */
  readonly owner: Owner | undefined;
  /** Whether it is done, too, while its owner sleeps: a request that is under way arrives. */
  readonly isUnderWay: boolean;
  readonly run: () => void | Promise<void>;
};

export type TaskOptions = { readonly owner?: Owner | undefined; readonly isUnderWay?: boolean };

export type Scheduler = ReturnType<typeof createScheduler>;

export type SchedulerDeps = {
  /** From 0 to 1: chooses what happens next. */
  readonly random: () => number;
  /** In milliseconds since 1970. */
  readonly startAt: number;
};

/** Steps after which a history is taken for one that does not end. */
const maxSteps = 100_000;

/** In milliseconds: how long a step takes at the most. */
const maxStepMs = 5;

/** A history goes round in circles. */
export class EndlessHistoryError extends Error {
  override readonly name = 'EndlessHistoryError';
}

/**
 * All that happens in a history: one task after the other, each chosen at random among those whose time has come. After
 * each, all that follows from it runs until nothing can: then the next. Time is virtual, and passes from task to task.
 */
export function createScheduler({ random, startAt }: SchedulerDeps) {
  let tasks: Task[] = [];
  let time = startAt;
  let current: Owner | undefined;
  let steps = 0;
  let isStopped = false;

  /** In so many milliseconds at the earliest. */
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

  /** Moves time on to the first task where none is due; undefined where there is none until then. */
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

  /** Does all that is to be done until then, unless it is stopped. */
  async function run(until: number): Promise<void> {
    for (let task = takeNext(until); task !== undefined && !isStopped; task = takeNext(until)) {
      steps += 1;
      if (steps > maxSteps) throw new EndlessHistoryError(`After ${maxSteps} steps there is still more to do.`);
      current = task.owner;
      await task.run();
      await settle();
      time += Math.floor(random() * maxStepMs);
    }
    if (!isStopped) time = Math.max(time, until);
  }

  /** Does it in the name of another: timers that it sets are theirs. */
  async function runAs<Result>(owner: Owner, work: () => Result | Promise<Result>): Promise<Result> {
    const before = current;
    current = owner;
    try {
      return await work();
    } finally {
      await settle();
      current = before;
    }
  }

  return {
    now: () => time,
    steps: () => steps,
    /** Whose task it is that runs now. */
    current: () => current,
    after,
    cancel,
    /** Forgets what is to be done for it, but for what is under way. */
    cancelAll: (owner: Owner) => {
      tasks = tasks.filter((task) => task.owner !== owner || task.isUnderWay);
    },
    run,
    runAs,
    /** Nothing happens any more. */
    stop: () => {
      isStopped = true;
    },
    isStopped: () => isStopped,
  };
}

/** Resolves once no promise is left that could go on: Node then comes to the next tick, without a turn of its event loop. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}
