import * as z from 'zod';
import { environmentTag } from '#cli/policy/deployment/policy.ts';
import { type Deployment, stacksOf, until } from '#tools/deploy/deployment.ts';
import { CommandError, DeploymentError } from '#tools/deploy/errors.ts';
import type { Aws } from '#tools/deploy/tools/aws-cli.ts';

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

type Run = Pick<Deployment, 'aws' | 'environment'> & {
  /** The stack of the bootstrap. */
  readonly toolkitStack: string;
  /** In milliseconds: how long AWS may still list what is deleted. */
  readonly listDelay: number;
};

/** How a kind of resource is deleted that a stack leaves behind, by the service and the type in its ARN. Policies and rules go with others. */
const deletions: Readonly<Record<string, (aws: Aws, name: string, arn: string) => Promise<unknown>>> = {
  'dynamodb:table': async (aws, name) => {
    const named = ['--table-name', name];
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
  'secretsmanager:secret': (aws, _, arn) =>
    aws.run('secretsmanager', 'delete-secret', '--force-delete-without-recovery', '--secret-id', arn),
  'logs:log-group': (aws, name) => aws.run('logs', 'delete-log-group', '--log-group-name', name),
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
      await aws.run('s3api', 'delete-objects', ...bucket, '--delete', JSON.stringify({ Objects, Quiet: true }));
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
 * Removes all that a run has created, whatever it had done: the stacks, what they retain, and what the steps made beside them. Goes on after a
 * failure, and lists at the end what is left.
 */
export async function removeRun(run: Run): Promise<Removal> {
  const { aws, environment } = run;
  const failures: string[] = [];
  async function attempt(what: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  const { data, service } = stacksOf({ environment });
  for (const stack of [service, data]) await attempt(stack, () => deleteStack(aws, stack));
  for (const arn of await listTagged(run)) {
    const { kind, name } = partsOfArn(arn);
    // The bucket of the bootstrap has the policies that its stack deletes.
    if (kind !== 's3' && kind !== 'ecr:repository') await attempt(arn, async () => deletions[kind]?.(aws, name, arn));
  }
  for (const [what, list, remove] of namedKinds(run))
    for (const name of await list()) await attempt(`${what} ${name}`, () => remove(name));
  await attempt(run.toolkitStack, () => deleteStack(aws, run.toolkitStack));
  for (const arn of await listTagged(run)) {
    const { kind, name } = partsOfArn(arn);
    if (kind === 's3' || kind === 'ecr:repository') await attempt(arn, async () => deletions[kind]?.(aws, name, arn));
  }
  return { ...(await listLeft(run)), failures };
}

/** What is left of a run, once AWS no longer lists what is deleted. */
export async function listLeft(run: Run): Promise<Pick<Removal, 'left' | 'pending'>> {
  const read = async () => {
    const found = [...(await listTagged(run))];
    for (const [what, list] of namedKinds(run)) for (const name of await list()) found.push(`${what} ${name}`);
    const pending: string[] = [];
    const left: string[] = [];
    for (const arn of new Set(found)) {
      const { kind, name } = partsOfArn(arn);
      const isLater = kind === 'kms:key' && (await isPending(run.aws, name));
      (isLater ? pending : left).push(arn);
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

type NamedKind = readonly [string, () => Promise<readonly string[]>, (name: string) => Promise<unknown>];

/** What no tag finds, since the steps make it without one or the service takes none: by the name of the environment. */
function namedKinds({ aws, environment, toolkitStack }: Run): readonly NamedKind[] {
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
      'log group',
      list(`logGroups[?contains(logGroupName, '${prefix}-')].logGroupName`, 'logs', 'describe-log-groups'),
      (name) => aws.run('logs', 'delete-log-group', '--log-group-name', name),
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
      (arn) => aws.run('secretsmanager', 'delete-secret', '--force-delete-without-recovery', '--secret-id', arn),
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
      list(`Roles[?RoleName=='${prefix}-bounded'].RoleName`, 'iam', 'list-roles'),
      (name) => deleteRole(aws, name),
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

async function deleteStack(aws: Aws, stack: string): Promise<void> {
  const named = ['--stack-name', stack];
  try {
    await aws.run('cloudformation', 'describe-stacks', ...named);
  } catch (error) {
    if (error instanceof CommandError && error.message.includes('does not exist')) return;
    throw error;
  }
  await aws.run('cloudformation', 'update-termination-protection', ...named, '--no-enable-termination-protection');
  await aws.run('cloudformation', 'delete-stack', ...named);
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
