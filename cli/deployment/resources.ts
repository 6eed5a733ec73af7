import { type CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { CommandError } from '#cli/command/command-error.ts';
import { type ResourceKind, type ResourceName, resourceNames, type StackNames } from './resource-names.ts';

/** What the stacks consist of, by the names of the reference. */
export type Resources = {
  /** The physical id: the URL of a queue, the ARN of a secret, the name of anything else. @throws {CommandError} */
  readonly idOf: <Kind extends ResourceKind>(kind: Kind, name: ResourceName<Kind>) => string;
  /** The physical ids of all resources of a type of CloudFormation. */
  readonly ofType: (type: string) => readonly StackResource[];
};

export type StackResource = { readonly logicalId: string; readonly physicalId: string; readonly type: string };

export type ReadResourcesProps = {
  readonly cloudFormation: CloudFormationClient;
  readonly stacks: StackNames;
};

/** Reads the resources of both stacks. */
export async function readResources({ cloudFormation, stacks }: ReadResourcesProps): Promise<Resources> {
  const [data, service] = await Promise.all([
    listResources(cloudFormation, stacks.data),
    listResources(cloudFormation, stacks.service),
  ]);
  return {
    idOf: (kind, name) => {
      const { stack, type, path } = resourceNames(kind, name);
      const isMeant = createIsMeant(path);
      const all = stack === 'data' ? data : service;
      const found = all.find((resource) => resource.type === type && isMeant(resource.logicalId));
      if (found !== undefined) return found.physicalId;
      throw new CommandError(
        `The stack ${stacks[stack]} has no ${kind} ${name}: another release of Drawbridge is deployed.`,
        'drawbridge doctor',
      );
    },
    ofType: (type) => [...data, ...service].filter((resource) => resource.type === type),
  };
}

async function listResources(client: CloudFormationClient, StackName: string): Promise<readonly StackResource[]> {
  const all: StackResource[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    for (const { LogicalResourceId, PhysicalResourceId, ResourceType } of StackResourceSummaries)
      if (LogicalResourceId !== undefined && PhysicalResourceId !== undefined && ResourceType !== undefined)
        all.push({ logicalId: LogicalResourceId, physicalId: PhysicalResourceId, type: ResourceType });
  return all;
}

/** The CDK makes a logical id of the path of a construct and eight digits. */
function createIsMeant(path: string): (logicalId: string) => boolean {
  return (logicalId) => logicalId.startsWith(path) && /^[\dA-F]{8}$/.test(logicalId.slice(path.length));
}
