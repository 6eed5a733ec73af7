import * as z from 'zod';
import { parseJson } from '#shared/parse-json.ts';
import { asFirstRunner } from '#tools/deploy/deployer.ts';
import { type Deployment, readOutputs, until } from '#tools/deploy/deployment.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { runPage } from '#tools/deploy/run-page.ts';

const created = z.object({ QueueUrl: z.string() });
const attributes = z.object({ Attributes: z.object({ QueueArn: z.string() }) });
const received = z.object({ Messages: z.array(z.object({ Body: z.string() })).default([]) });
const json = z.string().transform(parseJson);

/** What SNS hands to a queue that subscribes to the alarms. */
const notification = json.pipe(
  z.object({
    Message: json.pipe(
      z.object({ NewStateValue: z.string(), NewStateReason: z.string(), AlarmDescription: z.string() }),
    ),
  }),
);

/** Fires the test alarm of docs/how-to/deploy.md, and waits for the notification as a subscriber. */
export async function fireTestAlarm(deployment: Deployment): Promise<string> {
  const { aws } = deployment;
  const { AlarmTopicArn } = await readOutputs(deployment);
  const { QueueUrl } = await aws.read(created, 'sqs', 'create-queue', '--queue-name', 'alarm-subscriber');
  const ofQueue = ['--queue-url', QueueUrl];
  const { Attributes } = await aws.read(
    attributes,
    'sqs',
    'get-queue-attributes',
    ...ofQueue,
    '--attribute-names',
    'All',
  );
  const Policy = JSON.stringify(publishedBy(AlarmTopicArn, Attributes.QueueArn));
  await aws.run('sqs', 'set-queue-attributes', ...ofQueue, '--attributes', JSON.stringify({ Policy }));
  const endpoint = ['--protocol', 'sqs', '--notification-endpoint', Attributes.QueueArn];
  await aws.run('sns', 'subscribe', '--topic-arn', AlarmTopicArn, ...endpoint);
  await runPage(await asFirstRunner(deployment), 'docs/how-to/deploy.md', '5. Fire a test alarm');
  const { Message } = await until('the notification', async () => {
    const { Messages } = await aws.read(received, 'sqs', 'receive-message', ...ofQueue, '--wait-time-seconds', '1');
    return Messages[0] && notification.parse(Messages[0].Body);
  });
  const { NewStateValue, NewStateReason, AlarmDescription } = Message;
  if (NewStateValue !== 'ALARM' || NewStateReason !== 'Test of the notifications')
    throw new DeploymentError(`The first notification is ${NewStateValue}: ${NewStateReason}`);
  await aws.run('sqs', 'delete-queue', ...ofQueue);
  return `${NewStateValue}: ${AlarmDescription}`;
}

/** The policy by which SNS may hand what the topic takes to the queue. */
function publishedBy(topic: string, queue: string): object {
  const service = { Effect: 'Allow', Principal: { Service: 'sns.amazonaws.com' }, Action: 'sqs:SendMessage' };
  const Condition = { ArnEquals: { 'aws:SourceArn': topic } };
  return { Version: '2012-10-17', Statement: [{ ...service, Resource: queue, Condition }] };
}
