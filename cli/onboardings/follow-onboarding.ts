import type { CommandDeps } from '#cli/command/command-deps.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import type { Output } from '#cli/output/output.ts';
import { toneOfOnboarding } from '#shared/onboarding/onboarding-advice.ts';
import { isFinalStep, stepRow } from '#shared/onboarding/onboarding-steps.ts';
import { formatOnboarding, type ShownOnboarding } from './show-onboarding.ts';

export type FollowOnboardingProps = {
  readonly output: Output;
  readonly read: () => Promise<ShownOnboarding>;
};

/** In milliseconds: between two reads. */
const interval = 1_000;

/** The reads of one step until a note says what the step waits for. */
const readsBeforeNote = 10;

/**
 * Prints an onboarding at each of its steps, until it waits for an operator, has ended, or the user presses Ctrl-C. The exit code
 * says whether it needs an operator.
 */
export async function followOnboarding(
  { output, read }: FollowOnboardingProps,
  { wait, untilInterrupted, exit }: Pick<CommandDeps, 'wait' | 'untilInterrupted' | 'exit'>,
): Promise<void> {
  const interrupted = untilInterrupted();
  let printed: string | undefined;
  let reads = 0;
  while (!interrupted.aborted) {
    const onboarding = await read();
    const { step, since } = onboarding;
    const current = `${step} ${since}`;
    const isAtRest = step === 'STOPPED' || isFinalStep(step);
    if (isAtRest || current !== printed)
      output.item(onboarding, () => (isAtRest ? formatOnboarding(onboarding) : `${since}  ${step}`));
    if (isAtRest) {
      if (toneOfOnboarding(onboarding) === 'bad') exit(exitCodes.found);
      return;
    }
    reads = current === printed ? reads + 1 : 1;
    if (reads === readsBeforeNote) output.note(`${step} waits: ${stepRow(step).meaning}. To end, press Ctrl-C.`);
    printed = current;
    await wait(interval, interrupted);
  }
}
