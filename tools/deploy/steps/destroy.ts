import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import {
  type DeployedResource,
  type DeployRun,
  readOutputs,
  readResources,
  resourcesOfType,
  stacksOf,
} from '#tools/deploy/deploy-run.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { runPage } from '#tools/deploy/run-page.ts';

const page = 'docs/how-to/remove.md';

/** Removes the service. The data stack keeps every resource. */
export async function destroyService(deployment: DeployRun): Promise<string> {
  const { aws } = deployment;
  const { data } = stacksOf(deployment);
  const before = await readResources(deployment, data);
  const script = await runPage(deployment, page, 'Remove the service only');
  const after = await readResources(deployment, data);
  if (after.length !== before.length) throw new DeploymentError('The data stack has lost resources.');
  for (const { ResourceType, PhysicalResourceId } of after)
    if (ResourceType === 'AWS::DynamoDB::Table')
      await aws.run('dynamodb', 'describe-table', '--table-name', PhysicalResourceId);
  return `${script}\nthe data stack has its ${after.length} resources`;
}

/** Deletes the webhooks of the removed service on the platform. */
export async function deleteWebhooks(deployment: DeployRun): Promise<string> {
  const { origin, platform } = deployment.platform;
  const { WebhooksUrl } = await readOutputs(deployment);
  const ours = () => platform.registrations.list().filter(({ url }) => url.startsWith(WebhooksUrl)).length;
  const before = ours();
  if (before === 0) throw new DeploymentError('No webhook of the service is left to delete.');
  const variables = { PLATFORM: origin, WEBHOOKS_URL: WebhooksUrl };
  const script = await runPage(deployment, page, 'Delete the webhooks on the platform', variables);
  if (ours() > 0) throw new DeploymentError(`${ours()} webhooks are left on the platform.`);
  return `${script}\n${before} webhooks deleted`;
}

const names = z.array(z.string()).nullable();

/** What an environment has in an account: the commands that list the names. */
const lists: readonly (readonly [string, ...string[]])[] = [
  ['cloudformation', 'describe-stacks', '--query', 'Stacks[].StackName'],
  ['dynamodb', 'list-tables', '--query', 'TableNames'],
  ['sqs', 'list-queues', '--query', 'QueueUrls'],
  ['events', 'list-event-buses', '--query', 'EventBuses[].Name'],
  ['secretsmanager', 'list-secrets', '--query', 'SecretList[].Name'],
  ['logs', 'describe-log-groups', '--query', 'logGroups[].logGroupName'],
  ['lambda', 'list-functions', '--query', 'Functions[].FunctionName'],
  ['iam', 'list-roles', '--query', 'Roles[].RoleName'],
  ['cloudwatch', 'list-dashboards', '--query', 'DashboardEntries[].DashboardName'],
  ['cloudwatch', 'describe-alarms', '--query', 'MetricAlarms[].AlarmName'],
  ['scheduler', 'list-schedules', '--query', 'Schedules[].Name'],
  ['sns', 'list-topics', '--query', 'Topics[].TopicArn'],
];

const listing = z.object({ StackResourceSummaries: z.array(z.object({ ResourceType: z.string() }).loose()) });
const stackIds = z.tuple([z.string()]);

/** The resources of both stacks by the id of the stack: the emulator forgets them when the stack is deleted. */
async function listResources({ aws, environment }: DeployRun) {
  const entries = Object.values(stacksOf({ environment })).map(async (stack) => {
    const named = ['--stack-name', stack];
    const [id] = await aws.read(stackIds, 'cloudformation', 'describe-stacks', ...named, '--query', 'Stacks[].StackId');
    return [id, await aws.read(listing, 'cloudformation', 'list-stack-resources', ...named)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Removes all data, so that the next steps deploy to an empty account. */
export async function removeEverything(deployment: DeployRun): Promise<string> {
  const file = join(deployment.directory, 'deleted-stacks.json');
  writeFileSync(file, JSON.stringify(await listResources(deployment)));
  const keys = await resourcesOfType(deployment, 'data', 'AWS::KMS::Key');
  // Names of secrets do not begin with that of the stack on AWS: there the run ends with a list by tag.
  const checked = deployment.target.isEmulator ? lists : [];
  for (const list of checked)
    if ((await listOurs(deployment, list)).length === 0)
      throw new DeploymentError(`Nothing is there to remove, by ${list.join(' ')}.`);
  const variables = deployment.target.isEmulator ? { DELETED_STACKS: file } : {};
  const script = await runPage(deployment, page, 'Remove everything', variables);
  // `Register` runs every two minutes, so it may have registered the webhooks of the service that was deployed again.
  const { registrations } = deployment.platform.platform;
  for (const { eventType } of registrations.list()) registrations.unregister(eventType);
  for (const list of checked) {
    const left = await listOurs(deployment, list);
    if (left.length > 0) throw new DeploymentError(`Left after the removal, by ${list.join(' ')}: ${left.join(', ')}.`);
  }
  await checkKeys(deployment, keys);
  const byLists = deployment.target.isEmulator ? `nothing is left by ${checked.length} lists, and ` : '';
  return `${script}\n${byLists}each key is pending deletion`;
}

async function listOurs({ aws, environment }: DeployRun, list: readonly string[]): Promise<readonly string[]> {
  const all = (await aws.read(names, ...list)) ?? [];
  return all.filter((name) => name.includes(`drawbridge-${environment}`));
}

const described = z.object({ KeyMetadata: z.object({ KeyState: z.string() }) });

/** AWS deletes a key when its pending window ends. */
async function checkKeys({ aws }: DeployRun, keys: readonly DeployedResource[]): Promise<void> {
  for (const { PhysicalResourceId: id } of keys) {
    const { KeyMetadata } = await aws.read(described, 'kms', 'describe-key', '--key-id', id);
    if (KeyMetadata.KeyState !== 'PendingDeletion')
      throw new DeploymentError(`The key ${id} is ${KeyMetadata.KeyState} after the removal, not PendingDeletion.`);
  }
}
