import * as z from 'zod';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { type DeployRun, until } from '#tools/deploy/deploy-run.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { callApi } from '#tools/deploy/signed-api.ts';

/** The checks, the video call and the activation of the platform, and what the queue waits in between. In milliseconds. */
const deadline = 300_000;

/** Without a step while the API answers otherwise, such as 503. */
const shown = z.looseObject({ step: z.string().optional(), naturalPersonId: z.string().optional() });

const { externalId: sampleId = '', ...person } = samplePerson;

/** Requests an onboarding with a video call. */
export async function requestOnboarding(deployment: DeployRun, externalId: string): Promise<void> {
  const identification = { mode: 'video', redirectUrl: 'https://partner.example/identified' };
  const request = { method: 'POST', path: '/onboardings', body: { externalId, person, identification } };
  const { status, json } = await callApi(deployment, request);
  if (status !== 202) throw new DeploymentError(`POST /onboardings was answered ${status}: ${JSON.stringify(json)}`);
}

/** What the API shows of an onboarding. */
export async function readOnboarding(deployment: DeployRun, externalId: string): Promise<z.infer<typeof shown>> {
  return shown.parse((await callApi(deployment, { path: `/onboardings/${externalId}` })).json);
}

/** docs/how-to/onboard.md: requests an onboarding with a video call and follows it to its end. */
export async function onboard(deployment: DeployRun): Promise<string> {
  await requestOnboarding(deployment, sampleId);
  const seen: string[] = [];
  await until(
    `The onboarding of ${sampleId} is COMPLETED`,
    async () => {
      const { step } = await readOnboarding(deployment, sampleId);
      if (step !== undefined && seen.at(-1) !== step) seen.push(step);
      return step === 'COMPLETED';
    },
    deadline,
  );
  return seen.join(' → ');
}
