import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { type Item, ifConditionHolds } from '#shared/aws/dynamodb.ts';
import { laneOf, usualLanes } from '#shared/aws/list/lanes.ts';
import type { Event, QuarantineReason } from './event.ts';
import {
  deliveryKey,
  type EventLanes,
  type EventRow,
  eventKeys,
  firstReceivedOn,
  newEventRow,
  readEventRow,
  shardOf,
} from './event-row.ts';
import { deflateBody, type WebhookDelivery } from './webhook-delivery.ts';

/** A write of one event, without the table and the key. */
export type EventWrite = Pick<
  UpdateItemCommandInput,
  'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues'
>;

type Parts = {
  readonly set?: readonly string[];
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
};

/** Whether an event is in quarantine, and why. */
type Judgement = Parts & { readonly condition: readonly string[]; readonly values: Item };

const quarantineAttributes = ['quarantineReason', eventKeys.quarantine.partition];

/** The write that puts an event into quarantine, or takes it out. An erased event has no body to read: it stays out. */
function judgedAs(reason: QuarantineReason | undefined, shard: string): Judgement {
  if (reason === undefined) return { remove: quarantineAttributes, condition: [], values: {} };
  return {
    set: ['quarantineReason = :reason', 'quarantineShard = :shard'],
    condition: ['attribute_not_exists(erasedOn)'],
    values: { ':reason': { S: reason }, ':shard': { S: shard } },
  };
}

/** Puts an event into quarantine, or takes it out. Does nothing if there is none. */
export function judge(reason: QuarantineReason | undefined, shard: string): EventWrite {
  const { condition, values, ...parts } = judgedAs(reason, shard);
  return {
    UpdateExpression: expressionOf(parts),
    ConditionExpression: ['attribute_exists(eventId)', ...condition].join(' AND '),
    ...(reason !== undefined && { ExpressionAttributeValues: values }),
  };
}

/**
 * Writes a new event, or counts one more delivery of a stored event, in one write. A stored event keeps its attributes, and gets the
 * current quarantine reason. Refused if this delivery was counted, if the event has expired, and if an erased event would enter
 * quarantine.
 *
 * @param row of the event, as if it were new
 * @param nowInSeconds since 1970
 */
function putOrCount(row: Item, reason: QuarantineReason | undefined, nowInSeconds: number): EventWrite {
  const { deliveryIds } = row;
  const { condition, values, set = [], remove = [] } = judgedAs(reason, row['quarantineShard']?.S ?? '');
  const fixed = fixedAttributes(row);
  // TTL deletes days late: an expired row counts as absent, and is replaced.
  const isAnother = ['expiresAt > :now', 'NOT contains(deliveryIds, :id)', ...condition].join(' AND ');
  return {
    UpdateExpression: expressionOf({
      set: [...fixed.map((name) => [name, ifAbsent(name)].join(' = ')), ...set],
      add: ['deliveries :one', 'deliveryIds :ids'],
      remove,
    }),
    ConditionExpression: `attribute_not_exists(eventId) OR (${isAnother})`,
    ExpressionAttributeValues: {
      ...Object.fromEntries(fixed.map((name) => [`:${name}`, row[name] ?? { NULL: true }])),
      ...counting(deliveryIds),
      ':now': { N: String(nowInSeconds) },
      ...values,
    },
  };
}

/** Counts one more delivery of an erased event, and changes nothing else of it. */
function countErased({ deliveryIds }: Item): EventWrite {
  return {
    UpdateExpression: expressionOf({ add: ['deliveries :one', 'deliveryIds :ids'] }),
    ConditionExpression: 'attribute_exists(erasedOn) AND NOT contains(deliveryIds, :id)',
    ExpressionAttributeValues: counting(deliveryIds),
  };
}

/** Writes an event in place of an expired one. */
function replaceExpired({ eventId: _, ...row }: Item, nowInSeconds: number): EventWrite {
  const lanes = [eventKeys.listed.partition, eventKeys.received.partition];
  const optional = ['erasedOn', 'handedOver', 'handedOverUntil', ...lanes, ...quarantineAttributes];
  return {
    UpdateExpression: expressionOf({
      set: Object.keys(row).map((name) => `${name} = :${name}`),
      remove: optional.filter((name) => row[name] === undefined),
    }),
    ConditionExpression: 'expiresAt <= :now',
    ExpressionAttributeValues: {
      ...Object.fromEntries(Object.entries(row).map(([name, value]) => [`:${name}`, value])),
      ':now': { N: String(nowInSeconds) },
    },
  };
}

/** Adds an event that is listed only by its type to the list of all types. */
function listReceived(lane: string): EventWrite {
  const { listed, received } = eventKeys;
  return {
    UpdateExpression: `SET ${received.partition} = :lane`,
    ConditionExpression: `attribute_exists(${listed.partition}) AND attribute_not_exists(${received.partition})`,
    ExpressionAttributeValues: { ':lane': { S: lane } },
  };
}

/** The attribute as it is, or the value of the row if it is absent. */
function ifAbsent(name: string): string {
  return `if_not_exists(${name}, :${name})`;
}

/** The attributes that an event keeps from its first delivery. */
function fixedAttributes(row: Item): readonly string[] {
  const others = ['eventId', 'deliveries', 'deliveryIds', ...quarantineAttributes];
  return Object.keys(row).filter((name) => !others.includes(name));
}

function counting(deliveryIds: AttributeValue = { SS: [] }): Record<string, AttributeValue> {
  return { ':one': { N: '1' }, ':ids': deliveryIds, ':id': { S: deliveryIds.SS?.[0] ?? '' } };
}

function expressionOf({ set = [], add = [], remove = [] }: Parts): string {
  const clauses = [
    ['SET', set],
    ['ADD', add],
    ['REMOVE', remove],
  ] as const;
  return clauses.flatMap(([word, parts]) => (parts.length > 0 ? [`${word} ${parts.join(', ')}`] : [])).join(' ');
}

/** Which time indexes an environment keeps: to be spread into the schema of a function that writes or reads them. */
export const listVariables = {
  LIST_EVENTS: z.optional(z.literal('true')),
  LIST_ENTITIES: z.optional(z.literal('true')),
  LIST_LANES: z._default(z.coerce.number().check(z.int(), z.minimum(usualLanes)), usualLanes),
};

/** How long events are kept: to be spread into the schema of a function that stores events. */
export const retentionVariables = {
  EVENT_RETENTION_DAYS: z.coerce.number().check(z.int(), z.positive()),
  UNREAD_RETENTION_DAYS: z.coerce.number().check(z.int(), z.positive()),
};

/** What a commit did: a new event, another delivery of a known one, or a delivery that was counted before. */
export type CommitOutcome = 'stored' | 'duplicate' | 'repeated';

export type Committed = {
  readonly outcome: CommitOutcome;
  /** When the event was received first, of the deliveries that the event then has: others may have had no effect yet. ISO 8601, UTC. */
  readonly firstReceivedOn: string;
  /** Whether the event was erased before this delivery of it. */
  readonly isErased: boolean;
};

export type CommitOptions = {
  /**
   * Whether a delivery that was counted before leaves the quarantine of the event unchanged: for a caller that does not apply the event
   * again.
   */
  readonly keepsQuarantine?: boolean;
  /** Whether the body cannot be read, so that an erasure may not find its person: a new event is kept for a shorter time. */
  readonly isUnread?: boolean;
};

export type EventStore = {
  /**
   * Makes the event durable, once, and counts the delivery, once. Can be repeated after a crash at any point. A repeated event gets
   * its current quarantine reason, or none. An erased event never enters quarantine.
   */
  readonly commit: (event: Event, delivery: WebhookDelivery, options?: CommitOptions) => Promise<Committed>;
  /** The event as it is stored; undefined if there is none, or its time is over. */
  readonly read: (eventId: string) => Promise<EventRow | undefined>;
  /** Puts the event into quarantine, or takes it out. An erased event stays out. Does nothing if there is none. Can be repeated. */
  readonly quarantine: (eventId: string, reason: QuarantineReason | undefined) => Promise<void>;
  /**
   * Records that these deliveries of the event were handed over to the webhooks queue: call it once SQS has confirmed. Does
   * nothing if there is no such event. Can be repeated.
   */
  readonly recordHandOver: (eventId: string, deliveries: readonly WebhookDelivery[]) => Promise<void>;
  /** Puts an event that release 0.2.0 has listed by its type into the list of all types too. Can be repeated. */
  readonly listAmongAll: (eventId: string) => Promise<void>;
  /** Deletes the body, and keeps the record of the event. Does nothing if there is none. Can be repeated. */
  readonly erase: (eventId: string) => Promise<void>;
};

type EventStoreDeps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  /** How long an event is kept, in days. */
  readonly retentionDays: number;
  /** The same for an event with an unreadable body; by default as long as others. */
  readonly unreadRetentionDays?: number;
  /** The partitions of the indexes of all events; undefined if the indexes are not kept. */
  readonly listed?: EventLanes | undefined;
  readonly now: () => Date;
};

/**
 * The ids of the latest deliveries stay with the event, so that a message that SQS hands out again is not counted
 * again. Beyond the higher number the oldest but the first go, down to the lower one: an item stays within a few write units. A row whose body
 * leaves less room remembers fewer.
 */
const rememberedDeliveries = { most: 100, least: 50 } as const;

const deliverySets = ['deliveryIds', 'handedOver'] as const;

type DeliverySet = (typeof deliverySets)[number];

/** A row of 400 KB: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-items */
function isRowTooLarge(error: unknown): boolean {
  return error instanceof Error && error.name === 'ValidationException' && /item size/i.test(error.message);
}

const secondsPerDay = 86_400;

export function createEventStore(deps: EventStoreDeps): EventStore {
  const { dynamodb, tableName, retentionDays, unreadRetentionDays = retentionDays, listed, now } = deps;
  const key = (eventId: string) => ({ eventId: { S: eventId } });
  const nowInSeconds = () => Math.floor(now().getTime() / 1000);

  async function commit(event: Event, delivery: WebhookDelivery, options: CommitOptions = {}): Promise<Committed> {
    const { eventId, quarantineReason } = event;
    const time = nowInSeconds();
    const days = options.isUnread === true ? unreadRetentionDays : retentionDays;
    const item = newEventRow(event, delivery, time + days * secondsPerDay, listed);
    const before = await write(eventId, putOrCount(item, quarantineReason, time));
    if (before !== undefined) return committed(eventId, delivery, before);
    const row = await read(eventId);
    if (row === undefined) {
      const replaced = await write(eventId, replaceExpired(item, nowInSeconds()));
      if (replaced !== undefined) return { outcome: 'stored', firstReceivedOn: delivery.receivedOn, isErased: false };
    } else if (row.deliveryIds.includes(deliveryKey(delivery))) {
      const isRepaired = options.keepsQuarantine !== true && row.quarantineReason !== quarantineReason;
      if (isRepaired) await quarantine(eventId, quarantineReason);
      return { outcome: 'repeated', firstReceivedOn: firstReceivedOn(row), isErased: row.erasedOn !== undefined };
    } else if (row.erasedOn !== undefined) {
      const counted = await write(eventId, countErased(item));
      if (counted !== undefined) return committed(eventId, delivery, counted);
    }
    // It has changed since the write was refused: its time ran out, or it was erased.
    return commit(event, delivery, options);
  }

  /** The attributes of the event before the write: none of a new event. Undefined if the write was refused. */
  async function write(eventId: string, update: EventWrite): Promise<Item | undefined> {
    const command = new UpdateItemCommand({
      TableName: tableName,
      Key: key(eventId),
      ReturnValues: 'ALL_OLD',
      ...update,
    });
    const written = await send(eventId, command);
    return written && (written.Attributes ?? {});
  }

  /** Forgets deliveries if they make the row larger than a row can be. Undefined if the condition does not hold. */
  async function send(eventId: string, command: UpdateItemCommand) {
    for (;;)
      try {
        return await ifConditionHolds(dynamodb.send(command));
      } catch (error) {
        if (!isRowTooLarge(error) || !(await makeRoom(eventId))) throw error;
      }
  }

  /** Forgets half of the deliveries. @returns whether there were any to forget */
  async function makeRoom(eventId: string): Promise<boolean> {
    const { Item = {} } = await dynamodb.send(
      new GetItemCommand({ TableName: tableName, Key: key(eventId), ConsistentRead: true }),
    );
    const counts = await Promise.all(
      deliverySets.map(async (attribute) => {
        const ids = Item[attribute]?.SS ?? [];
        return forget(eventId, attribute, ids, Math.floor((ids.length - 1) / 2));
      }),
    );
    return counts.some((count) => count > 0);
  }

  async function committed(eventId: string, delivery: WebhookDelivery, before: Item): Promise<Committed> {
    const { receivedOn } = delivery;
    if (before['eventId'] === undefined) return { outcome: 'stored', firstReceivedOn: receivedOn, isErased: false };
    const deliveryIds = [...(before['deliveryIds']?.SS ?? []), deliveryKey(delivery)].toSorted();
    await forgetOldest(eventId, 'deliveryIds', deliveryIds);
    const isErased = before['erasedOn'] !== undefined;
    return { outcome: 'duplicate', firstReceivedOn: firstReceivedOn({ deliveryIds, receivedOn }), isErased };
  }

  async function recordHandOver(eventId: string, deliveries: readonly WebhookDelivery[]): Promise<void> {
    const command = new UpdateItemCommand({
      TableName: tableName,
      Key: key(eventId),
      UpdateExpression: 'ADD handedOver :ids',
      ConditionExpression: 'attribute_exists(eventId)',
      ExpressionAttributeValues: { ':ids': { SS: [...new Set(deliveries.map(deliveryKey))] } },
      ReturnValues: 'UPDATED_NEW',
    });
    const noted = await send(eventId, command);
    await forgetOldest(eventId, 'handedOver', noted?.Attributes?.['handedOver']?.SS ?? []);
  }

  async function forgetOldest(eventId: string, attribute: DeliverySet, deliveryIds: readonly string[]): Promise<void> {
    if (deliveryIds.length > rememberedDeliveries.most)
      await forget(eventId, attribute, deliveryIds, deliveryIds.length - 1 - rememberedDeliveries.least);
  }

  /**
   * Forgets the oldest deliveries but the first, which says when the event was received first. Of those that were handed over,
   * `handedOverUntil` keeps the newest that is forgotten. @returns how many
   */
  async function forget(
    eventId: string,
    attribute: DeliverySet,
    deliveryIds: readonly string[],
    count: number,
  ): Promise<number> {
    const oldest = deliveryIds.toSorted().slice(1, count + 1);
    if (oldest.length === 0) return 0;
    // The event may have expired since it was counted: nothing of it may be written again.
    const forgotten = {
      TableName: tableName,
      Key: key(eventId),
      UpdateExpression: `DELETE ${attribute} :oldest`,
      ConditionExpression: 'attribute_exists(eventId)',
      ExpressionAttributeValues: { ':oldest': { SS: oldest } },
    };
    const newest = oldest.at(-1) ?? '';
    const raised = {
      ...forgotten,
      UpdateExpression: `${forgotten.UpdateExpression} SET handedOverUntil = :newest`,
      ConditionExpression:
        'attribute_exists(eventId) AND (attribute_not_exists(handedOverUntil) OR handedOverUntil < :newest)',
      ExpressionAttributeValues: { ...forgotten.ExpressionAttributeValues, ':newest': { S: newest } },
    };
    const isRaised =
      attribute === 'handedOver' &&
      (await ifConditionHolds(dynamodb.send(new UpdateItemCommand(raised)))) !== undefined;
    // Where handedOverUntil is as high already, it covers these deliveries.
    if (!isRaised) await ifConditionHolds(dynamodb.send(new UpdateItemCommand(forgotten)));
    return oldest.length;
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
    await write(eventId, judge(reason, shardOf(eventId)));
  }

  async function listAmongAll(eventId: string): Promise<void> {
    await write(eventId, listReceived(laneOf(eventId, usualLanes)));
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

  return { commit, read, quarantine, recordHandOver, listAmongAll, erase };
}
