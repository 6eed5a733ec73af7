import * as z from 'zod';
import { parseJson } from '#shared/parse-json.ts';
import { type DeployRun, readOutputs, until } from '#tools/deploy/deploy-run.ts';
import { asFirstRunner } from '#tools/deploy/deployer.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { runPage } from '#tools/deploy/run-page.ts';
import { queueFor, receivedBody } from './subscribed-queue.ts';

/** What SNS hands to a queue that subscribes to the alarms. */
const notification = z.object({
  Message: z
    .string()
    .transform(parseJson)
    .pipe(z.object({ NewStateValue: z.string(), NewStateReason: z.string(), AlarmDescription: z.string() })),
});

/** Fires the test alarm of docs/how-to/deploy.md, and waits for the notification as a subscriber. */
export async function fireTestAlarm(deployment: DeployRun): Promise<string> {
  const { aws, environment } = deployment;
  const { AlarmTopicArn } = await readOutputs(deployment);
  const sender = { service: 'sns.amazonaws.com', source: AlarmTopicArn };
  const queue = await queueFor(deployment, `drawbridge-${environment}-alarm-subscriber`, sender);
  const endpoint = ['--protocol', 'sqs', '--notification-endpoint', queue.arn];
  await aws.run('sns', 'subscribe', '--topic-arn', AlarmTopicArn, ...endpoint);
  await runPage(await asFirstRunner(deployment), 'docs/how-to/deploy.md', '5. Fire a test alarm');
  const { Message } = await until('the notification', async () => {
    const body = await receivedBody(deployment, queue);
    return body === undefined ? undefined : notification.parse(body);
  });
  const { NewStateValue, NewStateReason, AlarmDescription } = Message;
  if (NewStateValue !== 'ALARM' || NewStateReason !== 'Test of the notifications')
    throw new DeploymentError(`The first notification is ${NewStateValue}: ${NewStateReason}`);
  await aws.run('sqs', 'delete-queue', '--queue-url', queue.url);
  return `${NewStateValue}: ${AlarmDescription}`;
}
