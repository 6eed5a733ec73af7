import type { Emulators } from './emulators.ts';

export type EndOptions = {
  readonly nth: number;
  /** Whether the AWS call that it ends at still has its effect. */
  readonly when: 'before' | 'after';
};

/** Runs a function that ends at its nth AWS call. Returns whether it made so many. */
export async function endsAtCall(
  { watch, unwatch }: Emulators,
  { nth, when }: EndOptions,
  run: () => Promise<unknown>,
) {
  let calls = 0;
  watch((moment) => {
    if (moment.when === when) calls += 1;
    if (moment.when === when && calls === nth) throw new Error('The function ends.');
  });
  const ended = await run().then(
    () => false,
    () => true,
  );
  unwatch();
  return ended;
}
