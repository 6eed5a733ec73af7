import { firstAbove } from './sorted.ts';

/** Scheduled work and its time, in milliseconds since 1970. */
export type Timer = { readonly at: number; readonly work: () => void | Promise<void> };

export type Timers = ReturnType<typeof createTimers>;

/** Timers in the order of their times; those with equal times in the order of scheduling. */
export function createTimers() {
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
