import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CommandError } from '#cli/command/command-error.ts';
import { isLaptop, type stackNamesOf } from './deployment.ts';
import { explainAwsError } from './explain-aws-error.ts';

export type ReadOutputsProps = {
  readonly cloudFormation: Pick<CloudFormationClient, 'send'>;
  readonly environment: string;
  readonly stacks: ReturnType<typeof stackNamesOf>;
};

/** The outputs of both stacks of an environment, by their names. @throws {CommandError} if a stack cannot be read */
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
  const { message } = cause instanceof Error ? cause : { message: '' };
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
  const explained = explainAwsError(cause);
  if (explained !== undefined) return explained;
  return new CommandError(
    `CloudFormation did not describe ${stackName}: ${message}`,
    'check --env, --region, AWS_ENDPOINT_URL and your AWS credentials, and run the command again.',
    { cause },
  );
}
