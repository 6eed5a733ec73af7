import { firstAbove } from './sorted.ts';

/** What is to be done, and when: in milliseconds since 1970. */
export type Timer = { readonly at: number; readonly work: () => void | Promise<void> };

export type Timers = ReturnType<typeof createTimers>;

/** Timers in the order in which they fall due; those of one time in the order in which they were set. */
export function createTimers() {
  const timers: Timer[] = [];

  const placeFor = (at: number) => firstAbove(timers, (timer) => timer.at, at);

  return {
    add: (timer: Timer): void => void timers.splice(placeFor(timer.at), 0, timer),
    /** When the first falls due; undefined where there is none. */
    next: (): number | undefined => timers[0]?.at,
    /** Takes those that fall due first, all at the same time; none where that is later than given. */
    takeDue: (until: number): readonly Timer[] => {
      const [first] = timers;
      return first === undefined || first.at > until ? [] : timers.splice(0, placeFor(first.at));
    },
    clear: (): void => {
      timers.length = 0;
    },
  };
}
