import type { OnboardingAnswer } from '#shared/api/onboarding-answers.ts';

type Concealed<Answer extends OnboardingAnswer> = Omit<Answer, 'identificationUrl'> & {
  readonly hasIdentificationUrl: boolean;
};

/** An onboarding as a command prints it. It has the link of the video call with `--reveal` only. */
export type ShownOnboarding = Concealed<OnboardingAnswer> & Pick<OnboardingAnswer, 'identificationUrl'>;

/** An onboarding without the link of its video call: the link lets anyone take the call in place of the person. */
export function concealLink<Answer extends OnboardingAnswer>({
  identificationUrl,
  ...onboarding
}: Answer): Concealed<Answer> {
  return { ...onboarding, hasIdentificationUrl: identificationUrl !== undefined };
}
