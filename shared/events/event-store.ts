import { type DynamoDBClient, GetItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { ifConditionHolds } from '#shared/aws/conditional-write.ts';
import type { Event, QuarantineReason } from './event.ts';
import {
  deliveryKey,
  type EventRow,
  firstReceivedOn,
  type ListedTypes,
  newEventRow,
  readEventRow,
  shardOf,
} from './event-row.ts';
import { deflateBody, type WebhookDelivery } from './webhook-delivery.ts';

/** What a commit did: a new event, another delivery of a known one, or a delivery that was counted before. */
export type CommitOutcome = 'stored' | 'duplicate' | 'repeated';

export type Committed = {
  readonly outcome: CommitOutcome;
  /** When the event was received first, of the deliveries that the event then has: others may have had no effect yet. ISO 8601, UTC. */
  readonly firstReceivedOn: string;
};

export type CommitOptions = {
  /**
   * Whether a delivery that was counted before leaves the event in quarantine, or out of it, as it is: for a caller after
   * whom the event need not have its effect once more.
   */
  readonly keepsJudgement?: boolean;
};

export type EventStore = {
  /**
   * Makes the event durable, once, and counts the delivery, once. Can be repeated after a crash at any point. An event that
   * comes again is in quarantine, or is not, as it is judged now. An erased event never enters quarantine.
   */
  readonly commit: (event: Event, delivery: WebhookDelivery, options?: CommitOptions) => Promise<Committed>;
  /** The event as it is stored; undefined where there is none, or where its time is over. */
  readonly read: (eventId: string) => Promise<EventRow | undefined>;
  /** Puts the event into quarantine, or takes it out. An erased event stays out. Does nothing where there is none. Can be repeated. */
  readonly quarantine: (eventId: string, reason: QuarantineReason | undefined) => Promise<void>;
  /**
   * Notes that these deliveries of the event were handed over to the webhooks queue: call it once SQS has confirmed. Does
   * nothing where there is no such event. Can be repeated.
   */
  readonly noteHandOver: (eventId: string, deliveries: readonly WebhookDelivery[]) => Promise<void>;
  /** Deletes the body, and keeps that there was such an event. Does nothing where there is none. Can be repeated. */
  readonly erase: (eventId: string) => Promise<void>;
};

export type EventStoreDeps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  /** How long an event is kept, in days. */
  readonly retentionDays: number;
  /** The types with partitions of their own in the index of all events; undefined where the index is not kept. */
  readonly listedTypes?: ListedTypes | undefined;
  readonly now: () => Date;
};

/**
 * The ids of the latest deliveries stay with the event, so that a message that SQS hands out again is not counted
 * again. Beyond the higher number the oldest go, down to the lower one: an item stays within a few write units.
 */
const rememberedDeliveries = { most: 100, least: 50 } as const;

const secondsPerDay = 86_400;

export function createEventStore({ dynamodb, tableName, retentionDays, listedTypes, now }: EventStoreDeps): EventStore {
  const key = (eventId: string) => ({ eventId: { S: eventId } });
  const nowInSeconds = () => Math.floor(now().getTime() / 1000);

  async function commit(event: Event, delivery: WebhookDelivery, options: CommitOptions = {}): Promise<Committed> {
    const { receivedOn } = delivery;
    if (await put(event, delivery)) return { outcome: 'stored', firstReceivedOn: receivedOn };
    const deliveryIds = await count(event, delivery);
    if (deliveryIds !== undefined) {
      await forgetOldest(event.eventId, 'deliveryIds', deliveryIds);
      return { outcome: 'duplicate', firstReceivedOn: firstReceivedOn({ deliveryIds, receivedOn }) };
    }
    const row = await read(event.eventId);
    if (row !== undefined) {
      const isRepaired = options.keepsJudgement !== true && row.quarantineReason !== event.quarantineReason;
      if (isRepaired) await quarantine(event.eventId, event.quarantineReason);
      return { outcome: 'repeated', firstReceivedOn: firstReceivedOn(row) };
    }
    // It was there at the put and is gone now: its time ran out in between.
    return commit(event, delivery, options);
  }

  async function put(event: Event, delivery: WebhookDelivery): Promise<boolean> {
    const time = nowInSeconds();
    const command = new PutItemCommand({
      TableName: tableName,
      Item: newEventRow(event, delivery, time + retentionDays * secondsPerDay, listedTypes),
      // TTL deletes days late: what has expired is as good as absent.
      ConditionExpression: 'attribute_not_exists(eventId) OR expiresAt <= :now',
      ExpressionAttributeValues: { ':now': { N: String(time) } },
    });
    return (await ifConditionHolds(dynamodb.send(command))) !== undefined;
  }

  /** The delivery ids that the event then has, oldest first; undefined where this one was among them, or the event is gone. */
  async function count(event: Event, delivery: WebhookDelivery): Promise<readonly string[] | undefined> {
    const counted = await countWhere(event.quarantineReason, event, delivery);
    if (counted !== undefined || event.quarantineReason === undefined) return counted;
    return countWhere('erased', event, delivery);
  }

  /** Counts a delivery of an event that is to be judged so, or of an erased one, which is not judged any more. */
  async function countWhere(
    judgement: QuarantineReason | 'erased' | undefined,
    { eventId }: Event,
    delivery: WebhookDelivery,
  ): Promise<readonly string[] | undefined> {
    const id = deliveryKey(delivery);
    const judged = judgement === 'erased' ? onlyErased : judgedAs(eventId, judgement);
    const command = new UpdateItemCommand({
      TableName: tableName,
      Key: key(eventId),
      UpdateExpression: `ADD deliveries :one, deliveryIds :ids ${judged.expression}`,
      ConditionExpression: `attribute_exists(eventId) AND NOT contains(deliveryIds, :id)${judged.condition}`,
      ExpressionAttributeValues: { ':one': { N: '1' }, ':ids': { SS: [id] }, ':id': { S: id }, ...judged.values },
      ReturnValues: 'UPDATED_NEW',
    });
    const counted = await ifConditionHolds(dynamodb.send(command));
    return counted && (counted.Attributes?.['deliveryIds']?.SS ?? []).toSorted();
  }

  async function noteHandOver(eventId: string, deliveries: readonly WebhookDelivery[]): Promise<void> {
    const command = new UpdateItemCommand({
      TableName: tableName,
      Key: key(eventId),
      UpdateExpression: 'ADD handedOver :ids',
      ConditionExpression: 'attribute_exists(eventId)',
      ExpressionAttributeValues: { ':ids': { SS: [...new Set(deliveries.map(deliveryKey))] } },
      ReturnValues: 'UPDATED_NEW',
    });
    const noted = await ifConditionHolds(dynamodb.send(command));
    await forgetOldest(eventId, 'handedOver', noted?.Attributes?.['handedOver']?.SS ?? []);
  }

  async function forgetOldest(
    eventId: string,
    attribute: 'deliveryIds' | 'handedOver',
    deliveryIds: readonly string[],
  ): Promise<void> {
    if (deliveryIds.length <= rememberedDeliveries.most) return;
    const oldest = deliveryIds.toSorted().slice(0, -rememberedDeliveries.least);
    const command = new UpdateItemCommand({
      TableName: tableName,
      Key: key(eventId),
      UpdateExpression: `DELETE ${attribute} :oldest`,
      // Its time may have run out since it was counted: nothing may come back of it.
      ConditionExpression: 'attribute_exists(eventId)',
      ExpressionAttributeValues: { ':oldest': { SS: oldest } },
    });
    await ifConditionHolds(dynamodb.send(command));
  }

  async function read(eventId: string): Promise<EventRow | undefined> {
    const { Item } = await dynamodb.send(
      new GetItemCommand({ TableName: tableName, Key: key(eventId), ConsistentRead: true }),
    );
    if (Item === undefined) return undefined;
    const row = readEventRow(Item);
    return row.expiresAt > nowInSeconds() ? row : undefined;
  }

  async function quarantine(eventId: string, reason: QuarantineReason | undefined): Promise<void> {
    const { expression, condition, values } = judgedAs(eventId, reason);
    const command = new UpdateItemCommand({
      TableName: tableName,
      Key: key(eventId),
      UpdateExpression: expression,
      ConditionExpression: `attribute_exists(eventId)${condition}`,
      ...(reason !== undefined && { ExpressionAttributeValues: values }),
    });
    await ifConditionHolds(dynamodb.send(command));
  }

  async function erase(eventId: string): Promise<void> {
    const command = new UpdateItemCommand({
      TableName: tableName,
      Key: key(eventId),
      UpdateExpression: 'SET deflatedBody = :nothing, erasedOn = :now REMOVE quarantineReason, quarantineShard',
      ConditionExpression: 'attribute_exists(eventId)',
      ExpressionAttributeValues: {
        ':nothing': { B: deflateBody(new Uint8Array()) },
        ':now': { S: now().toISOString() },
      },
    });
    await ifConditionHolds(dynamodb.send(command));
  }

  return { commit, read, quarantine, noteHandOver, erase };
}

/** What puts an event into quarantine, or takes it out. An erased event has no body to read: it stays out. */
function judgedAs(eventId: string, reason: QuarantineReason | undefined) {
  if (reason === undefined)
    return { expression: 'REMOVE quarantineReason, quarantineShard', condition: '', values: {} };
  return {
    expression: 'SET quarantineReason = :reason, quarantineShard = :shard',
    condition: ' AND attribute_not_exists(erasedOn)',
    values: { ':reason': { S: reason }, ':shard': { S: shardOf(eventId) } },
  };
}

/** What counts a delivery of an erased event, and changes nothing else of it. */
const onlyErased = { expression: '', condition: ' AND attribute_exists(erasedOn)', values: {} };
