import { type CloudFormationClient, DescribeStacksCommand, ListImportsCommand } from '@aws-sdk/client-cloudformation';
import { type Deployment, stackNamesOf } from '#cli/deployment/deployment.ts';
import type { Settings } from '#infra/settings.ts';

type Client = Pick<CloudFormationClient, 'send'>;

type Deployed = Pick<Deployment, 'environment' | 'resources'> & {
  readonly clients: { readonly cloudFormation: Client };
};

/**
 * Why the setting `keys` cannot become `separate` yet: a stack reads secrets, and may not use their own key. CloudFormation knows each stack of
 * the account and the region that imports the ARN of the token.
 *
 * @returns undefined where it can, or where it is another setting
 */
export async function findKeysProblem(
  wanted: Settings['keys'] | undefined,
  { environment, resources, clients: { cloudFormation } }: Deployed,
): Promise<string | undefined> {
  if (wanted !== 'separate') return undefined;
  const deployed = await resources();
  const keys = deployed.ofType('AWS::KMS::Key');
  // The setting has no effect where the construct is given a key.
  if (!keys.some(({ logicalId }) => /^Key[\dA-F]{8}$/.test(logicalId))) return undefined;
  const ofSecrets = keys.find(({ logicalId }) => logicalId.startsWith('SecretsKey'));
  if (ofSecrets === undefined)
    return 'The setting keys is "separate", and the environment has one key. Do not deploy: no function could read the secrets between the two stacks. Set "both" first (docs/how-to/upgrade.md, "Separate the keys").';
  const StackName = stackNamesOf(environment).data;
  const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
  const outputs = Stacks[0]?.Outputs ?? [];
  const importersOf = async (isMeant: (value: string) => boolean): Promise<readonly string[]> => {
    const found = outputs.find(({ OutputValue = '', ExportName }) => ExportName !== undefined && isMeant(OutputValue));
    return found?.ExportName === undefined ? [] : listImporters(cloudFormation, found.ExportName);
  };
  const token = deployed.idOf('secret', 'PlatformToken');
  const readers = await importersOf((value) => value === token);
  const ready = await importersOf((value) => value.endsWith(`:key/${ofSecrets.physicalId}`));
  const late = readers.filter((stack) => !ready.includes(stack));
  if (late.length === 0) return undefined;
  return `The setting keys is "separate", and these stacks may not use the key of the secrets yet: ${late.join(', ')}. Set "both", and deploy them first (docs/how-to/upgrade.md, "Separate the keys").`;
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
    // CloudFormation answers so where there is none.
    if (!(error instanceof Error && error.message.includes('is not imported by any stack'))) throw error;
  }
  return all;
}
