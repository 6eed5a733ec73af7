import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, type SendMessageCommandInput } from '@aws-sdk/client-sqs';
import type { Host } from '#sandbox/aws/host.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { refreshToken } from '#sandbox/scenario/common/schedules.ts';

type Stacks = Pick<Host, 'clients' | 'blueprint'>;

/** Sends a message to a queue of the hosted stacks, by its name. */
export async function sendTo(
  { clients, blueprint }: Stacks,
  queue: string,
  message: Omit<SendMessageCommandInput, 'QueueUrl'>,
): Promise<void> {
  const QueueUrl = blueprint.queues.find(({ name }) => name === queue)?.ref;
  await clients.sqs.send(new SendMessageCommand({ QueueUrl, ...message }));
}

/** Changes a stored event to what a release that did not know its type would have stored. */
export async function quarantineEvent({ clients, blueprint }: Stacks, eventId: string): Promise<void> {
  await clients.dynamodb.send(
    new UpdateItemCommand({
      TableName: blueprint.tables.find(({ name }) => name === 'events')?.physicalName,
      Key: { eventId: { S: eventId } },
      UpdateExpression: 'SET quarantineReason = :reason, quarantineShard = :shard',
      ExpressionAttributeValues: { ':reason': { S: 'UNKNOWN_EVENT_TYPE' }, ':shard': { S: eventId.slice(0, 1) } },
    }),
  );
}

/** Advances the clock by more than the grace period for late webhooks, and renews the token. */
export async function passGracePeriod({ host, platform }: Pick<Sandbox, 'host' | 'platform'>): Promise<void> {
  await platform.clock.advance(35 * 60);
  await refreshToken(host);
}
