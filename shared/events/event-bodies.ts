import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { wholeNumber } from '#shared/aws/row-reader.ts';
import { eventKeys, readItem } from './event-row.ts';
import type { Lanes } from './walk-lanes.ts';

/** What an event says, with its type. The body may hold personal data, and is empty where the event is erased. */
export type EventBody = {
  readonly eventId: string;
  readonly eventType: string;
  readonly deflatedBody: Uint8Array;
  /** In seconds since 1970. */
  readonly expiresAt: number;
  readonly isErased: boolean;
  /** Whether release 0.2.0 has listed it by its type only. */
  readonly isListedByTypeOnly: boolean;
};

/**
 * Every event that has a body still, or that is listed by its type only, in lanes. Reads the whole table. A position is the id of the last event.
 *
 * @throws {EventRowError} when a row is not what we write
 */
export type EventBodies = Lanes<{ readonly events: readonly EventBody[]; readonly next: string | undefined }>;

export type EventBodiesDeps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  /** Rows that a page reads; 500 unless given. */
  readonly pageSize?: number;
};

const item = z.object({
  eventId: z.object({ S: z.string() }),
  eventType: z.object({ S: z.string() }),
  deflatedBody: z.object({ B: z.instanceof(Uint8Array) }),
  expiresAt: wholeNumber,
  erasedOn: z.optional(z.unknown()),
  listLane: z.optional(z.unknown()),
  receivedLane: z.optional(z.unknown()),
});

const isListedByTypeOnly = 'attribute_exists(listLane) AND attribute_not_exists(receivedLane)';

const segments = 4;

export function createEventBodies({ dynamodb, tableName, pageSize = 500 }: EventBodiesDeps): EventBodies {
  async function readPage(Segment: number, after: string | undefined) {
    const { Items = [], LastEvaluatedKey: last } = await dynamodb.send(
      new ScanCommand({
        TableName: tableName,
        Segment,
        TotalSegments: segments,
        // Of what was stored a moment ago nothing must be missed.
        ConsistentRead: true,
        FilterExpression: `attribute_not_exists(erasedOn) OR (${isListedByTypeOnly})`,
        ProjectionExpression: Object.keys(item.shape).join(', '),
        Limit: pageSize,
        ...(after !== undefined && { ExclusiveStartKey: { [eventKeys.partition]: { S: after } } }),
      }),
    );
    return { events: Items.map(readBody), next: last?.[eventKeys.partition]?.S };
  }

  return { lanes: segments, readPage };
}

function readBody(row: unknown): EventBody {
  const { eventId, eventType, deflatedBody, expiresAt, erasedOn, listLane, receivedLane } = readItem(item, row);
  return {
    eventId: eventId.S,
    eventType: eventType.S,
    deflatedBody: deflatedBody.B,
    expiresAt,
    isErased: erasedOn !== undefined,
    isListedByTypeOnly: listLane !== undefined && receivedLane === undefined,
  };
}
