import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { type DeployRun, findResource, readOutputs, resourcesOfType, until } from '#tools/deploy/deploy-run.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { queueFor, receivedBody } from '#tools/deploy/steps/subscribed-queue.ts';

const put = z.object({
  FailedEntryCount: z.number().default(0),
  Entries: z.array(z.object({ ErrorCode: z.string().optional() })),
});

const busOf = ({ environment }: DeployRun) => `drawbridge-${environment}`;

/** An event of the source `drawbridge` from another principal is refused, also from the administrator who runs this. */
export async function refuseForeignEvents(deployment: DeployRun): Promise<string> {
  const entry = {
    Source: 'drawbridge',
    DetailType: 'OrderStatusChanged',
    Detail: '{}',
    EventBusName: busOf(deployment),
  };
  const answer = await deployment.aws
    .read(put, 'events', 'put-events', '--entries', JSON.stringify([entry]))
    .catch((error: unknown) => String(error));
  const refused = typeof answer === 'string' ? answer : JSON.stringify(answer.Entries);
  if (typeof answer !== 'string' && answer.FailedEntryCount === 0)
    throw new DeploymentError('The bus took an event of the source drawbridge from another principal.');
  if (!/AccessDenied|NotAuthorized/.test(refused)) throw new DeploymentError(`Refused otherwise: ${refused}`);
  return 'put-events with the source drawbridge was refused';
}

/** In milliseconds: EventBridge may take ten minutes until an event is in the archive. */
const archiveDeadline = 1_800_000;

const archives = z.object({ Archives: z.array(z.object({ ArchiveName: z.string(), EventSourceArn: z.string() })) });
const replay = z.object({ State: z.string(), StateReason: z.string().optional() });
const event = z.looseObject({ 'replay-name': z.string() });

/** What the functions have published before comes once more to a rule, by a replay of the archive. */
export async function replayFromArchive(deployment: DeployRun): Promise<string> {
  const { aws, environment, target } = deployment;
  const bus = busOf(deployment);
  const name = `drawbridge-${environment}-replayed`;
  const arn = (resource: string) => `arn:aws:events:${target.region}:${target.account}:${resource}`;
  const rule = arn(`rule/${bus}/${name}`);
  const { Archives } = await aws.read(
    archives,
    'events',
    'list-archives',
    '--event-source-arn',
    arn(`event-bus/${bus}`),
  );
  const [archive] = Archives;
  if (archive === undefined) throw new DeploymentError('The bus has no archive.');
  const queue = await queueFor(deployment, name, { service: 'events.amazonaws.com', source: rule });
  // No event but a replayed one has the field.
  const pattern = JSON.stringify({ 'replay-name': [{ exists: true }] });
  const ofRule = ['--event-bus-name', bus, '--rule', name];
  await aws.run('events', 'put-rule', '--event-bus-name', bus, '--name', name, '--event-pattern', pattern);
  await aws.run('events', 'put-targets', ...ofRule, '--targets', `Id=queue,Arn=${queue.arn}`);
  let attempts = 0;
  const seen = await until(
    'A replayed event arrives',
    async () => {
      attempts += 1;
      const replayName = `${name}-${attempts}`;
      const [from, to] = [Date.now() - 7_200_000, Date.now()].map((time) => new Date(time).toISOString());
      await aws.run(
        'events',
        'start-replay',
        ...['--replay-name', replayName, '--event-source-arn', arn(`archive/${archive.ArchiveName}`)],
        ...['--event-start-time', from ?? '', '--event-end-time', to ?? ''],
        ...['--destination', JSON.stringify({ Arn: arn(`event-bus/${bus}`), FilterArns: [rule] })],
      );
      await until(
        `The replay ${replayName} ends`,
        async () => {
          const { State, StateReason } = await aws.read(
            replay,
            'events',
            'describe-replay',
            '--replay-name',
            replayName,
          );
          if (State === 'FAILED') throw new DeploymentError(`The replay failed: ${StateReason}`);
          return State === 'COMPLETED';
        },
        archiveDeadline,
      );
      const body = await receivedBody(deployment, queue);
      if (body === undefined) await wait(60_000);
      return body;
    },
    archiveDeadline,
  );
  const { 'replay-name': replayName } = event.parse(seen);
  await aws.run('events', 'remove-targets', ...ofRule, '--ids', 'queue');
  await aws.run('events', 'delete-rule', '--event-bus-name', bus, '--name', name);
  await aws.run('sqs', 'delete-queue', '--queue-url', queue.url);
  return `a replay of ${archive.ArchiveName} brought an event to a rule (${replayName})`;
}

const trails = z.object({ trailList: z.array(z.unknown()) });
const alarms = z.object({ MetricAlarms: z.array(z.object({ StateValue: z.string() })) });

/** In milliseconds: KMS takes seconds until each region knows the state of a key. CloudTrail takes minutes. */
const keyDeadline = 300_000;
const trailDeadline = 1_200_000;

/** While the keys are disabled, a secret cannot be read. Where the account has a trail, the alarm `KeyDisabled` goes off. */
export async function disableKeys(deployment: DeployRun): Promise<string> {
  const { aws, environment } = deployment;
  const keys = await resourcesOfType(deployment, 'data', 'AWS::KMS::Key');
  const { PlatformCredentialsArn: secret } = await readOutputs(deployment);
  const table = await findResource(deployment, 'data', 'AWS::DynamoDB::Table');
  const readSecret = () =>
    aws.run('secretsmanager', 'get-secret-value', '--secret-id', secret, '--query', 'VersionId').then(
      () => 'read',
      (error: unknown) => String(error),
    );
  const encryption = z.object({ Table: z.object({ SSEDescription: z.object({ KMSMasterKeyArn: z.string() }) }) });
  const { Table } = await aws.read(encryption, 'dynamodb', 'describe-table', '--table-name', table);
  if (!keys.some(({ PhysicalResourceId: id }) => Table.SSEDescription.KMSMasterKeyArn.endsWith(`/${id}`)))
    throw new DeploymentError(`${table} is encrypted with ${Table.SSEDescription.KMSMasterKeyArn}.`);
  const call = async (command: string) => {
    for (const { PhysicalResourceId: id } of keys) await aws.run('kms', command, '--key-id', id);
  };
  let alarm = 'the account has no trail, so that KeyDisabled was not tried';
  try {
    await call('disable-key');
    await until('The secret cannot be read', async () => /KMS|disabled/i.test(await readSecret()), keyDeadline);
    if ((await aws.read(trails, 'cloudtrail', 'describe-trails')).trailList.length > 0) {
      const named = ['--alarm-names', `drawbridge-${environment}-KeyDisabled`];
      const isOn = async () =>
        (await aws.read(alarms, 'cloudwatch', 'describe-alarms', ...named)).MetricAlarms[0]?.StateValue === 'ALARM';
      await until('The alarm KeyDisabled is on', isOn, trailDeadline);
      alarm = 'the alarm KeyDisabled went off';
    }
  } finally {
    await call('enable-key');
  }
  await until('The secret can be read again', async () => (await readSecret()) === 'read', keyDeadline);
  return `${keys.length} keys disabled and enabled: the secret was refused meanwhile; ${alarm}`;
}
