import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';

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
export const earliestReceipt = '0000-01-01T00:00:00.000Z';
const latestReceipt = '9999-12-31T23:59:59.999Z';

/** What a listing asks of each event, as DynamoDB takes it. */
export function conditions({ eventType, reason }: EventFilter, now: Date): Conditions {
  return {
    expressions: [
      // TTL deletes days late: what has expired is as good as absent.
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

/** The bounds of the receipts of a listing, as DynamoDB takes them. */
export function timeRange({
  receivedFrom = earliestReceipt,
  receivedTo = latestReceipt,
}: EventFilter): Record<string, AttributeValue> {
  return { ':from': { S: receivedFrom }, ':to': { S: receivedTo } };
}

export function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
