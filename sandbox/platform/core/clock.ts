import { firstAbove } from './sorted.ts';

/** The platform's time, and its scheduled work. */
export type Clock = {
  readonly now: () => Date;
  /** Schedules work some seconds from now in the platform's time, to the millisecond. The work must not wait for the clock. */
  readonly after: (seconds: number, work: () => void | Promise<void>) => void;
  /** Stops the clock from advancing until the promise settles. Returns the promise. */
  readonly during: <Value>(work: Promise<Value>) => Promise<Value>;
};

/** A clock that follows real time, and can be frozen and advanced. It never goes back. */
export type VirtualClock = Clock & {
  readonly isFrozen: () => boolean;
  readonly freeze: () => void;
  /** Runs the clock again, from its current time. */
  readonly resume: () => void;
  /** Advances the clock. Resolves when all work that falls due is done, each at its own time. */
  readonly advance: (seconds: number) => Promise<void>;
  /** Discards all scheduled work, including work that is scheduled later. */
  readonly close: () => void;
};

export type VirtualClockDeps = {
  /** The real time. */
  readonly now: () => Date;
  /** Called with the error of failed work. The clock continues. */
  readonly onError: (error: unknown) => void;
  /** Freezes the clock at this time. By default the clock starts at the real time and runs. */
  readonly frozenAt?: Date | undefined;
};

/** The longest delay of a Node timer, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/** How often a step waits for work that other work has started. Endless new work must not stop the clock. */
const maxRounds = 25;

export function createVirtualClock({ now: realNow, onError, frozenAt }: VirtualClockDeps): VirtualClock {
  const timers = createTimers();
  const inFlight = new Set<Promise<unknown>>();
  let isFrozen = frozenAt !== undefined;
  /** The current time while the clock is frozen or advances. */
  let heldAt = frozenAt?.getTime();
  let aheadOfReal = 0;
  let latest = heldAt ?? realNow().getTime();
  let isClosed = false;
  let alarm: NodeJS.Timeout | undefined;
  let advances = 0;
  let advancing: Promise<void> = Promise.resolve();

  /** Never earlier than before, even if the real clock is set back. */
  function time(): number {
    if (heldAt === undefined) aheadOfReal = Math.max(aheadOfReal, latest - realNow().getTime());
    latest = Math.max(latest, heldAt ?? realNow().getTime() + aheadOfReal);
    return latest;
  }

  function hold(): void {
    heldAt = time();
    setAlarm();
  }

  function run(): void {
    if (heldAt === undefined || isFrozen || advances > 0) return;
    aheadOfReal = heldAt - realNow().getTime();
    heldAt = undefined;
    setAlarm();
  }

  function after(seconds: number, work: Timer['work']): void {
    if (isClosed) return;
    timers.add({ at: time() + Math.round(seconds * 1_000), work });
    setAlarm();
  }

  /** Sets the real timer for the first due work, while the clock runs. */
  function setAlarm(): void {
    clearTimeout(alarm);
    const next = timers.next();
    if (isClosed || heldAt !== undefined || next === undefined) return;
    alarm = setTimeout(runDue, Math.min(Math.max(0, next - time()), maxTimerMs));
    alarm.unref();
  }

  function runDue(): void {
    for (let due = timers.takeDue(time()); due.length > 0; due = timers.takeDue(time())) void work(due);
    setAlarm();
  }

  async function work(due: readonly Timer[]): Promise<void> {
    const outcomes = await Promise.allSettled(due.map(async (timer) => timer.work()));
    for (const outcome of outcomes) if (outcome.status === 'rejected') onError(outcome.reason);
  }

  async function moveTo(target: number): Promise<void> {
    await settle();
    for (let due = timers.takeDue(target); due.length > 0; due = timers.takeDue(target)) {
      heldAt = Math.max(time(), due[0]?.at ?? 0);
      await work(due);
      await settle();
    }
    heldAt = Math.max(time(), target);
  }

  /** Waits for ongoing work and for work that it starts. */
  async function settle(): Promise<void> {
    for (let round = 0; round === 0 || (inFlight.size > 0 && round < maxRounds); round += 1) {
      await Promise.allSettled(inFlight);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  function during<Value>(promise: Promise<Value>): Promise<Value> {
    inFlight.add(promise);
    const end = () => void inFlight.delete(promise);
    promise.then(end, end);
    return promise;
  }

  /** Runs advances one after another. */
  function advance(seconds: number): Promise<void> {
    advances += 1;
    const advanced = advancing
      .then(() => {
        hold();
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
      hold();
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

/** Scheduled work and its time, in milliseconds since 1970. */
type Timer = { readonly at: number; readonly work: () => void | Promise<void> };

/** Timers in the order of their times; those with equal times in the order of scheduling. */
function createTimers() {
  const timers: Timer[] = [];

  const placeFor = (at: number) => firstAbove(timers, (timer) => timer.at, at);

  return {
    add: (timer: Timer): void => void timers.splice(placeFor(timer.at), 0, timer),
    /** The time of the first timer; undefined if there is none. */
    next: (): number | undefined => timers[0]?.at,
    /** Removes and returns the timers with the earliest time; none if that is later than the given time. */
    takeDue: (until: number): readonly Timer[] => {
      const [first] = timers;
      return first === undefined || first.at > until ? [] : timers.splice(0, placeFor(first.at));
    },
    clear: (): void => {
      timers.length = 0;
    },
  };
}

const nanosecondsPerMillisecond = 1_000_000;

/**
 * A source of `date-time` values (section 2), each later than the last. Nanoseconds distinguish times within a millisecond.
 * A value has as few digits as possible.
 */
export function createTimestamps(now: () => Date): () => string {
  let milliseconds = Number.NEGATIVE_INFINITY;
  let nanoseconds = 0;

  function moveOn(): void {
    const time = now().getTime();
    nanoseconds = time > milliseconds ? 0 : nanoseconds + 1;
    milliseconds = Math.max(time, milliseconds);
    if (nanoseconds < nanosecondsPerMillisecond) return;
    milliseconds += 1;
    nanoseconds = 0;
  }

  return () => {
    moveOn();
    const iso = new Date(milliseconds).toISOString();
    const fraction = `${iso.slice(20, 23)}${String(nanoseconds).padStart(6, '0')}`.replace(/0+$/, '');
    return `${iso.slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}Z`;
  };
}
