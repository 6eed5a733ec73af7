import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import { CreateQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { HostedSandbox } from './hosted-sandbox.ts';

/**
 * Subscribes a queue to changes of the status of orders by a rule of the same name, as another team does.
 *
 * @returns what receives an event, or undefined when none comes within some seconds
 */
export async function subscribeQueue(
  { host: { place, clients, blueprint } }: Pick<HostedSandbox, 'host'>,
  Name: string,
): Promise<(WaitTimeSeconds: number) => Promise<Record<string, unknown> | undefined>> {
  const credentials = { accessKeyId: 'subscriber', secretAccessKey: 'subscriber' };
  const eventBridge = new EventBridgeClient({ endpoint: place.awsOrigin, region: place.region, credentials });
  const EventBusName = blueprint.eventBuses[0]?.physicalName;
  const EventPattern = JSON.stringify({ 'detail-type': ['OrderStatusChanged'] });
  const { QueueUrl } = await clients.sqs.send(new CreateQueueCommand({ QueueName: Name }));
  await eventBridge.send(new PutRuleCommand({ EventBusName, Name, EventPattern }));
  const Arn = `arn:aws:sqs:${place.region}:${place.account}:${Name}`;
  await eventBridge.send(new PutTargetsCommand({ EventBusName, Rule: Name, Targets: [{ Id: 'queue', Arn }] }));
  eventBridge.destroy();
  return async (WaitTimeSeconds) => {
    const { Messages = [] } = await clients.sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds }));
    const [{ Body } = {}] = Messages;
    return Body === undefined ? undefined : (JSON.parse(Body) as Record<string, unknown>);
  };
}
