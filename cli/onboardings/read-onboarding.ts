import { requestPath } from '#cli/command/request-url.ts';
import type { ApiClient } from '#cli/deployment/api-client.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { type RecordDeployment, type RecordDeps, recordAction } from '#cli/deployment/record-action.ts';
import { type OnboardingAnswer, onboardingAnswer } from '#shared/api/onboarding-answers.ts';
import { concealLink, type ShownOnboarding } from './conceal-link.ts';

/** Reads an onboarding without the link of its video call. @throws {CommandError} */
export async function readOnboarding(api: ApiClient, externalId: string): Promise<ShownOnboarding> {
  return concealLink(await readAnswer(api, externalId));
}

/**
 * A function that reads an onboarding with the link of its video call. The log has recorded each link before the function answers.
 *
 * @throws {CommandError} from the function, also where the log cannot record the link
 */
export function createRevealingRead(
  deployment: RecordDeployment & Pick<Deployment, 'api'>,
  externalId: string,
  deps: RecordDeps,
): () => Promise<ShownOnboarding> {
  let recorded: string | undefined;
  return async () => {
    const answer = await readAnswer(deployment.api, externalId);
    const { onboardingId, identificationUrl } = answer;
    if (identificationUrl === undefined) return concealLink(answer);
    if (identificationUrl !== recorded)
      await recordAction(deployment, { message: 'video call link read', onboardingId }, deps);
    recorded = identificationUrl;
    return { ...concealLink(answer), identificationUrl };
  };
}

function readAnswer(api: ApiClient, externalId: string): Promise<OnboardingAnswer> {
  return api.send({ method: 'GET', path: requestPath`/onboardings/${externalId}` }, onboardingAnswer);
}
