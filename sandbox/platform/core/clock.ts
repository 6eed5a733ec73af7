/** The platform's time, and what it does later. */
export type Clock = {
  readonly now: () => Date;
  /** Does it so many seconds from now, in the platform's own time. */
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
  /** Nothing happens any more. */
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

type Timer = { readonly at: number; readonly work: () => void | Promise<void> };

/** In milliseconds: no timer of Node can be set to more. */
const longestTimer = 2 ** 31 - 1;

export function createVirtualClock({ now: realNow, onError, frozenAt }: VirtualClockDeps): VirtualClock {
  /** In the order in which they fall due; those of one time in the order in which they were set. */
  const timers: Timer[] = [];
  let isFrozen = frozenAt !== undefined;
  /** Where time stands: while it is frozen, and while it is moved on. */
  let standing = frozenAt?.getTime();
  let aheadOfReal = 0;
  let isClosed = false;
  let alarm: NodeJS.Timeout | undefined;
  const lasting = new Set<Promise<unknown>>();
  let advances = 0;
  let advancing: Promise<void> = Promise.resolve();

  const time = () => standing ?? realNow().getTime() + aheadOfReal;

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
    const at = time() + seconds * 1_000;
    timers.splice(placeFor(timers, at), 0, { at, work });
    rouse();
  }

  /** Sets the real timer to what falls due first, as long as time runs. */
  function rouse(): void {
    clearTimeout(alarm);
    const [next] = timers;
    if (isClosed || standing !== undefined || next === undefined) return;
    alarm = setTimeout(
      () => {
        for (let due = takeDue(time()); due.length > 0; due = takeDue(time())) void work(due);
        rouse();
      },
      Math.min(Math.max(0, next.at - time()), longestTimer),
    );
    alarm.unref();
  }

  /** Those that fall due first, all at the same time; none where that is later than given. */
  function takeDue(until: number): readonly Timer[] {
    const [next] = timers;
    return next === undefined || next.at > until ? [] : timers.splice(0, placeFor(timers, next.at));
  }

  async function work(due: readonly Timer[]): Promise<void> {
    const outcomes = await Promise.allSettled(due.map(async (timer) => timer.work()));
    for (const outcome of outcomes) if (outcome.status === 'rejected') onError(outcome.reason);
  }

  async function moveTo(target: number): Promise<void> {
    await settle();
    for (let due = takeDue(target); due.length > 0; due = takeDue(target)) {
      standing = Math.max(time(), due[0]?.at ?? 0);
      await work(due);
      await settle();
    }
    standing = target;
  }

  /** Waits for what lasts, and for what follows from it. */
  async function settle(): Promise<void> {
    do {
      await Promise.allSettled(lasting);
      await new Promise((resolve) => setImmediate(resolve));
    } while (lasting.size > 0);
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
    advancing = advancing.then(async () => {
      stand();
      await moveTo(time() + seconds * 1_000);
      advances -= 1;
      run();
    });
    return advancing;
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
      timers.length = 0;
    },
  };
}

/** The index of the first timer that falls due later. */
function placeFor(timers: readonly Timer[], at: number): number {
  let [low, high] = [0, timers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const timer = timers[middle];
    if (timer !== undefined && timer.at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
