import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { Item } from '#shared/aws/dynamodb.ts';
import type { Lanes } from '#shared/aws/list/lanes.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { eventKeys, type ListedEvent, listedAttributes, quarantineShards, readListedEvent } from './event-row.ts';

/** Which events: those for which all that is given holds. */
export type EventFilter = {
  readonly eventType?: string | undefined;
  readonly reason?: string | undefined;
  /** ISO 8601, UTC, with milliseconds; inclusive, as the other is. Not later than it. */
  readonly receivedFrom?: string | undefined;
  readonly receivedTo?: string | undefined;
};

/** The event after which a lane continues. The lanes of the events table need no time. */
export const lanePosition = z.object({ eventId: z.string(), receivedOn: z.optional(z.string()) });

export type LanePosition = z.infer<typeof lanePosition>;

type Conditions = {
  readonly expressions: readonly string[];
  readonly values: Readonly<Record<string, AttributeValue>>;
};

/** Before and after every receipt. */
const earliestReceipt = '0000-01-01T00:00:00.000Z';
const latestReceipt = '9999-12-31T23:59:59.999Z';

/** What a scan asks of each event, as DynamoDB takes it. */
export function conditions({ eventType, reason }: EventFilter, now: Date): Conditions {
  return {
    expressions: [
      // TTL deletes days late: an expired row counts as absent.
      'expiresAt > :now',
      ...(eventType === undefined ? [] : ['eventType = :eventType']),
      ...(reason === undefined ? [] : ['quarantineReason = :reason']),
    ],
    values: {
      ':now': { N: String(seconds(now)) },
      ...(eventType !== undefined && { ':eventType': { S: eventType } }),
      ...(reason !== undefined && { ':reason': { S: reason } }),
    },
  };
}

/** The bounds of the receipts of a scan, as DynamoDB takes them. */
function timeRange({
  receivedFrom = earliestReceipt,
  receivedTo = latestReceipt,
}: EventFilter): Record<string, AttributeValue> {
  return { ':from': { S: receivedFrom }, ':to': { S: receivedTo } };
}

export function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

export type ScanPage = {
  readonly events: readonly ListedEvent[];
  /** Where the next page begins; undefined at the end. */
  readonly next: LanePosition | undefined;
  /** Ids that were asked for and are not listed: gone, or none of those that were wanted. */
  readonly leftOut?: readonly string[];
};

/**
 * A scan in lanes. An event that comes meanwhile may be listed or not.
 *
 * @throws when DynamoDB does not answer, or `EventRowError` when a row is not what we write
 */
export type EventScan = Lanes<ScanPage>;

export type EventScanDeps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  readonly now: () => Date;
  /** Rows that a page reads; 1,000 unless given: few enough that a walk can stop soon. */
  readonly pageSize?: number;
};

const usualPageSize = 1_000;

/** Parts of the events table that can be read concurrently. */
const scanSegments = 8;

const readConcurrency = 25;

/** Events in quarantine, a lane for each shard of their index, oldest first. Eventually consistent. */
export function scanQuarantined(deps: EventScanDeps, filter: EventFilter): EventScan {
  const { dynamodb, tableName, now } = deps;
  const { index, partition, sort } = eventKeys.quarantine;

  async function readPage(lane: number, after: LanePosition | undefined): Promise<ScanPage> {
    const shard = { S: quarantineShards[lane] ?? '' };
    const { expressions, values } = conditions(filter, now());
    const command = new QueryCommand({
      TableName: tableName,
      IndexName: index,
      KeyConditionExpression: `${partition} = :shard AND ${sort} BETWEEN :from AND :to`,
      FilterExpression: expressions.join(' AND '),
      ExpressionAttributeValues: { ':shard': shard, ...values, ...timeRange(filter) },
      ProjectionExpression: listedAttributes,
      Limit: deps.pageSize ?? usualPageSize,
      ...(after && {
        ExclusiveStartKey: {
          [partition]: shard,
          [sort]: { S: after.receivedOn ?? earliestReceipt },
          [eventKeys.partition]: { S: after.eventId },
        },
      }),
    });
    return pageOf(await dynamodb.send(command));
  }

  return { lanes: quarantineShards.length, readPage };
}

/** All events, in no order: reads the whole table, though nothing of the bodies leaves it. */
export function scanAllEvents(deps: EventScanDeps, filter: EventFilter): EventScan {
  const { dynamodb, tableName, now } = deps;

  async function readPage(Segment: number, after: LanePosition | undefined): Promise<ScanPage> {
    const { expressions, values } = conditions(filter, now());
    const command = new ScanCommand({
      TableName: tableName,
      Segment,
      TotalSegments: scanSegments,
      FilterExpression: [...expressions, 'receivedOn BETWEEN :from AND :to'].join(' AND '),
      ExpressionAttributeValues: { ...values, ...timeRange(filter) },
      ProjectionExpression: listedAttributes,
      Limit: deps.pageSize ?? usualPageSize,
      ...(after && { ExclusiveStartKey: { [eventKeys.partition]: { S: after.eventId } } }),
    });
    return pageOf(await dynamodb.send(command));
  }

  return { lanes: scanSegments, readPage };
}

/** The events of these ids, on one page. */
export function readEventsById(
  { dynamodb, tableName, now }: EventScanDeps,
  eventIds: readonly string[],
  { isQuarantined }: { readonly isQuarantined: boolean },
): EventScan {
  async function read(eventId: string): Promise<ListedEvent | undefined> {
    const command = new GetItemCommand({
      TableName: tableName,
      Key: { [eventKeys.partition]: { S: eventId } },
      ProjectionExpression: listedAttributes,
      ConsistentRead: true,
    });
    const { Item } = await dynamodb.send(command);
    if (Item === undefined || Number(Item[eventKeys.timeToLive]?.N) <= seconds(now())) return undefined;
    const event = readListedEvent(Item);
    return isQuarantined && event.quarantineReason === undefined ? undefined : event;
  }

  async function readPage(): Promise<ScanPage> {
    const found = await mapConcurrent(eventIds, readConcurrency, read);
    const events = found.filter((event) => event !== undefined);
    const listed = new Set(events.map(({ eventId }) => eventId));
    return { events, next: undefined, leftOut: eventIds.filter((eventId) => !listed.has(eventId)) };
  }

  return { lanes: 1, readPage };
}

type Rows = {
  readonly Items?: readonly Item[] | undefined;
  readonly LastEvaluatedKey?: Item | undefined;
};

/** A page without events is not the end: all rows that it read may have been filtered out. */
function pageOf({ Items = [], LastEvaluatedKey: last }: Rows): ScanPage {
  const [eventId, receivedOn] = [last?.[eventKeys.partition]?.S, last?.[eventKeys.quarantine.sort]?.S];
  return { events: Items.map(readListedEvent), next: eventId === undefined ? undefined : { eventId, receivedOn } };
}
