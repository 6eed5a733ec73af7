import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { parseJson } from '#shared/parse-json.ts';
import {
  type DeployedResource,
  type DeployRun,
  findResource,
  readResources,
  settleMs,
  stacksOf,
  until,
} from './deploy-run.ts';
import { DeploymentError } from './errors.ts';
import { fireSchedule } from './fire-schedule.ts';
import { repositoryName } from './partner-repository.ts';
import { callApi } from './signed-api.ts';
import type { Traffic } from './traffic.ts';

/** In milliseconds: on a busy machine calls time out, and a message comes back after the visibility timeout of its queue. */
export const deadline = 900_000;

/** The resources of all three stacks. */
export async function readAllResources(deployment: DeployRun): Promise<readonly DeployedResource[]> {
  const { data, service } = stacksOf(deployment);
  const stacks = [data, service, ordersStackOf(deployment)];
  return (await Promise.all(stacks.map((stack) => readResources(deployment, stack)))).flat();
}

const ordersStackOf = ({ environment }: DeployRun) => `${repositoryName}-${environment}-orders`;

const logged = z.object({ events: z.array(z.object({ message: z.string() })) });
const applied = z.object({ message: z.literal('event applied'), version: z.string(), eventId: z.string() });
const handledEvent = z.object({
  message: z.literal('order event'),
  outcome: z.literal('handled'),
  key: z.string(),
  sequence: z.number(),
});

/** The lines of a log group that have a form. */
async function readLog<Line>(deployment: DeployRun, group: string, line: z.ZodType<Line>): Promise<readonly Line[]> {
  const { events } = await deployment.aws.read(logged, 'logs', 'filter-log-events', '--log-group-name', group);
  return events.flatMap(({ message }) => {
    const { data } = line.safeParse(parseJson(message.slice(Math.max(0, message.indexOf('{')))));
    return data === undefined ? [] : [data];
  });
}

/** What `Store` has applied, by the release that did. */
export const readApplied = async (deployment: DeployRun) =>
  readLog(deployment, await findResource(deployment, 'service', 'AWS::Logs::LogGroup', 'WebhookIngestStore'), applied);

const rows = z.object({
  Items: z.array(z.object({ orderId: z.object({ S: z.string() }), status: z.object({ S: z.string() }) })),
});

const depth = z.object({
  Attributes: z.object({
    ApproximateNumberOfMessages: z.coerce.number(),
    ApproximateNumberOfMessagesNotVisible: z.coerce.number(),
  }),
});

/** The queues with messages. */
async function readFullQueues(deployment: DeployRun): Promise<readonly string[]> {
  const all = (await readAllResources(deployment)).filter(({ ResourceType }) => ResourceType === 'AWS::SQS::Queue');
  const messages = await mapConcurrent(all, 2, async ({ PhysicalResourceId: url }) => {
    const asked = ['--queue-url', url, '--attribute-names', 'All'];
    const { Attributes } = await deployment.aws.read(depth, 'sqs', 'get-queue-attributes', ...asked);
    return Attributes.ApproximateNumberOfMessages + Attributes.ApproximateNumberOfMessagesNotVisible;
  });
  return all.filter((_, index) => messages[index] !== 0).map(({ LogicalResourceId }) => LogicalResourceId);
}

/** Shows that no webhook is lost or doubled: on the platform, in the event store, in a queue, and at the partner's own function. */
export async function tallyOf(deployment: DeployRun, traffic: Traffic): Promise<readonly string[]> {
  const { undelivered } = deployment.platform.platform;
  const drained = undelivered.count();
  if (drained > 0) {
    await fireSchedule(deployment, 'RetryUndeliveredDrainRuns');
    // The drain marks what it has listed twice, with this time in between.
    await wait(2 * settleMs);
    await fireSchedule(deployment, 'RetryUndeliveredDrainRuns');
    await until('The drain marks every webhook as delivered', () => undelivered.count() === 0, deadline);
  }
  // First the queues: then what is not stored is lost.
  await until('All queues are empty', async () => (await readFullQueues(deployment)).length === 0, deadline);
  const answers = await mapConcurrent(traffic.eventIds, 2, (eventId) =>
    until(`The API answers for the event ${eventId}`, async () => {
      const { status } = await callApi(deployment, { path: `/events/${eventId}` });
      return (status === 200 || status === 404) && status;
    }),
  );
  const missing = answers.filter((status) => status === 404).length;
  const ofPartner = await readResources(deployment, ordersStackOf(deployment));
  const idOf = (type: string, prefix: string) =>
    ofPartner.find((one) => one.ResourceType === type && one.LogicalResourceId.startsWith(prefix))?.PhysicalResourceId;
  const table = ['--table-name', idOf('AWS::DynamoDB::Table', 'Orders') ?? ''];
  const { Items } = await deployment.aws.read(rows, 'dynamodb', 'scan', ...table);
  const filled = new Set(Items.flatMap(({ orderId, status }) => (status.S === 'FILLED' ? [orderId.S] : [])));
  const unknown = traffic.orderIds.filter((id) => !filled.has(id)).length;
  const handled = await readLog(deployment, `/aws/lambda/${idOf('AWS::Lambda::Function', 'KeepOrders')}`, handledEvent);
  const doubled = handled.length - new Set(handled.map(({ key, sequence }) => `${key} ${sequence}`)).size;
  if (missing + unknown + doubled > 0)
    throw new DeploymentError(
      `Of ${traffic.eventIds.length} webhooks ${missing} are not stored; of ${traffic.orderIds.length} orders ${unknown} are not FILLED in the partner's table; ${doubled} changes were handled twice.`,
    );
  const { all, failed } = traffic.attempts;
  return [
    `webhooks: ${traffic.eventIds.length} sent in ${all} deliveries, ${failed} kept by the platform, ${answers.length - missing} stored, ${missing} lost`,
    `at the partner's function: ${traffic.orderIds.length} orders FILLED, ${unknown} lost; ${handled.length} changes handled, ${doubled} doubled`,
    'all queues are empty, dead-letter queues as well',
  ];
}
