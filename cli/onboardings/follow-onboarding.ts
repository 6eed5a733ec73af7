import type { CommandDeps } from '#cli/command/command-deps.ts';
import type { ApiClient } from '#cli/deployment/api-client.ts';
import type { Output } from '#cli/output/output.ts';
import { isFinalStep } from '#shared/onboarding/onboarding-steps.ts';
import { formatOnboarding, readOnboarding } from './show-onboarding.ts';

export type FollowOnboardingProps = {
  readonly api: ApiClient;
  readonly output: Output;
  readonly externalId: string;
};

/** In milliseconds: between two reads. */
const interval = 1_000;

/** Prints an onboarding at each of its steps, until it waits for an operator, has ended, or the user presses Ctrl-C. */
export async function followOnboarding(
  { api, output, externalId }: FollowOnboardingProps,
  { wait, untilInterrupted }: Pick<CommandDeps, 'wait' | 'untilInterrupted'>,
): Promise<void> {
  const interrupted = untilInterrupted();
  let printed = 0;
  while (!interrupted.aborted) {
    const onboarding = await readOnboarding(api, externalId);
    const { step, since, sequence } = onboarding;
    const isAtRest = step === 'STOPPED' || isFinalStep(step);
    if (sequence !== printed)
      output.item(onboarding, () => (isAtRest ? formatOnboarding(onboarding) : `${since}  ${step}`));
    if (isAtRest) return;
    printed = sequence;
    await wait(interval, interrupted);
  }
}
