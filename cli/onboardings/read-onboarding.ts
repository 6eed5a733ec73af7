import { requestPath } from '#cli/command/request-url.ts';
import type { ApiClient } from '#cli/deployment/api-client.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { type RecordDeployment, type RecordDeps, recordAction } from '#cli/deployment/record-action.ts';
import {
  type OnboardingProgressAnswer,
  onboardingAnswer,
  onboardingProgressAnswer,
} from '#shared/api/onboarding-answers.ts';
import type { ShownOnboarding } from './show-onboarding.ts';

/** Reads an onboarding without the link of its video call. @throws {CommandError} */
export function readOnboarding(api: ApiClient, externalId: string): Promise<OnboardingProgressAnswer> {
  return api.send({ method: 'GET', path: requestPath`/onboardings/${externalId}/progress` }, onboardingProgressAnswer);
}

/**
 * A function that reads an onboarding with the link of its video call. The log has recorded each link before the function answers.
 *
 * @throws {CommandError} from the function, also if the log cannot record the link
 */
export function createRevealingRead(
  deployment: RecordDeployment & Pick<Deployment, 'api'>,
  externalId: string,
  deps: RecordDeps,
): () => Promise<ShownOnboarding> {
  let recorded: string | undefined;
  return async () => {
    const path = requestPath`/onboardings/${externalId}`;
    const answer = await deployment.api.send({ method: 'GET', path }, onboardingAnswer);
    const { onboardingId, identificationUrl } = answer;
    const hasIdentificationUrl = identificationUrl !== undefined;
    if (hasIdentificationUrl && identificationUrl !== recorded)
      await recordAction(deployment, { message: 'video call link read', onboardingId }, deps);
    recorded = identificationUrl;
    return { ...answer, hasIdentificationUrl };
  };
}
