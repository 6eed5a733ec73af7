import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { wholeNumber } from '#shared/aws/row-reader.ts';
import { readItem } from './event-row.ts';

const text = z.object({ S: z.string() });

const listedItem = z.object({
  eventId: text,
  eventType: text,
  receivedOn: text,
  quarantineReason: z.optional(text),
  expiresAt: wholeNumber,
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
  /** When it is deleted, or hours later. ISO 8601, UTC. */
  readonly expiresOn: string;
};

export function readListedEvent(item: Readonly<Record<string, AttributeValue>>): ListedEvent {
  const { eventId, eventType, receivedOn, quarantineReason, expiresAt } = readItem(listedItem, item);
  return {
    eventId: eventId.S,
    eventType: eventType.S,
    receivedOn: receivedOn.S,
    quarantineReason: quarantineReason?.S,
    expiresOn: new Date(expiresAt * 1_000).toISOString(),
  };
}
