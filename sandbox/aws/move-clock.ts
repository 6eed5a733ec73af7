import { setTimeout as wait } from 'node:timers/promises';
import type { QueueClock } from './services/queue-clock.ts';
import type { Schedules } from './services/schedules.ts';

/** Moves the clock by one step, in seconds. Resolves when all work of its own is done, each at its own time. */
export type StepClock = (seconds: number) => Promise<void>;

export type MoveClockDeps = {
  readonly now: () => Date;
  readonly schedules: Pick<Schedules, 'dueTimes' | 'runDue'>;
  readonly queueClock: Pick<QueueClock, 'follow' | 'work'>;
  /** Whether no function has anything to do now. */
  readonly isIdle: () => boolean;
  /** How often functions have sent something or the API was called, since the start. */
  readonly happenings: () => number;
  /** Ends a move with an error: the host closes. */
  readonly signal: AbortSignal;
};

/** In milliseconds of real time. */
const lookAgainAfter = 2;

/**
 * In milliseconds of the clock. A week has 20,000 runs of the schedules of Drawbridge, most of which find nothing to do: the laptop takes
 * minutes for them. So while nothing happens, what is due within this time runs together, at the latest of the due times.
 */
const quietStep = 5 * 60_000;

/** Lets time pass for hosted stacks: what is due runs in order of time, and time stands still until it is done. */
export function createMoveClock({ now, schedules, queueClock, isIdle, happenings, signal }: MoveClockDeps) {
  async function settle(): Promise<void> {
    await queueClock.follow();
    signal.throwIfAborted();
    while (!isIdle()) await wait(lookAgainAfter, undefined, { signal });
  }

  function nextDue(isQuiet: boolean): number {
    const time = now().getTime();
    const dueTimes = schedules.dueTimes().map((due) => due.getTime());
    const together = isQuiet ? dueTimes.filter((due) => due <= time + quietStep) : [];
    const messageDue = queueClock.work().dueOn?.getTime() ?? Number.POSITIVE_INFINITY;
    return Math.min(messageDue, together.length > 0 ? Math.max(...together) : Math.min(...dueTimes));
  }

  return async (seconds: number, stepClock: StepClock): Promise<void> => {
    const end = now().getTime() + seconds * 1_000;
    let happened = -1;
    let next: number;
    do {
      await settle();
      const isQuiet = happenings() === happened;
      happened = happenings();
      next = Math.min(end, nextDue(isQuiet));
      await stepClock(Math.max(0, next - now().getTime()) / 1_000);
      await schedules.runDue();
    } while (next < end);
    await settle();
  };
}
