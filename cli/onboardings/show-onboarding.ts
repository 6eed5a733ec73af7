import { formatFields } from '#cli/output/format-columns.ts';
import type { OnboardingAnswer, OnboardingProgressAnswer } from '#shared/api/onboarding-answers.ts';
import { adviseOnboarding } from './advise.ts';

/** An onboarding as a command prints it. It has the link of the video call with `--reveal` only. */
export type ShownOnboarding = OnboardingProgressAnswer & Pick<OnboardingAnswer, 'identificationUrl'>;

/** What the commands about one onboarding print with `--json`. */
export const onboardingJson =
  'the answer of [`GET /onboardings/{externalId}/progress`](../reference/api.md#get-onboardingsexternalidprogress). Only `onboardings show --reveal` adds `identificationUrl`. `onboardings show` adds `deadlineOn`, when the step is over its deadline. With `--watch`, one answer a line for each step';

const linkIsPresent = 'present (onboardings show --reveal prints the link)';

/** An onboarding for people: where it is, why, and what to do. */
export function formatOnboarding(onboarding: ShownOnboarding & { readonly deadlineOn?: string | undefined }): string {
  const { failing, unknownStatus } = onboarding;
  const fields = formatFields([
    ['onboarding id', onboarding.onboardingId],
    ['step', onboarding.step],
    ['since', onboarding.since],
    ['deadline', onboarding.deadlineOn],
    ['accepted', onboarding.acceptedOn],
    ['stalled', onboarding.stalledOn],
    ['mode', onboarding.mode],
    ['natural person', onboarding.naturalPersonId],
    ['verification', onboarding.identificationVerificationId],
    ['video call', onboarding.identificationUrl ?? (onboarding.hasIdentificationUrl ? linkIsPresent : undefined)],
    ['identification', onboarding.isIdentificationOpen ? 'open, although the person is ACTIVE' : undefined],
    ['unknown status', unknownStatus && describeUnknown(unknownStatus)],
    ['failing', failing && `${failing.code} since ${failing.since}, ${failing.attempts} attempts`],
    ['next attempt', failing?.nextAttemptOn],
  ]);
  const actions = adviseOnboarding(onboarding, 'command').map((action) => `- ${action}`);
  return actions.length === 0 ? fields : `${fields}\n\n${actions.join('\n')}`;
}

/** A status that no setting explains, and of what it is. */
export function describeUnknown({ kind, status = 'no word' }: NonNullable<OnboardingAnswer['unknownStatus']>): string {
  return `${status}, of the ${kind}`;
}
