import * as z from 'zod';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { type Deployment, readOutputs, until } from '#tools/deploy/deployment.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { callerOf } from '#tools/deploy/query-caller.ts';
import { callApi } from '#tools/deploy/signed-api.ts';

/** The checks, the video call and the activation of the platform, and what the queue waits in between. In milliseconds. */
const deadline = 300_000;

const shown = z.looseObject({ step: z.string() });

/** docs/how-to/onboard.md: requests an onboarding with a video call and follows it to its end. */
export async function onboard(deployment: Deployment): Promise<string> {
  const { ApiUrl: apiUrl } = await readOutputs(deployment);
  const api = { apiUrl, caller: await callerOf(deployment) };
  const { externalId = '', ...person } = samplePerson;
  const identification = { mode: 'video', redirectUrl: 'https://partner.example/identified' };
  const request = { method: 'POST', path: '/onboardings', body: { externalId, person, identification } };
  const { status, json } = await callApi(deployment, api, request);
  if (status !== 202) throw new DeploymentError(`POST /onboardings was answered ${status}: ${JSON.stringify(json)}`);
  const seen: string[] = [];
  await until(
    `The onboarding of ${externalId} is COMPLETED`,
    async () => {
      const answer = await callApi(deployment, api, { method: 'GET', path: `/onboardings/${externalId}` });
      const { step } = shown.parse(answer.json);
      if (seen.at(-1) !== step) seen.push(step);
      return step === 'COMPLETED';
    },
    deadline,
  );
  return seen.join(' → ');
}
