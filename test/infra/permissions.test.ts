import { describe, expect, it } from 'vitest';
import { arnOf, type Deployed, deployedStack, pathOf, refTo, resourcesOf, theResource } from './deployed-stack.ts';
import { permissions, roleOf, statementsOf } from './policy-statements.ts';

const data = deployedStack('data');
const service = deployedStack('service');
const key = theResource(data, 'AWS::KMS::Key');
const secret = theResource(data, 'AWS::SecretsManager::Secret', 'WebhookSecret');
const events = theResource(data, 'AWS::DynamoDB::Table', 'Events');
const entities = theResource(data, 'AWS::DynamoDB::Table', 'Entities');
const bus = theResource(data, 'AWS::Events::EventBus');
const checkpoints = theResource(data, 'AWS::DynamoDB::Table', 'Checkpoints');
const persons = theResource(data, 'AWS::DynamoDB::Table', 'Persons');
const queue = theResource(data, 'AWS::SQS::Queue', 'Webhooks');
const platformToken = theResource(data, 'AWS::SecretsManager::Secret', 'PlatformToken');
const platformCredentials = theResource(data, 'AWS::SecretsManager::Secret', 'PlatformCredentials');
const tokenRefreshes = theResource(service, 'AWS::SQS::Queue', 'TokenRefreshes');
const missedRuns = theResource(service, 'AWS::SQS::Queue', 'MissedRuns');

const onboardings = theResource(data, 'AWS::DynamoDB::Table', 'Onboardings');
const onboardingQueue = queueNamed('Onboarding');

const names = new Map<string, string>([
  [JSON.stringify(arnOf(key)), 'the key'],
  [JSON.stringify(refTo(secret)), 'the webhook secret'],
  [JSON.stringify(arnOf(events)), 'the events table'],
  [JSON.stringify({ 'Fn::Join': ['', [arnOf(events), '/index/quarantined']] }), 'the index of quarantined events'],
  [JSON.stringify({ 'Fn::Join': ['', [arnOf(events), '/index/listed']] }), 'the index of all events'],
  [JSON.stringify({ 'Fn::Join': ['', [arnOf(entities), '/index/listed']] }), 'the index of listed entities'],
  [
    JSON.stringify({ 'Fn::Join': ['', [arnOf(entities), '/index/toReadBack']] }),
    'the index of entities to be read back',
  ],
  [JSON.stringify(arnOf(entities)), 'the entities table'],
  [JSON.stringify(arnOf(bus)), 'the bus'],
  [JSON.stringify(arnOf(onboardings)), 'the onboardings table'],
  ...['ofPerson', 'ofVerification', 'due', 'listed'].map(
    (index) =>
      [JSON.stringify({ 'Fn::Join': ['', [arnOf(onboardings), `/index/${index}`]] }), `the index ${index}`] as const,
  ),
  [JSON.stringify(arnOf(onboardingQueue)), 'the onboarding queue'],
  [JSON.stringify(arnOf(checkpoints)), 'the checkpoints table'],
  [JSON.stringify(arnOf(persons)), 'the table of persons'],
  [JSON.stringify(arnOf(queue)), 'the webhooks queue'],
  [JSON.stringify(arnOf(theResource(data, 'AWS::SQS::Queue', 'Requests'))), 'the requests queue'],
  [JSON.stringify(refTo(platformToken)), 'the platform token'],
  [JSON.stringify(refTo(platformCredentials)), 'the platform credentials'],
  [JSON.stringify(arnOf(tokenRefreshes)), 'the refreshes queue'],
  [JSON.stringify(arnOf(missedRuns)), 'the missed runs'],
]);

/** The queue of the construct with this name. */
function queueNamed(name: string): Deployed {
  const queue = resourcesOf(service, 'AWS::SQS::Queue').find((one) => pathOf(one).at(-2) === name);
  if (queue === undefined) throw new Error(`There is no queue ${name}.`);
  return queue;
}

/** The permissions of a function, without those to log and trace that each function has. */
function allowed(functionName: string): string[] {
  return permissionsOf(roleOf(service, theResource(service, 'AWS::Lambda::Function', functionName)));
}

function permissionsOf(role: Deployed): string[] {
  const statements = statementsOf(service, role);
  const nameOf = (resource: unknown) => names.get(JSON.stringify(resource)) ?? JSON.stringify(resource);
  return permissions(statements, nameOf).filter((permission) => !/^(logs|xray):/.test(permission));
}

const takingIn = [
  'dynamodb:GetItem on the onboardings table',
  'dynamodb:PutItem on the onboardings table',
  'kms:Decrypt on the key',
  'kms:GenerateDataKey on the key',
  'sqs:SendMessage on the onboarding queue',
];

const callingThePlatform = [
  'kms:Decrypt on the key',
  'kms:GenerateDataKey on the key',
  'secretsmanager:GetSecretValue on the platform token',
  'sqs:SendMessage on the refreshes queue',
];

describe('the permissions of the functions', () => {
  it('allow receive to read the secret and send to the queue', () => {
    expect(allowed('Receive')).toEqual([
      'kms:Decrypt on the key',
      'kms:GenerateDataKey on the key',
      'secretsmanager:GetSecretValue on the webhook secret',
      'sqs:SendMessage on the webhooks queue',
    ]);
  });

  it('allow store to consume the queue, access events and entities, publish, and wake onboardings', () => {
    expect(allowed('Store')).toEqual([
      'dynamodb:BatchGetItem on the entities table',
      'dynamodb:BatchGetItem on the onboardings table',
      'dynamodb:DeleteItem on the entities table',
      'dynamodb:DeleteItem on the table of persons',
      'dynamodb:GetItem on the events table',
      'dynamodb:PutItem on the entities table',
      'dynamodb:PutItem on the table of persons',
      'dynamodb:Query on the entities table',
      'dynamodb:Query on the index ofPerson',
      'dynamodb:Query on the index ofVerification',
      'dynamodb:Query on the table of persons',
      'dynamodb:UpdateItem on the events table',
      'events:PutEvents on the bus',
      'kms:Decrypt on the key',
      'kms:GenerateDataKey on the key',
      'sqs:DeleteMessage on the webhooks queue',
      'sqs:GetQueueAttributes on the webhooks queue',
      'sqs:ReceiveMessage on the webhooks queue',
      'sqs:SendMessage on the onboarding queue',
    ]);
  });

  // The laptop keeps the lists of all events and of entities.
  it('allow query to read single events, entities with their events, and lists of events', () => {
    expect(allowed('Query')).toEqual([
      'dynamodb:GetItem on the entities table',
      'dynamodb:GetItem on the events table',
      'dynamodb:Query on the entities table',
      'dynamodb:Query on the index of all events',
      'dynamodb:Query on the index of listed entities',
      'dynamodb:Query on the index of quarantined events',
      'kms:Decrypt on the key',
    ]);
  });

  it('allow refresh to consume its queue, read the credentials, and replace the token', () => {
    expect(allowed('Refresh')).toEqual([
      'kms:Decrypt on the key',
      'kms:GenerateDataKey on the key',
      'secretsmanager:GetSecretValue on the platform credentials',
      'secretsmanager:GetSecretValue on the platform token',
      'secretsmanager:PutSecretValue on the platform token',
      'sqs:DeleteMessage on the refreshes queue',
      'sqs:GetQueueAttributes on the refreshes queue',
      'sqs:ReceiveMessage on the refreshes queue',
    ]);
  });

  it('allow register to access the webhook secret, read the token, and report a refused one', () => {
    expect(allowed('Register')).toEqual([
      'kms:Decrypt on the key',
      'kms:GenerateDataKey on the key',
      'secretsmanager:GetSecretValue on the platform token',
      'secretsmanager:GetSecretValue on the webhook secret',
      'secretsmanager:PutSecretValue on the webhook secret',
      'sqs:SendMessage on the refreshes queue',
    ]);
  });

  it('allow replay to list events without a write, and to send to the webhooks queue', () => {
    expect(allowed('Replay')).toEqual([
      'dynamodb:GetItem on the events table',
      'dynamodb:Query on the index of quarantined events',
      'dynamodb:Scan on the events table',
      'kms:Decrypt on the key',
      'kms:GenerateDataKey on the key',
      'sqs:SendMessage on the webhooks queue',
    ]);
  });

  it('allow only register to write the webhook secret', () => {
    const writing = resourcesOf(service, 'AWS::IAM::Role').filter((role) =>
      permissionsOf(role).includes('secretsmanager:PutSecretValue on the webhook secret'),
    );
    expect(writing).toEqual([roleOf(service, theResource(service, 'AWS::Lambda::Function', 'Register'))]);
  });

  it('allow drain to call the platform, write events and its checkpoint, and send to the webhooks queue', () => {
    expect(allowed('Drain')).toEqual([
      'dynamodb:BatchGetItem on the events table',
      'dynamodb:GetItem on the checkpoints table',
      'dynamodb:GetItem on the events table',
      'dynamodb:PutItem on the checkpoints table',
      'dynamodb:PutItem on the table of persons',
      'dynamodb:UpdateItem on the events table',
      'kms:Decrypt on the key',
      'kms:GenerateDataKey on the key',
      'secretsmanager:GetSecretValue on the platform token',
      'secretsmanager:GetSecretValue on the webhook secret',
      'sqs:SendMessage on the refreshes queue',
      'sqs:SendMessage on the webhooks queue',
    ]);
  });

  it('allow reconcile to call the platform, read entities, write its checkpoint, and send messages', () => {
    expect(allowed('Reconcile')).toEqual([
      'dynamodb:GetItem on the checkpoints table',
      'dynamodb:GetItem on the entities table',
      'dynamodb:GetItem on the events table',
      'dynamodb:PutItem on the checkpoints table',
      'dynamodb:PutItem on the table of persons',
      'dynamodb:Query on the entities table',
      'dynamodb:Query on the index of entities to be read back',
      'dynamodb:Scan on the entities table',
      'dynamodb:Scan on the events table',
      'dynamodb:Scan on the index ofPerson',
      'kms:Decrypt on the key',
      'kms:GenerateDataKey on the key',
      'secretsmanager:GetSecretValue on the platform token',
      'sqs:SendMessage on the refreshes queue',
      'sqs:SendMessage on the webhooks queue',
    ]);
  });

  it('allow erasePerson to erase in the tables with personal data, and to fill and use the index of persons', () => {
    expect(allowed('ErasePerson')).toEqual([
      'dynamodb:DeleteItem on the entities table',
      'dynamodb:DeleteItem on the table of persons',
      'dynamodb:GetItem on the checkpoints table',
      'dynamodb:GetItem on the events table',
      'dynamodb:GetItem on the onboardings table',
      'dynamodb:PutItem on the checkpoints table',
      'dynamodb:PutItem on the entities table',
      'dynamodb:PutItem on the onboardings table',
      'dynamodb:PutItem on the table of persons',
      'dynamodb:Query on the entities table',
      'dynamodb:Query on the index of quarantined events',
      'dynamodb:Query on the index ofPerson',
      'dynamodb:Query on the index ofVerification',
      'dynamodb:Query on the table of persons',
      'dynamodb:Scan on the events table',
      'dynamodb:UpdateItem on the events table',
      'kms:Decrypt on the key',
      'kms:GenerateDataKey on the key',
    ]);
  });

  it('allow only store and erasePerson to write entities', () => {
    const writing = resourcesOf(service, 'AWS::IAM::Role').filter((role) =>
      permissionsOf(role).some((permission) => /(Put|Update|Delete)Item on the entities table/.test(permission)),
    );
    const expected = ['ErasePerson', 'Store'].map((name) =>
      roleOf(service, theResource(service, 'AWS::Lambda::Function', name)),
    );
    expect(new Set(writing)).toEqual(new Set(expected));
  });

  it('allow api to list onboardings, and to read, write and wake single ones', () => {
    expect(allowed('Api')).toEqual([...takingIn, 'dynamodb:Query on the index listed'].toSorted());
  });

  it('allow requestEvent to read, write and wake single onboardings, to publish, and to consume its queue', () => {
    const consuming = ['Delete', 'Receive'].map((verb) => `sqs:${verb}Message on the requests queue`);
    const all = [
      ...takingIn,
      ...consuming,
      'sqs:GetQueueAttributes on the requests queue',
      'events:PutEvents on the bus',
    ];
    expect(allowed('RequestEvent')).toEqual(all.toSorted());
  });

  it('allow updatePerson to read single onboardings and call the platform', () => {
    expect(allowed('UpdatePerson')).toEqual(['dynamodb:GetItem on the onboardings table', ...callingThePlatform]);
  });

  it('allow advance to consume its queue, access onboardings, call the platform, and publish', () => {
    expect(allowed('Advance')).toEqual(
      [
        'dynamodb:GetItem on the onboardings table',
        'dynamodb:PutItem on the onboardings table',
        'events:PutEvents on the bus',
        ...callingThePlatform,
        'sqs:DeleteMessage on the onboarding queue',
        'sqs:GetQueueAttributes on the onboarding queue',
        'sqs:ReceiveMessage on the onboarding queue',
      ].toSorted(),
    );
  });

  it('allow wake to list what is due, lease it, send it to the onboarding queue, and count what the gauges say', () => {
    const queried = ['due', 'listed', 'of quarantined events'].map((index) => `dynamodb:Query on the index ${index}`);
    expect(allowed('Wake')).toEqual([...takingIn, ...queried].toSorted());
  });

  it('deny the functions that accept requests access to the platform', () => {
    for (const name of ['Api', 'RequestEvent']) expect(allowed(name).join()).not.toMatch(/secretsmanager/);
  });

  it('allow only refresh to read the credentials', () => {
    const reaching = resourcesOf(service, 'AWS::IAM::Role').filter((role) =>
      permissionsOf(role).some((permission) => permission.endsWith('the platform credentials')),
    );
    expect(reaching).toEqual([roleOf(service, theResource(service, 'AWS::Lambda::Function', 'Refresh'))]);
  });

  it('deny receive access to the tables', () => {
    expect(allowed('Receive').join()).not.toMatch(/dynamodb/);
  });

  it('deny store access to the secrets', () => {
    expect(allowed('Store').join()).not.toMatch(/secretsmanager|the webhook secret/);
  });
});

describe('the permissions of the schedule of the token refresher', () => {
  it('only allow to send to its queue or to the missed runs', () => {
    const role = theResource(service, 'AWS::IAM::Role', 'TokenRefresh');
    const { Properties } = theResource(service, 'AWS::Scheduler::Schedule', 'TokenRefresh');
    expect(Properties.Target).toMatchObject({ RoleArn: arnOf(role) });
    expect(permissionsOf(role)).toEqual([
      'kms:Decrypt on the key',
      'kms:GenerateDataKey on the key',
      'sqs:SendMessage on the missed runs',
      'sqs:SendMessage on the refreshes queue',
    ]);
    expect(role.Properties).toMatchObject({
      AssumeRolePolicyDocument: {
        Statement: [{ Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'scheduler.amazonaws.com' } }],
      },
    });
  });
});

describe('the permissions of the other schedules', () => {
  it('only allow to invoke register or to send to the missed runs', () => {
    const role = theResource(service, 'AWS::IAM::Role', 'RegisterRuns');
    const lambda = theResource(service, 'AWS::Lambda::Function', 'Register');
    expect(permissionsOf(role)).toEqual([
      'kms:Decrypt on the key',
      'kms:GenerateDataKey on the key',
      `lambda:InvokeFunction on ${JSON.stringify(arnOf(lambda))}`,
      'sqs:SendMessage on the missed runs',
    ]);
  });

  it('only allow to invoke reconcile or to send to the missed runs', () => {
    const role = theResource(service, 'AWS::IAM::Role', 'ReconcileRuns');
    const lambda = theResource(service, 'AWS::Lambda::Function', 'Reconcile');
    expect(permissionsOf(role)).toEqual([
      'kms:Decrypt on the key',
      'kms:GenerateDataKey on the key',
      `lambda:InvokeFunction on ${JSON.stringify(arnOf(lambda))}`,
      'sqs:SendMessage on the missed runs',
    ]);
  });

  it('only allow to invoke the drain or to send to the missed runs', () => {
    const drain = theResource(service, 'AWS::Lambda::Function', 'Drain');
    const role = theResource(service, 'AWS::IAM::Role', 'DrainRuns');
    const { Properties } = theResource(service, 'AWS::Scheduler::Schedule', 'DrainRuns');
    expect(Properties.Target).toMatchObject({ RoleArn: arnOf(role) });
    expect(permissionsOf(role)).toEqual([
      'kms:Decrypt on the key',
      'kms:GenerateDataKey on the key',
      `lambda:InvokeFunction on ${JSON.stringify(arnOf(drain))}`,
      'sqs:SendMessage on the missed runs',
    ]);
  });
});

describe('the grants of the service', () => {
  it('are in no resource policy', () => {
    const { Resources } = service;
    const resourcePolicies = Object.values(Resources).filter(({ Type }) => /(Queue|Topic|Resource)Policy$/.test(Type));
    const roles = resourcesOf(service, 'AWS::IAM::Role').map(({ id }) => id);
    expect(resourcePolicies.length).toBeGreaterThan(0);
    expect(resourcePolicies.filter((policy) => roles.some((id) => JSON.stringify(policy).includes(id)))).toEqual([]);
  });

  it('are in policies that belong to one role each', () => {
    for (const { Properties } of resourcesOf(service, 'AWS::IAM::Policy')) expect(Properties.Roles).toHaveLength(1);
    expect(resourcesOf(service, 'AWS::IAM::ManagedPolicy')).toEqual([]);
  });
});
