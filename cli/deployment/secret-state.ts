import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';
import type { Deployment } from './deployment.ts';
import type { ResourceName } from './resource-names.ts';

/** What is known about a secret without reading it. */
export type SecretState = {
  /** Another value has another version. */
  readonly versionId: string | undefined;
  /** Whether another value was stored since the stacks created the secret. */
  readonly isReplaced: boolean;
  /** When the value was stored. ISO 8601, UTC. */
  readonly storedOn: string | undefined;
};

/** Reads the metadata of a secret, never its value. @throws what Secrets Manager answers with */
export async function readSecretState(
  { clients, resources }: Pick<Deployment, 'clients' | 'resources'>,
  name: ResourceName<'secret'>,
): Promise<SecretState> {
  const SecretId = (await resources()).idOf('secret', name);
  const { LastChangedDate, VersionIdsToStages = {} } = await clients.secretsManager.send(
    new DescribeSecretCommand({ SecretId }),
  );
  const ofStage = (stage: string) =>
    Object.entries(VersionIdsToStages).find(([, stages]) => stages.includes(stage))?.[0];
  return {
    versionId: ofStage('AWSCURRENT'),
    isReplaced: ofStage('AWSPREVIOUS') !== undefined,
    storedOn: LastChangedDate?.toISOString(),
  };
}
