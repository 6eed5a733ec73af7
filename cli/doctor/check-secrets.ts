import type { Deployment } from '#cli/deployment/deployment.ts';
import { readSecretState, type SecretState } from '#cli/deployment/secret-state.ts';
import { readRegisterReport, skippedReason } from '#cli/webhooks/register-report.ts';
import { type Found, good, problem } from './findings.ts';

/** What doctor knows about the secrets, none of which it reads. */
export type SecretsState = {
  readonly credentials: SecretState;
  readonly header: SecretState;
  /** The state of the rotation in the words of Register. Undefined if Register did not say. */
  readonly rotation: string | undefined;
};

/** Whether the platform credentials and the header secret are stored, and whether a rotation of the latter is finished. */
export async function checkSecrets(deployment: Deployment, plan: () => Promise<unknown>): Promise<Found> {
  const [credentials, header, rotation] = await Promise.all([
    readSecretState(deployment, 'PlatformCredentials'),
    readSecretState(deployment, 'WebhookSecret'),
    // The check of the registrations says why there is no plan.
    plan().then(rotationOf, () => undefined),
  ]);
  return evaluateSecrets({ credentials, header, rotation });
}

function rotationOf(answer: unknown): string | undefined {
  return skippedReason(answer) === undefined ? readRegisterReport(answer).rotation : undefined;
}

export function evaluateSecrets({ credentials, header, rotation }: SecretsState): Found {
  const problems = [
    ...(credentials.isReplaced ? [] : problem('no platform credentials are stored', 'drawbridge credentials set')),
    ...(header.versionId === undefined
      ? problem(
          'the header secret has no value, so that Receive rejects every delivery',
          'Deploy the data stack, which creates the value. Then: drawbridge webhooks apply',
        )
      : []),
    ...(rotation !== undefined && /not every webhook has|had lost/.test(rotation)
      ? problem(`the rotation of the header secret is not finished. ${rotation}`, 'drawbridge webhooks apply')
      : []),
  ];
  if (problems.length > 0) return problems;
  return good(
    `the platform credentials were stored on ${credentials.storedOn}, the header secret on ${header.storedOn}. ${rotation ?? 'The state of its rotation is not known.'}`,
  );
}
