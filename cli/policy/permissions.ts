import { CommandError } from '#cli/command/command-error.ts';
import { type Deployment, stackNamesOf } from '#cli/deployment/deployment.ts';
import type { FunctionName, QueueName, ResourceName } from '#cli/deployment/resource-names.ts';
import { deadLetterQueues, purgeableQueues, redrivableQueues, redriveTargets } from '#cli/dlq/dead-letter-queues.ts';

export const roles = ['reader', 'operator'] as const;

/** A reader sees no personal data and changes nothing. An operator may use every command, with the policies of both roles. */
export type Role = (typeof roles)[number];

/** What a command may do in AWS. */
export type CommandPermission = {
  /** The role that has the permission in its policy: `reader` if an operator needs the permission, too. */
  readonly role: Role;
  readonly actions: readonly string[];
  /** What the actions are on, for people. */
  readonly on: string;
  /** What needs the actions. */
  readonly commands: string;
  readonly resources: (place: PolicyPlace) => readonly string[];
};

/** The ARNs of a deployment. */
export type PolicyPlace = {
  /** `arn:aws:sqs:eu-central-1:111122223333:` for a service. */
  readonly prefixOf: (service: string) => string;
  readonly stacks: readonly string[];
  readonly queue: (name: QueueName) => string;
  readonly lambda: (name: FunctionName) => string;
  readonly secret: (name: ResourceName<'secret'>) => string;
  readonly schedules: readonly string[];
  readonly eventSourceMappings: readonly string[];
  readonly bus: string;
  /** The ARNs of the archives of the bus. */
  readonly archives: readonly string[];
  /** Patterns for the log groups of the service stack. The data stack has no log group. */
  readonly logGroups: readonly string[];
  /** A pattern for the log group of Query and its streams. */
  readonly queryLogs: string;
  readonly keys: () => readonly string[];
  /** @param route such as `GET/entities/*` */
  readonly route: (route: string) => string;
};

const sessionQueues = ({ prefixOf }: PolicyPlace) => [`${prefixOf('sqs')}drawbridge-cli-*`];
const everything = () => ['*'];

/** All that the commands do in AWS. A test compares the table with the calls of the commands. */
export const commandPermissions: readonly CommandPermission[] = [
  {
    role: 'reader',
    actions: ['cloudformation:DescribeStacks', 'cloudformation:ListStackResources'],
    on: 'both stacks',
    commands: 'every command',
    resources: ({ stacks }) => stacks,
  },
  {
    role: 'reader',
    actions: ['execute-api:Invoke'],
    on: 'the lists, entities, onboardings and counts of the API, without the links of video calls',
    commands:
      '`status`, `tail`, `events ls`, `quarantine count` and `ls`, `onboardings ls` and `show`, and `ls` and `show` of entities',
    resources: ({ route }) =>
      ['GET/entities/*', 'GET/events', 'GET/quarantine', 'GET/onboardings', 'GET/onboardings/*/progress'].map(route),
  },
  {
    role: 'reader',
    actions: ['secretsmanager:DescribeSecret'],
    on: 'the secrets: when they were stored, and not their values',
    commands: '`token show`, `doctor`, `upgrade --check`',
    resources: ({ secret }) => [secret('PlatformToken'), secret('PlatformCredentials'), secret('WebhookSecret')],
  },
  {
    role: 'reader',
    actions: [
      'cloudformation:ListImports',
      'cloudwatch:DescribeAlarms',
      'cloudwatch:GetMetricData',
      'events:ListRules',
      'lambda:GetAccountSettings',
      'logs:DescribeQueryDefinitions',
      'logs:GetQueryResults',
    ],
    on: 'the account, because these actions take no single resource of a stack',
    commands: '`status`, `doctor`, `logs`, `audit`, `bus`, `dlq show`, `upgrade --check`',
    resources: everything,
  },
  {
    role: 'reader',
    actions: ['logs:StartQuery'],
    on: 'the log groups of the service stack',
    commands: '`logs`, `audit`, `dlq show`, `console`',
    resources: ({ logGroups }) => logGroups,
  },
  {
    role: 'reader',
    actions: ['scheduler:GetSchedule'],
    on: 'the schedules',
    commands: '`doctor`',
    resources: ({ schedules }) => schedules,
  },
  {
    role: 'reader',
    actions: ['events:ListTargetsByRule'],
    on: 'the rules of the bus',
    commands: '`doctor`, `bus ls`',
    resources: ({ prefixOf, bus }) => [`${prefixOf('events')}rule/${bus}/*`],
  },
  {
    role: 'reader',
    actions: ['sqs:GetQueueUrl', 'sqs:GetQueueAttributes'],
    on: 'the queues of the account: those of Drawbridge, and dead-letter queues, whose names subscribers choose',
    commands: '`status`, `doctor`, `dlq`, `tail`, `listen`, `console`, `events replay`, `quarantine replay`',
    resources: ({ prefixOf }) => [`${prefixOf('sqs')}*`],
  },
  {
    role: 'reader',
    actions: ['lambda:GetFunctionConcurrency', 'lambda:GetEventSourceMapping'],
    on: '`Receive`, and what hands messages to `Store`, `Advance` and `Refresh`',
    commands: '`doctor`',
    resources: ({ lambda, eventSourceMappings }) => [lambda('Receive'), ...eventSourceMappings],
  },
  {
    role: 'reader',
    actions: ['lambda:GetFunctionConfiguration'],
    on: '`Advance`: the deadlines of the steps of an onboarding, and the declared statuses',
    commands: '`onboardings show`, `console`',
    resources: ({ lambda }) => [lambda('Advance')],
  },
  {
    role: 'operator',
    actions: ['lambda:GetFunctionConfiguration'],
    on: '`Receive`: the name of the secret header',
    commands: '`doctor --webhook`',
    resources: ({ lambda }) => [lambda('Receive')],
  },
  {
    role: 'operator',
    actions: ['secretsmanager:GetSecretValue'],
    on: 'the webhook secret, with which the test webhook is sent. No command prints the secret',
    commands: '`doctor --webhook`',
    resources: ({ secret }) => [secret('WebhookSecret')],
  },
  {
    role: 'operator',
    actions: ['execute-api:Invoke'],
    on: 'single events: the answer can hold personal data',
    commands:
      '`events show`, `quarantine show`, `tail --body`, `doctor --webhook`, `persons export`, `platform record --events`',
    resources: ({ route }) => [route('GET/events/*')],
  },
  {
    role: 'operator',
    actions: ['execute-api:Invoke'],
    on: 'single onboardings, with the link of the video call',
    commands: '`onboardings show --reveal`, `persons export`, `console`',
    resources: ({ route }) => [route('GET/onboardings/*')],
  },
  {
    role: 'operator',
    actions: ['execute-api:Invoke'],
    on: 'what is stored of a person: ids, and on request what an onboarding still holds of its request, which is personal data',
    commands: '`persons erase` and `export`',
    resources: ({ route }) => [route('GET/persons/*')],
  },
  {
    role: 'operator',
    actions: ['execute-api:Invoke'],
    on: 'the writes of the API',
    commands: '`onboardings start`, `retry` and `cancel`, `persons update`, `erase` and `repeat-erasures`',
    resources: ({ route }) =>
      ['POST/onboardings', 'POST/onboardings/*', 'PATCH/onboardings/*', 'DELETE/persons/*'].map(route),
  },
  {
    role: 'operator',
    actions: ['lambda:InvokeFunction'],
    on: '`Register`, `Replay`, `Drain` and `Reconcile`',
    commands:
      '`webhooks`, `doctor`, `events replay`, `quarantine replay`, `drain`, `reconcile`, `show --platform` of entities',
    resources: ({ lambda }) => [lambda('Register'), lambda('Replay'), lambda('Drain'), lambda('Reconcile')],
  },
  {
    role: 'operator',
    actions: ['sqs:ReceiveMessage', 'sqs:ChangeMessageVisibility', 'sqs:DeleteMessage'],
    on: 'the dead-letter queues',
    commands: '`dlq show`, `redrive` and `delete`',
    resources: ({ queue }) => deadLetterQueues.map(queue),
  },
  {
    role: 'operator',
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    on: 'the log group of `Query`, which records what is done and shown',
    commands:
      '`dlq show --reveal`, `dlq redrive`, `delete` and `purge`, `onboardings show --reveal`, `start`, `retry` and `cancel`, `events replay`, `quarantine replay`, `bus replay`, `webhooks apply`, `rotate` and `retire`, `drain`, `reconcile repair`, `token refresh --force`, `credentials set`, `persons update`, `erase`, `export` and `repeat-erasures`',
    resources: ({ queryLogs }) => [queryLogs],
  },
  {
    role: 'operator',
    actions: ['sqs:StartMessageMoveTask', 'sqs:ListMessageMoveTasks'],
    on: 'the dead-letter queues of webhooks, requests and onboardings',
    commands: '`dlq redrive`',
    resources: ({ queue }) => redrivableQueues.map(queue),
  },
  {
    role: 'operator',
    actions: ['sqs:SendMessage'],
    on: 'the queues of webhooks, requests and onboardings',
    commands: '`dlq redrive`',
    resources: ({ queue }) => redrivableQueues.map((name) => queue(redriveTargets[name])),
  },
  {
    role: 'operator',
    actions: ['sqs:PurgeQueue'],
    on: '`TokenRefreshesDlq` and `MissedRuns`',
    commands: '`dlq purge`',
    resources: ({ queue }) => purgeableQueues.map(queue),
  },
  {
    role: 'operator',
    actions: ['sqs:SendMessage'],
    on: 'the queue of token refreshes',
    commands: '`token refresh`, `credentials set`',
    resources: ({ queue }) => [queue('TokenRefreshes')],
  },
  {
    role: 'operator',
    actions: ['secretsmanager:PutSecretValue'],
    on: 'the platform credentials, which no command reads',
    commands: '`credentials set`',
    resources: ({ secret }) => [secret('PlatformCredentials')],
  },
  {
    role: 'operator',
    actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
    on: 'the key of the queues and secrets',
    commands: '`dlq`, `token refresh`, `credentials set`, `doctor --webhook`',
    resources: ({ keys }) => keys(),
  },
  {
    role: 'operator',
    actions: ['events:PutRule', 'events:PutTargets', 'events:RemoveTargets', 'events:DeleteRule'],
    on: 'rules of the bus with a name that begins with `drawbridge-cli-`',
    commands: '`tail`, `listen`, `console`',
    resources: ({ prefixOf, bus }) => [`${prefixOf('events')}rule/${bus}/drawbridge-cli-*`],
  },
  {
    role: 'operator',
    actions: ['events:DescribeArchive', 'events:StartReplay', 'events:DescribeReplay'],
    on: 'the archive of the bus, and replays with a name that begins with `drawbridge-cli-`',
    commands: '`bus replay`',
    resources: ({ prefixOf, bus, archives }) => [
      ...archives,
      `${prefixOf('events')}event-bus/${bus}`,
      `${prefixOf('events')}replay/drawbridge-cli-*`,
    ],
  },
  {
    role: 'operator',
    actions: [
      'sqs:CreateQueue',
      'sqs:DeleteQueue',
      'sqs:SetQueueAttributes',
      'sqs:ReceiveMessage',
      'sqs:DeleteMessage',
    ],
    on: 'queues with a name that begins with `drawbridge-cli-`',
    commands: '`tail`, `listen`, `console`',
    resources: sessionQueues,
  },
];

/** The ARNs of a deployment, by its resources. */
export async function readPolicyPlace({
  environment,
  region,
  outputs,
  resources,
}: Pick<Deployment, 'environment' | 'region' | 'outputs' | 'resources'>): Promise<PolicyPlace> {
  const { idOf, ofType } = await resources();
  const [, partition, , , account] = arnOf(outputs, idOf('secret', 'PlatformToken')).split(':');
  const prefixOf = (service: string) => `arn:${partition}:${service}:${region}:${account}:`;
  const [apiId] = new URL(outputs.get('ApiUrl') ?? '').hostname.split('.');
  const stacks = stackNamesOf(environment);
  const logGroups = ofType('AWS::Logs::LogGroup').map(({ physicalId }) => physicalId);
  return {
    prefixOf,
    stacks: Object.values(stacks).map((name) => `${prefixOf('cloudformation')}stack/${name}/*`),
    queue: (name) => `${prefixOf('sqs')}${idOf('queue', name).split('/').at(-1)}`,
    lambda: (name) => `${prefixOf('lambda')}function:${idOf('function', name)}`,
    secret: (name) => {
      const id = idOf('secret', name);
      // Emulators answer with the name of a secret, to which AWS adds six characters.
      return id.startsWith('arn:') ? id : `${prefixOf('secretsmanager')}secret:${id}-??????`;
    },
    schedules: ofType('AWS::Scheduler::Schedule').map(
      ({ physicalId }) => `${prefixOf('scheduler')}schedule/default/${physicalId}`,
    ),
    eventSourceMappings: ofType('AWS::Lambda::EventSourceMapping').map(
      ({ physicalId }) => `${prefixOf('lambda')}event-source-mapping:${physicalId}`,
    ),
    bus: idOf('bus', 'Bus'),
    archives: ofType('AWS::Events::Archive').map(({ physicalId }) => `${prefixOf('events')}archive/${physicalId}`),
    logGroups: startsOf(logGroups, stacks.service).map((start) => `${prefixOf('logs')}log-group:${start}*`),
    queryLogs: `${prefixOf('logs')}log-group:${idOf('logGroup', 'Query')}*`,
    keys: () => {
      const given = outputs.get('KeyArn');
      if (given !== undefined) return [given];
      const own = ofType('AWS::KMS::Key').map(({ physicalId }) => `${prefixOf('kms')}key/${physicalId}`);
      if (own.length > 0) return own;
      throw new CommandError('No output of the stacks names the key that encrypts them.', 'npx cdk deploy --all');
    },
    route: (route) => `${prefixOf('execute-api')}${apiId}/*/${route}`,
  };
}

/**
 * What the names of the log groups of a stack begin with. CloudFormation makes a name of the stack's name and the logical id. A start
 * includes the first word of the logical id, and so a capital letter. Without the word, the start for the environment `eu` would fit
 * the names of an environment `eu-service-2`.
 */
function startsOf(names: readonly string[], stack: string): readonly string[] {
  const firstWord = new RegExp(`^${stack}-[A-Z][a-z]+`);
  const starts = new Set(names.map((name) => firstWord.exec(name)?.[0] ?? name));
  return [...starts].filter((start) => ![...starts].some((other) => other !== start && start.startsWith(other)));
}

/** An ARN of the deployment: it names the partition and the account. @throws {CommandError} if there is none */
function arnOf(outputs: ReadonlyMap<string, string>, secret: string): string {
  const found = [secret, ...outputs.values()].find((id) => /^arn:[\w-]+:[\w-]+:[\w-]*:\d+:/.test(id));
  if (found !== undefined) return found;
  throw new CommandError('No output of the stacks names the account.', 'npx cdk deploy --all');
}

/** An IAM policy. */
export type Policy = {
  readonly Version: '2012-10-17';
  readonly Statement: readonly {
    readonly Effect: 'Allow';
    readonly Action: readonly string[];
    readonly Resource: readonly string[];
  }[];
};

/**
 * The policy of a role: exactly what its commands do, on the resources of one deployment. An operator needs the policies of both roles:
 * IAM takes 6,144 characters in a policy, and all permissions of an operator are longer.
 */
export function policyOf(role: Role, place: PolicyPlace): Policy {
  const needed = commandPermissions
    .filter((permission) => permission.role === role)
    .map(({ actions, resources }) => ({ actions, resources: resources(place) }));
  const statements = [...Map.groupBy(needed, ({ actions }) => actions.join(' '))].map(([actions, ofActions]) => ({
    Effect: 'Allow' as const,
    Action: actions.split(' '),
    Resource: [...new Set(ofActions.flatMap(({ resources }) => resources))],
  }));
  return { Version: '2012-10-17', Statement: statements };
}
