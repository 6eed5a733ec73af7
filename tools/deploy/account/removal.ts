import * as z from 'zod';
import { environmentTag } from '#cli/policy/deployment/policy.ts';
import { type DeployRun, stacksOf, until, untilActive } from '#tools/deploy/deploy-run.ts';
import { DeploymentError, ProcessFailedError } from '#tools/deploy/errors.ts';
import type { Aws } from '#tools/deploy/tools/aws-cli.ts';
import { toolkitStackOf } from './plan.ts';

export type Removal = {
  /** What is left, by ARN or name. */
  readonly left: readonly string[];
  /** The keys that KMS deletes later. */
  readonly pending: readonly string[];
  /** What failed meanwhile: the run goes on with the next resource. */
  readonly failures: readonly string[];
};

const names = z.array(z.string()).nullable();
const tagged = z.object({ ResourceTagMappingList: z.array(z.object({ ResourceARN: z.string() })) });
const keyState = z.object({ KeyMetadata: z.object({ KeyState: z.string() }) });
const queueUrl = z.object({ QueueUrl: z.string() });
const versions = z.array(z.object({ Key: z.string(), VersionId: z.string() })).nullable();

const refused = z.object({ Errors: z.array(z.object({ Key: z.string(), Code: z.string() })).default([]) });
const stackStatus = z.string();

type Run = Pick<DeployRun, 'aws' | 'environment'> & {
  /** Of the bootstrap. */
  readonly qualifier: string;
  /** In milliseconds: how long AWS may still list what is deleted. */
  readonly listDelay: number;
};

const deleteSecret = (aws: Aws, arn: string) =>
  aws.run('secretsmanager', 'delete-secret', '--force-delete-without-recovery', '--secret-id', arn);

const deleteLogGroup = (aws: Aws, name: string) => aws.run('logs', 'delete-log-group', '--log-group-name', name);

/** How a kind of resource is deleted that a stack leaves behind, by the service and the type in its ARN. Policies and rules go with others. */
const deletions: Readonly<Record<string, (aws: Aws, name: string, arn: string) => Promise<unknown>>> = {
  'dynamodb:table': async (aws, name) => {
    const named = ['--table-name', name];
    await untilActive({ aws }, name);
    await aws.run('dynamodb', 'update-table', ...named, '--no-deletion-protection-enabled');
    await aws.run('dynamodb', 'wait', 'table-exists', ...named);
    await aws.run('dynamodb', 'delete-table', ...named);
    await aws.run('dynamodb', 'wait', 'table-not-exists', ...named);
  },
  sqs: async (aws, name) => {
    const { QueueUrl } = await aws.read(queueUrl, 'sqs', 'get-queue-url', '--queue-name', name);
    await aws.run('sqs', 'delete-queue', '--queue-url', QueueUrl);
  },
  'events:event-bus': async (aws, name, arn) => {
    const archives = await aws.read(
      names,
      ...['events', 'list-archives', '--event-source-arn', arn, '--query', 'Archives[].ArchiveName'],
    );
    for (const archive of archives ?? []) await aws.run('events', 'delete-archive', '--archive-name', archive);
    const bus = ['--event-bus-name', name];
    for (const rule of (await aws.read(names, 'events', 'list-rules', ...bus, '--query', 'Rules[].Name')) ?? []) {
      const targets = ['--query', 'Targets[].Id'];
      const ids = await aws.read(names, 'events', 'list-targets-by-rule', ...bus, '--rule', rule, ...targets);
      if (ids !== null && ids.length > 0)
        await aws.run('events', 'remove-targets', ...bus, '--rule', rule, '--ids', ...ids);
      await aws.run('events', 'delete-rule', ...bus, '--name', rule);
    }
    await aws.run('events', 'delete-event-bus', '--name', name);
  },
  'secretsmanager:secret': (aws, _, arn) => deleteSecret(aws, arn),
  'logs:log-group': deleteLogGroup,
  'kms:key': async (aws, id) => {
    if (await isPending(aws, id)) return;
    await aws.run('kms', 'schedule-key-deletion', '--pending-window-in-days', '7', '--key-id', id);
  },
  s3: async (aws, name) => {
    const bucket = ['--bucket', name];
    const query = ['--max-items', '500', '--query', '[Versions, DeleteMarkers][].{Key: Key, VersionId: VersionId}'];
    for (;;) {
      const Objects = await aws.read(versions, 's3api', 'list-object-versions', ...bucket, ...query);
      if (Objects === null || Objects.length === 0) break;
      const deleted = ['--delete', JSON.stringify({ Objects, Quiet: true })];
      const { Errors } = await aws.read(refused, 's3api', 'delete-objects', ...bucket, ...deleted);
      const [first] = Errors;
      if (first !== undefined) throw new DeploymentError(`S3 keeps ${first.Key}: ${first.Code}.`);
    }
    await aws.run('s3api', 'delete-bucket', ...bucket);
  },
  'ecr:repository': (aws, name) => aws.run('ecr', 'delete-repository', '--force', '--repository-name', name),
};

/** The parts of an ARN by which its resource is deleted. */
export function partsOfArn(arn: string): { readonly kind: string; readonly name: string } {
  const [, , service = '', , , ...rest] = arn.split(':');
  const resource = rest.join(':');
  const [type = '', ...more] = resource.split(/[/:]/);
  if (more.length === 0) return { kind: service, name: type };
  return { kind: `${service}:${type}`, name: resource.slice(type.length + 1).replace(/:\*$/, '') };
}

/**
 * Refuses to remove a run that is not in this region, or that no resource has.
 *
 * @throws {DeploymentError}
 */
export async function checkFound(run: Run, region: string): Promise<void> {
  const found: string[] = [];
  for (const [, list] of listsOf(run)) found.push(...(await list()));
  const where = `Nothing was removed: set AWS_REGION to the region of ${run.environment}`;
  if (found.length === 0) throw new DeploymentError(`${where}, or check its name. ${region} has nothing of it.`);
  const hasStack = found.some((one) => one.startsWith('stack '));
  // IAM has the roles of every region.
  const role = found.find((one) => one.startsWith('role ') && !rolesOfSteps(run.environment).includes(one.slice(5)));
  if (!hasStack && role !== undefined)
    throw new DeploymentError(`${where}. ${region} has no stack of it, and the account has the ${role}.`);
}

/** Removes all that a run has created: the stacks, what they retain, and what the steps made. A failure does not end it. */
export async function removeRun(run: Run): Promise<Removal> {
  const { aws, environment } = run;
  const toolkitStack = toolkitStackOf(run.qualifier);
  const failures: string[] = [];
  async function attempt<Result>(what: string, act: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await act();
    } catch (error) {
      failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }
  const deleteTagged = async (isMeant: (kind: string) => boolean) => {
    for (const arn of (await attempt('the list by tag', () => listTagged(run))) ?? []) {
      const { kind, name } = partsOfArn(arn);
      if (isMeant(kind)) await attempt(arn, async () => deletions[kind]?.(aws, name, arn));
    }
  };
  const deleteNamed = async (isMeant: (what: string) => boolean) => {
    for (const [what, list, remove] of namedKinds(run).filter(([kind]) => isMeant(kind)))
      for (const name of (await attempt(`the list of each ${what}`, list)) ?? [])
        await attempt(`${what} ${name}`, () => remove(name));
  };
  const isOfBootstrap = (kind: string) => kind === 's3' || kind === 'ecr:repository';

  const stacks = Object.values(stacksOf({ environment })).toReversed();
  for (const stack of stacks) await attempt(stack, () => deleteStack(aws, stack));
  // The bucket of the bootstrap has the policies that its stack deletes.
  await deleteTagged((kind) => !isOfBootstrap(kind));
  await deleteNamed((what) => what !== 'policy');
  // What kept a stack from its deletion may be deleted now.
  for (const stack of stacks) await attempt(stack, () => deleteStack(aws, stack));
  const statuses = stacks.map((stack) => attempt(stack, () => statusOf(aws, stack)));
  const isStackLeft = (await Promise.all(statuses)).some((status) => status !== undefined);
  // CloudFormation deletes a stack by the roles of the bootstrap, which have the policies.
  if (!isStackLeft) {
    await deleteNamed((what) => what === 'policy');
    await attempt(toolkitStack, () => deleteStack(aws, toolkitStack));
    await deleteTagged(isOfBootstrap);
  }
  return { ...(await listLeft(run)), failures };
}

type List = readonly [string, () => Promise<readonly string[]>];

/** All lists of what a run has. */
function listsOf(run: Run): readonly List[] {
  const named = namedKinds(run).map(
    ([what, list]): List => [what, async () => (await list()).map((name) => `${what} ${name}`)],
  );
  return [['tagged resource', () => listTagged(run)], ...named];
}

/** What is left of a run, once AWS no longer lists what is deleted. */
async function listLeft(run: Run): Promise<Pick<Removal, 'left' | 'pending'>> {
  const read = async () => {
    const pending: string[] = [];
    const left: string[] = [];
    for (const [what, list] of listsOf(run))
      try {
        for (const one of new Set(await list())) {
          const { kind, name } = partsOfArn(one);
          const isLater = kind === 'kms:key' && (await isPending(run.aws, name));
          (isLater ? pending : left).push(one);
        }
      } catch (error) {
        left.push(`not known, each ${what}: ${error instanceof Error ? error.message : String(error)}`);
      }
    return { left: left.toSorted(), pending: pending.toSorted() };
  };
  let last = await read();
  await until(
    'Nothing is left',
    async () => {
      if (last.left.length === 0) return true;
      last = await read();
      return last.left.length === 0;
    },
    run.listDelay,
  ).catch((error: unknown) => {
    if (!(error instanceof DeploymentError)) throw error;
  });
  return last;
}

/** The roles that no stack has: a step makes one, and tries to make the other. */
const rolesOfSteps = (environment: string) =>
  ['bounded', 'service-escalated'].map((name) => `drawbridge-${environment}-${name}`);

type NamedKind = readonly [string, () => Promise<readonly string[]>, (name: string) => Promise<unknown>];

/** What no tag finds, since the steps make it without one or the service takes none: by the name of the environment. */
function namedKinds({ aws, environment, qualifier }: Run): readonly NamedKind[] {
  const toolkitStack = toolkitStackOf(qualifier);
  const prefix = `drawbridge-${environment}`;
  const list =
    (query: string, ...command: readonly string[]) =>
    async (): Promise<readonly string[]> =>
      (await aws.read(names, ...command, '--query', query)) ?? [];
  const account = z.object({ Account: z.string() });
  return [
    [
      'stack',
      list(
        `Stacks[?starts_with(StackName, '${prefix}-') || StackName=='${toolkitStack}'].StackName`,
        'cloudformation',
        'describe-stacks',
      ),
      async () => undefined,
    ],
    [
      'table',
      list(`TableNames[?starts_with(@, '${prefix}-')]`, 'dynamodb', 'list-tables'),
      async (name) => deletions['dynamodb:table']?.(aws, name, name),
    ],
    [
      'log group',
      list(`logGroups[?contains(logGroupName, '${prefix}-')].logGroupName`, 'logs', 'describe-log-groups'),
      (name) => deleteLogGroup(aws, name),
    ],
    [
      'queue',
      list(`QueueUrls[?contains(@, '/${prefix}-')]`, 'sqs', 'list-queues'),
      (url) => aws.run('sqs', 'delete-queue', '--queue-url', url),
    ],
    [
      'secret',
      list(
        `SecretList[?Tags[?Key=='${environmentTag}' && Value=='${environment}']].ARN`,
        ...['secretsmanager', 'list-secrets', '--include-planned-deletion'],
      ),
      (arn) => deleteSecret(aws, arn),
    ],
    [
      'schedule',
      list('Schedules[].Name', 'scheduler', 'list-schedules', '--name-prefix', `once-${environment}-`),
      (name) => aws.run('scheduler', 'delete-schedule', '--name', name),
    ],
    [
      'user',
      list(`Users[?starts_with(UserName, '${prefix}-')].UserName`, 'iam', 'list-users'),
      (name) => deleteUser(aws, name),
    ],
    [
      'role',
      list(
        `Roles[?starts_with(RoleName, '${prefix}-') || starts_with(RoleName, 'cdk-${qualifier}-')].RoleName`,
        ...['iam', 'list-roles'],
      ),
      // The others are deleted with their stacks.
      async (name) => rolesOfSteps(environment).includes(name) && deleteRole(aws, name),
    ],
    [
      'policy',
      list(`Policies[?starts_with(PolicyName, '${prefix}-')].PolicyName`, 'iam', 'list-policies', '--scope', 'Local'),
      async (name) => {
        const { Account } = await aws.read(account, 'sts', 'get-caller-identity');
        await deletePolicy(aws, `arn:aws:iam::${Account}:policy/${name}`);
      },
    ],
  ];
}

async function listTagged({ aws, environment }: Run): Promise<readonly string[]> {
  const filter = ['--tag-filters', `Key=${environmentTag},Values=${environment}`];
  const { ResourceTagMappingList: all } = await aws.read(
    tagged,
    'resourcegroupstaggingapi',
    'get-resources',
    ...filter,
  );
  return all.map(({ ResourceARN }) => ResourceARN);
}

/** Undefined if there is no such stack. */
async function statusOf(aws: Aws, stack: string): Promise<string | undefined> {
  const query = ['--query', 'Stacks[0].StackStatus'];
  try {
    return await aws.read(stackStatus, 'cloudformation', 'describe-stacks', '--stack-name', stack, ...query);
  } catch (error) {
    if (error instanceof ProcessFailedError && error.message.includes('does not exist')) return undefined;
    throw error;
  }
}

/** In milliseconds: how long an update that was interrupted may take. */
const updateDeadline = 3_600_000;

async function deleteStack(aws: Aws, stack: string): Promise<void> {
  const named = ['--stack-name', stack];
  const { status } = await until(
    `${stack} can be deleted`,
    async () => {
      const read = await statusOf(aws, stack);
      return !/^(?:UPDATE|ROLLBACK)_.*IN_PROGRESS$/.test(read ?? '') && { status: read };
    },
    updateDeadline,
  );
  if (status === undefined) return;
  // While it is deleted, it takes no change.
  if (status !== 'DELETE_IN_PROGRESS') {
    await aws.run('cloudformation', 'update-termination-protection', ...named, '--no-enable-termination-protection');
    await aws.run('cloudformation', 'delete-stack', ...named);
  }
  await aws.run('cloudformation', 'wait', 'stack-delete-complete', ...named);
}

async function isPending(aws: Aws, id: string): Promise<boolean> {
  const { KeyMetadata } = await aws.read(keyState, 'kms', 'describe-key', '--key-id', id);
  return KeyMetadata.KeyState === 'PendingDeletion';
}

async function deleteUser(aws: Aws, name: string): Promise<void> {
  const user = ['--user-name', name];
  const keys = ['--query', 'AccessKeyMetadata[].AccessKeyId'];
  for (const id of (await aws.read(names, 'iam', 'list-access-keys', ...user, ...keys)) ?? [])
    await aws.run('iam', 'delete-access-key', ...user, '--access-key-id', id);
  const attached = ['--query', 'AttachedPolicies[].PolicyArn'];
  for (const arn of (await aws.read(names, 'iam', 'list-attached-user-policies', ...user, ...attached)) ?? [])
    await aws.run('iam', 'detach-user-policy', ...user, '--policy-arn', arn);
  await aws.run('iam', 'delete-user', ...user);
}

async function deleteRole(aws: Aws, name: string): Promise<void> {
  const role = ['--role-name', name];
  for (const policy of (await aws.read(names, 'iam', 'list-role-policies', ...role, '--query', 'PolicyNames')) ?? [])
    await aws.run('iam', 'delete-role-policy', ...role, '--policy-name', policy);
  await aws.run('iam', 'delete-role', ...role);
}

/** The role of the bootstrap by which CloudFormation deploys has the execution policies until its stack is deleted. */
async function deletePolicy(aws: Aws, arn: string): Promise<void> {
  const policy = ['--policy-arn', arn];
  const roles = ['--query', 'PolicyRoles[].RoleName'];
  for (const name of (await aws.read(names, 'iam', 'list-entities-for-policy', ...policy, ...roles)) ?? [])
    await aws.run('iam', 'detach-role-policy', '--role-name', name, ...policy);
  const old = ['--query', 'Versions[?!IsDefaultVersion].VersionId'];
  for (const id of (await aws.read(names, 'iam', 'list-policy-versions', ...policy, ...old)) ?? [])
    await aws.run('iam', 'delete-policy-version', ...policy, '--version-id', id);
  await aws.run('iam', 'delete-policy', ...policy);
}
