import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { type DeployRun, findResource, until } from '#tools/deploy/deploy-run.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { readOnboarding, requestOnboarding } from '#tools/deploy/steps/onboard.ts';

/** Lambda ends a chain at about 16 invocations of a function: https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html */
const invocations = 20;

/** In milliseconds: the schedule makes `Wake` start some runs of `Advance` meanwhile. */
const waited = 600_000;

/** In milliseconds: metrics of Lambda come late. */
const metricsDeadline = 900_000;

const sums = z.object({ Datapoints: z.array(z.object({ Sum: z.number() })) });

/**
 * An onboarding waits for a video call, by webhooks and by the schedule, for more invocations of `Advance` than Lambda takes in a chain. Then
 * it goes on: Lambda has dropped none of them.
 */
export async function loseNothingToLoopDetection(deployment: DeployRun): Promise<string> {
  const { platform } = deployment.platform;
  const begin = new Date();
  const id = 'loop-detection';
  platform.settings.change({ videoCallsAfter: null });
  await requestOnboarding(deployment, id);
  const isAt = (step: string) => async () => (await readOnboarding(deployment, id)).step === step;
  await until('The onboarding waits for the video call', isAt('AWAITING_VIDEO_CALL'));
  const { naturalPersonId = '' } = await readOnboarding(deployment, id);
  const verifications = platform.verifications.of(naturalPersonId).filter(({ status }) => status === 'PENDING');
  for (let sent = 0; sent < invocations; sent += 1)
    for (const { identificationVerificationId, status } of verifications)
      await platform.deliveries.deliver(
        'IDENTIFICATION_VERIFICATION_NOTIFICATION',
        Buffer.from(JSON.stringify({ identificationVerificationId, naturalPersonId, status, note: randomUUID() })),
      );
  await wait(waited);
  const name = await findResource(deployment, 'service', 'AWS::Lambda::Function', 'OnboardingAdvance');
  const invoked = await until(
    `CloudWatch counts ${invocations} invocations of Advance`,
    async () => {
      const count = await sumOf(deployment, 'Invocations', name, begin);
      return count >= invocations && count;
    },
    metricsDeadline,
  );
  const dropped = await sumOf(deployment, 'RecursiveInvocationsDropped', name, begin);
  if (dropped > 0) throw new DeploymentError(`Lambda has dropped ${dropped} invocations of Advance as a loop.`);
  for (const { identificationVerificationId } of verifications)
    platform.verifications.endVideoCall(identificationVerificationId, 'APPROVED');
  await until('The onboarding is COMPLETED', isAt('COMPLETED'), metricsDeadline);
  return `${invoked} invocations of Advance in ${(Date.now() - begin.getTime()) / 1_000} s, 0 dropped, then COMPLETED`;
}

async function sumOf({ aws }: DeployRun, metric: string, name: string, begin: Date): Promise<number> {
  const { Datapoints } = await aws.read(
    sums,
    'cloudwatch',
    'get-metric-statistics',
    ...['--namespace', 'AWS/Lambda', '--metric-name', metric, '--dimensions', `Name=FunctionName,Value=${name}`],
    ...['--start-time', begin.toISOString(), '--end-time', new Date().toISOString()],
    ...['--period', '60', '--statistics', 'Sum'],
  );
  return Datapoints.reduce((total, { Sum }) => total + Sum, 0);
}
