import { createTimers, type Timer } from './timers.ts';

/** The platform's time, and what it does later. */
export type Clock = {
  readonly now: () => Date;
  /** Does it so many seconds from now, in the platform's own time, to the millisecond. It must not wait for the clock. */
  readonly after: (seconds: number, work: () => void | Promise<void>) => void;
  /** Time is not moved on while it lasts. Gives back what it is given. */
  readonly during: <Value>(work: Promise<Value>) => Promise<Value>;
};

/** A clock that runs as the real one does, but can be stopped, and moved on at will. It never goes back. */
export type VirtualClock = Clock & {
  readonly isFrozen: () => boolean;
  readonly freeze: () => void;
  /** Lets it run again, from where it stands. */
  readonly resume: () => void;
  /** Moves it on by so many seconds. Resolves when all that falls due on the way is done, each at its own time. */
  readonly advance: (seconds: number) => Promise<void>;
  /** Nothing happens any more: what was set is forgotten, and so is what is set from now on. */
  readonly close: () => void;
};

export type VirtualClockDeps = {
  /** The real time. */
  readonly now: () => Date;
  /** Told of work that failed: the clock goes on. */
  readonly onError: (error: unknown) => void;
  /** Where the clock stands at first, and stays until it is resumed. It starts with the real time, and runs, unless given. */
  readonly frozenAt?: Date | undefined;
};

/** In milliseconds: no timer of Node can be set to more. */
const longestAlarm = 2 ** 31 - 1;

/** How often a step waits for what follows from what lasts. Whoever begins new work all the time does not stop the clock. */
const mostRounds = 25;

export function createVirtualClock({ now: realNow, onError, frozenAt }: VirtualClockDeps): VirtualClock {
  const timers = createTimers();
  const lasting = new Set<Promise<unknown>>();
  let isFrozen = frozenAt !== undefined;
  /** Where time stands: while it is frozen, and while it is moved on. */
  let standing = frozenAt?.getTime();
  let aheadOfReal = 0;
  let latest = standing ?? realNow().getTime();
  let isClosed = false;
  let alarm: NodeJS.Timeout | undefined;
  let advances = 0;
  let advancing: Promise<void> = Promise.resolve();

  /** Never earlier than before: where the real clock is set back, this one goes on from where it is. */
  function time(): number {
    if (standing === undefined) aheadOfReal = Math.max(aheadOfReal, latest - realNow().getTime());
    latest = Math.max(latest, standing ?? realNow().getTime() + aheadOfReal);
    return latest;
  }

  function stand(): void {
    standing = time();
    rouse();
  }

  function run(): void {
    if (standing === undefined || isFrozen || advances > 0) return;
    aheadOfReal = standing - realNow().getTime();
    standing = undefined;
    rouse();
  }

  function after(seconds: number, work: Timer['work']): void {
    if (isClosed) return;
    timers.add({ at: time() + Math.round(seconds * 1_000), work });
    rouse();
  }

  /** Sets the real timer to what falls due first, as long as time runs. */
  function rouse(): void {
    clearTimeout(alarm);
    const next = timers.next();
    if (isClosed || standing !== undefined || next === undefined) return;
    alarm = setTimeout(ring, Math.min(Math.max(0, next - time()), longestAlarm));
    alarm.unref();
  }

  function ring(): void {
    for (let due = timers.takeDue(time()); due.length > 0; due = timers.takeDue(time())) void work(due);
    rouse();
  }

  async function work(due: readonly Timer[]): Promise<void> {
    const outcomes = await Promise.allSettled(due.map(async (timer) => timer.work()));
    for (const outcome of outcomes) if (outcome.status === 'rejected') onError(outcome.reason);
  }

  async function moveTo(target: number): Promise<void> {
    await settle();
    for (let due = timers.takeDue(target); due.length > 0; due = timers.takeDue(target)) {
      standing = Math.max(time(), due[0]?.at ?? 0);
      await work(due);
      await settle();
    }
    standing = Math.max(time(), target);
  }

  /** Waits for what lasts, and for what follows from it. */
  async function settle(): Promise<void> {
    for (let round = 0; round === 0 || (lasting.size > 0 && round < mostRounds); round += 1) {
      await Promise.allSettled(lasting);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  function during<Value>(lastingWork: Promise<Value>): Promise<Value> {
    lasting.add(lastingWork);
    const end = () => void lasting.delete(lastingWork);
    lastingWork.then(end, end);
    return lastingWork;
  }

  /** One after another: time has one direction. */
  function advance(seconds: number): Promise<void> {
    advances += 1;
    const advanced = advancing
      .then(() => {
        stand();
        return moveTo(time() + Math.round(seconds * 1_000));
      })
      .finally(() => {
        advances -= 1;
        run();
      });
    advancing = advanced.catch(() => undefined);
    return advanced;
  }

  return {
    now: () => new Date(time()),
    after,
    during,
    isFrozen: () => isFrozen,
    freeze: () => {
      isFrozen = true;
      stand();
    },
    resume: () => {
      isFrozen = false;
      run();
    },
    advance,
    close: () => {
      isClosed = true;
      clearTimeout(alarm);
      timers.clear();
    },
  };
}
