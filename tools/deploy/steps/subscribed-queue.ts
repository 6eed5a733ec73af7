import * as z from 'zod';
import { parseJson } from '#shared/parse-json.ts';
import type { DeployRun } from '#tools/deploy/deploy-run.ts';

const created = z.object({ QueueUrl: z.string() });
const attributes = z.object({ Attributes: z.object({ QueueArn: z.string() }) });
const received = z.object({ Messages: z.array(z.object({ Body: z.string() })).default([]) });

export type SubscribedQueue = { readonly url: string; readonly arn: string };

/** Creates a queue to which a service may send what comes from a source, such as a topic or a rule. */
export async function queueFor(
  { aws }: DeployRun,
  name: string,
  { service, source }: { readonly service: string; readonly source: string },
): Promise<SubscribedQueue> {
  const { QueueUrl: url } = await aws.read(created, 'sqs', 'create-queue', '--queue-name', name);
  const ofQueue = ['--queue-url', url];
  const asked = ['--attribute-names', 'All'];
  const { Attributes } = await aws.read(attributes, 'sqs', 'get-queue-attributes', ...ofQueue, ...asked);
  const arn = Attributes.QueueArn;
  const sends = { Effect: 'Allow', Principal: { Service: service }, Action: 'sqs:SendMessage', Resource: arn };
  const statement = { ...sends, Condition: { ArnEquals: { 'aws:SourceArn': source } } };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
  await aws.run('sqs', 'set-queue-attributes', ...ofQueue, '--attributes', JSON.stringify({ Policy }));
  return { url, arn };
}

/** The body of the next message, parsed. Undefined without one. */
export async function receivedBody({ aws }: DeployRun, { url }: SubscribedQueue): Promise<unknown> {
  const waiting = ['--queue-url', url, '--wait-time-seconds', '1'];
  const { Messages } = await aws.read(received, 'sqs', 'receive-message', ...waiting);
  return Messages[0] && parseJson(Messages[0].Body);
}
