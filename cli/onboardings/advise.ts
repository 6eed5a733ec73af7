import { docsPage } from '#cli/command/docs-page.ts';
import { inCommands } from '#cli/deployment/next-command.ts';
import type { OnboardingAnswer } from '#shared/api/onboarding-answers.ts';
import { stalledRemedy } from '#shared/onboarding/onboarding-advice.ts';

/** How an operator retries an onboarding: by a command, or by a button of the console. */
export type RetryBy = 'command' | 'button';

const byCommand = 'run drawbridge onboardings retry';

/** What to do about an onboarding, a sentence or more each: nothing if it only waits. */
export function adviseOnboarding(
  {
    onboardingId,
    step,
    reasons,
    failing,
    remedy,
    unknownStatus,
    stalledOn,
  }: Omit<OnboardingAnswer, 'identificationUrl'>,
  retryBy: RetryBy,
): readonly string[] {
  const next =
    failing?.nextAttemptOn === undefined
      ? 'Drawbridge retries by itself'
      : `Drawbridge retries at ${failing.nextAttemptOn}`;
  const lines = [
    ...reasons.map(
      (reason) => `${reason.code}: ${reason.remedy ?? `see ${docsPage('docs/reference/onboarding-steps.md')}`}`,
    ),
    unknownStatus?.remedy,
    failing && `The platform fails this step: ${failing.code}. ${next}; to retry now, ${byCommand}.`,
    stalledOn && `The step is over its deadline since ${stalledOn}. ${remedy ?? stalledRemedy(step)}`,
    stalledOn === undefined ? remedy : undefined,
  ]
    .filter((line) => line !== undefined)
    .map(inCommands);
  // A full stop after the command would be copied with it.
  const retry = retryBy === 'button' ? 'press Retry.' : `${byCommand} onboardingId:${onboardingId}`;
  return lines.map((line) => line.replace(`${byCommand}.`, retry));
}
