import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Host } from '#sandbox/aws/host.ts';

/** Changes a stored event to what a release that did not know its type would have stored. */
export async function quarantineEvent(
  { clients, blueprint }: Pick<Host, 'clients' | 'blueprint'>,
  eventId: string,
): Promise<void> {
  await clients.dynamodb.send(
    new UpdateItemCommand({
      TableName: blueprint.tables.find(({ name }) => name === 'events')?.physicalName,
      Key: { eventId: { S: eventId } },
      UpdateExpression: 'SET quarantineReason = :reason, quarantineShard = :shard',
      ExpressionAttributeValues: { ':reason': { S: 'UNKNOWN_EVENT_TYPE' }, ':shard': { S: eventId.slice(0, 1) } },
    }),
  );
}
