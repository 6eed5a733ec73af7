import { type CloudFormationClient, DescribeStacksCommand, ListImportsCommand } from '@aws-sdk/client-cloudformation';
import { DescribeSecretCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type Deployment, stackNamesOf } from '#cli/deployment/deployment.ts';
import type { Settings } from '#infra/settings.ts';

type Client = Pick<CloudFormationClient, 'send'>;

type Deployed = Pick<Deployment, 'environment' | 'resources'> & {
  readonly clients: { readonly cloudFormation: Client; readonly secretsManager: Pick<SecretsManagerClient, 'send'> };
};

/** Both undefined if the setting is deployed already, or may be deployed. */
export type KeysCheck = {
  /** Why the setting cannot become `separate` yet. */
  readonly problem?: string;
  /** Why nothing is known of it. */
  readonly notChecked?: string;
};

/**
 * Whether the setting `keys` can become `separate`: each stack that reads secrets may use their own key. CloudFormation knows each stack of the
 * account and the region that imports the ARN of the token.
 *
 * @param wanted undefined if no settings file says it
 */
export async function checkKeys(
  wanted: Settings['keys'] | undefined,
  { environment, resources, clients: { cloudFormation, secretsManager } }: Deployed,
): Promise<KeysCheck> {
  if (wanted === undefined) return { notChecked: `no readable settings/${environment}.json` };
  if (wanted !== 'separate') return {};
  const deployed = await resources();
  const keys = deployed.ofType('AWS::KMS::Key');
  // The setting has no effect if the construct is given a key.
  if (!keys.some(({ logicalId }) => /^Key[\dA-F]{8}$/.test(logicalId))) return {};
  const ofSecrets = keys.find(({ logicalId }) => logicalId.startsWith('SecretsKey'));
  if (ofSecrets === undefined)
    return {
      problem:
        'The setting keys is "separate", and the environment has one key. Do not deploy: no function could read the secrets between the two stacks. Set "both" first (docs/how-to/upgrade.md, "Separate the keys").',
    };
  const token = deployed.idOf('secret', 'PlatformToken');
  const { KmsKeyId } = await secretsManager.send(new DescribeSecretCommand({ SecretId: token }));
  // The data stack is deployed with the setting: nothing is left to switch.
  if (KmsKeyId?.endsWith(ofSecrets.physicalId) === true) return {};
  const StackName = stackNamesOf(environment).data;
  const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
  const outputs = Stacks[0]?.Outputs ?? [];
  const importersOf = async (isMeant: (value: string) => boolean): Promise<readonly string[]> => {
    const found = outputs.find(({ OutputValue = '', ExportName }) => ExportName !== undefined && isMeant(OutputValue));
    return found?.ExportName === undefined ? [] : listImporters(cloudFormation, found.ExportName);
  };
  try {
    const readers = await importersOf((value) => value === token);
    const ready = await importersOf((value) => value.endsWith(`:key/${ofSecrets.physicalId}`));
    const late = readers.filter((stack) => !ready.includes(stack));
    if (late.length === 0) return {};
    return {
      problem: `The setting keys is "separate", and these stacks may not use the key of the secrets yet: ${late.join(', ')}. Set "both", and deploy them first (docs/how-to/upgrade.md, "Separate the keys").`,
    };
  } catch (error) {
    if (!(error instanceof Error && /AccessDenied|NotAuthorized/.test(error.name))) throw error;
    return {
      notChecked:
        'the setting is "separate", and your role lacks cloudformation:ListImports. Check again with that permission before you deploy',
    };
  }
}

async function listImporters(client: Client, ExportName: string): Promise<readonly string[]> {
  const all: string[] = [];
  let NextToken: string | undefined;
  try {
    do {
      const page = await client.send(new ListImportsCommand({ ExportName, NextToken }));
      all.push(...(page.Imports ?? []));
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
  } catch (error) {
    // CloudFormation answers so if there is none.
    if (!(error instanceof Error && error.message.includes('is not imported by any stack'))) throw error;
  }
  return all;
}
