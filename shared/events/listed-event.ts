import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { readItem } from './event-row.ts';

const text = z.object({ S: z.string() });

const listedItem = z.object({
  eventId: text,
  eventType: text,
  receivedOn: text,
  quarantineReason: z.optional(text),
  expiresAt: z.object({ N: z.string() }),
});

/** Without the body and the deliveries: they do not leave DynamoDB. */
export const listedAttributes = Object.keys(listedItem.shape).join(', ');

/** What a list says of an event. */
export type ListedEvent = {
  readonly eventId: string;
  readonly eventType: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly receivedOn: string;
  /** Undefined where it has its effect. */
  readonly quarantineReason: string | undefined;
};

export function readListedEvent(item: Readonly<Record<string, AttributeValue>>): ListedEvent {
  const { eventId, eventType, receivedOn, quarantineReason } = readItem(listedItem, item);
  return {
    eventId: eventId.S,
    eventType: eventType.S,
    receivedOn: receivedOn.S,
    quarantineReason: quarantineReason?.S,
  };
}
