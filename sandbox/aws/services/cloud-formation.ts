import * as z from 'zod';
import type { Blueprint, DescribedStack } from '#sandbox/aws/stacks/blueprint.ts';
import { plainIssues } from '#shared/plain-message.ts';
import { type AwsAnswer, type AwsService, AwsServiceError } from './aws-service.ts';
import { queryAnswer, queryFailure, type Xml } from './query-protocol.ts';

const ofStacks = z.object({ StackName: z.string().optional() });
const ofStack = z.object({ StackName: z.string() });
const ofResource = z.object({ StackName: z.string(), LogicalResourceId: z.string() });

export type CloudFormationDeps = {
  /** When the stacks were deployed. */
  readonly deployedOn: Date;
};

/**
 * The operations of CloudFormation that read the stacks: `DescribeStacks`, `DescribeStackResource`,
 * `DescribeStackResources` and `ListStackResources`.
 */
export function startCloudFormation(
  { stacks }: Pick<Blueprint, 'stacks'>,
  { deployedOn }: CloudFormationDeps,
): AwsService {
  const createdOn = deployedOn.toISOString();
  const operations: Readonly<Record<string, (input: unknown) => Xml>> = {
    DescribeStacks: (input) => {
      const { StackName } = ofStacks.parse(input);
      return { Stacks: (StackName === undefined ? stacks : [find(StackName)]).map(showStack) };
    },
    DescribeStackResource: (input) => {
      const { StackName, LogicalResourceId } = ofResource.parse(input);
      const [resource] = showResources(find(StackName), (id) => id === LogicalResourceId);
      if (resource !== undefined) return { StackResourceDetail: resource };
      const message = `Resource ${LogicalResourceId} does not exist for stack ${StackName}`;
      throw new AwsServiceError('ValidationError', message);
    },
    DescribeStackResources: (input) => {
      const { LogicalResourceId } = ofResource.partial().parse(input);
      const stack = find(ofStack.parse(input).StackName);
      return { StackResources: showResources(stack, (id) => id === (LogicalResourceId ?? id)) };
    },
    ListStackResources: (input) => ({
      StackResourceSummaries: showResources(find(ofStack.parse(input).StackName), () => true),
    }),
  };

  function find(nameOrId: string): DescribedStack {
    const stack = stacks.find(({ name, id }) => nameOrId === name || nameOrId === id);
    if (stack !== undefined) return stack;
    throw new AwsServiceError('ValidationError', `Stack with id ${nameOrId} does not exist`);
  }

  function showStack({ name, id, description, outputs }: DescribedStack): Xml {
    return {
      StackName: name,
      StackId: id,
      Description: description,
      CreationTime: createdOn,
      StackStatus: 'CREATE_COMPLETE',
      EnableTerminationProtection: 'false',
      Outputs: outputs.map(({ key, value, description: meaning, exportName }) => ({
        OutputKey: key,
        OutputValue: value,
        Description: meaning,
        ExportName: exportName,
      })),
    };
  }

  function showResources({ name, id, resources }: DescribedStack, isWanted: (logicalId: string) => boolean) {
    const wanted = resources.filter(({ logicalId }) => isWanted(logicalId));
    return wanted.map(({ logicalId, physicalId, type }) => ({
      StackName: name,
      StackId: id,
      LogicalResourceId: logicalId,
      PhysicalResourceId: physicalId,
      ResourceType: type,
      ResourceStatus: 'CREATE_COMPLETE',
      Timestamp: createdOn,
      LastUpdatedTimestamp: createdOn,
    }));
  }

  function perform(operation: string, input: unknown): AwsAnswer {
    const read = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
    if (read === undefined)
      return queryFailure('InvalidAction', `The sandbox does not know ${operation} of CloudFormation.`);
    try {
      return queryAnswer(operation, read(input));
    } catch (error) {
      if (error instanceof AwsServiceError) return queryFailure(error.type, error.message);
      if (error instanceof z.ZodError)
        return queryFailure('ValidationError', plainIssues(error.issues, input).join('; '));
      throw error;
    }
  }

  return {
    close: () => Promise.resolve(),
    handle: async ({ operation, input }) => perform(operation, input()),
  };
}
