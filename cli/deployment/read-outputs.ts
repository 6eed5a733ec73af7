import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CommandError } from '#cli/command/command-error.ts';
import { isLaptop, type stackNamesOf } from './deployment.ts';

export type ReadOutputsProps = {
  readonly cloudFormation: Pick<CloudFormationClient, 'send'>;
  readonly environment: string;
  readonly stacks: ReturnType<typeof stackNamesOf>;
};

/** The outputs of both stacks of an environment, by their names. @throws {CommandError} where a stack cannot be read */
export async function readOutputs({
  cloudFormation,
  environment,
  stacks,
}: ReadOutputsProps): Promise<ReadonlyMap<string, string>> {
  const read = async (StackName: string) => {
    const { Stacks = [] } = await cloudFormation
      .send(new DescribeStacksCommand({ StackName }))
      .catch((cause: unknown) => {
        throw unreadable(cause, StackName, environment);
      });
    return (Stacks[0]?.Outputs ?? []).flatMap(({ OutputKey, OutputValue }): readonly (readonly [string, string])[] =>
      OutputKey === undefined || OutputValue === undefined ? [] : [[OutputKey, OutputValue]],
    );
  };
  const [data, service] = await Promise.all([read(stacks.data), read(stacks.service)]);
  return new Map([...data, ...service]);
}

function unreadable(cause: unknown, stackName: string, environment: string): CommandError {
  const { name, message } = cause instanceof Error ? cause : { name: '', message: '' };
  if (isLaptop(environment))
    return new CommandError(
      'The sandbox does not answer: endpoints.json is left from an earlier start.',
      'npm start, or name a deployed environment with --env production.',
      { cause },
    );
  if (message.includes('does not exist'))
    return new CommandError(
      `There is no stack ${stackName} in this account and region.`,
      `check --env and --region, or deploy: npx cdk deploy --all --context environment=${environment}`,
      { cause },
    );
  if (name === 'CredentialsProviderError' || name === 'ExpiredToken' || name === 'ExpiredTokenException')
    return new CommandError(`There are no valid AWS credentials: ${message}`, 'aws sts get-caller-identity', { cause });
  if (message.includes('Region is missing'))
    return new CommandError('No AWS region is set.', 'run the command again with --region eu-central-1.', { cause });
  return new CommandError(
    `CloudFormation did not describe ${stackName}: ${message}`,
    'check --env, --region, AWS_ENDPOINT_URL and your AWS credentials, and run the command again.',
    { cause },
  );
}
