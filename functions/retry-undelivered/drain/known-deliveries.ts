import * as z from 'zod/mini';
import type { BatchGet } from '#shared/aws/batch-get.ts';
import { wholeNumber } from '#shared/aws/row-reader.ts';
import { eventKeys, readItem } from '#shared/events/event-row.ts';

/** What is stored of the deliveries of an event. */
export type KnownDeliveries = {
  readonly deliveryIds: readonly string[];
  /** Those that the drain has handed over. */
  readonly handedOver: readonly string[];
  /** The newest of them that the event has forgotten. */
  readonly handedOverUntil?: string | undefined;
};

/**
 * Reads what is stored of events, in one call for a page. Undefined where there is no such event, or where its time is over.
 *
 * @throws when DynamoDB did not answer for each event
 */
export type ReadKnown = (eventIds: readonly string[]) => Promise<(eventId: string) => KnownDeliveries | undefined>;

export type ReadKnownDeps = {
  readonly batchGet: BatchGet;
  readonly tableName: string;
  readonly now: () => Date;
};

/** What is read of an event: not its body. */
export const knownAttributes = [
  eventKeys.partition,
  eventKeys.timeToLive,
  'deliveryIds',
  'handedOver',
  'handedOverUntil',
];

const texts = z.object({ SS: z.array(z.string()) });
const knownItem = z.object({
  expiresAt: wholeNumber,
  deliveryIds: texts,
  handedOver: z.optional(texts),
  handedOverUntil: z.optional(z.object({ S: z.string() })),
});

export function createReadKnown({ batchGet, tableName, now }: ReadKnownDeps): ReadKnown {
  const keyOf = (eventId: string) => ({ tableName, key: { [eventKeys.partition]: { S: eventId } } });
  return async (eventIds) => {
    const itemOf = await batchGet(eventIds.map(keyOf));
    return (eventId) => {
      const item = itemOf(keyOf(eventId));
      if (item === undefined) return undefined;
      const { expiresAt, deliveryIds, handedOver, handedOverUntil } = readItem(knownItem, item);
      // TTL deletes days late: what has expired is as good as absent.
      if (expiresAt <= now().getTime() / 1_000) return undefined;
      return { deliveryIds: deliveryIds.SS, handedOver: handedOver?.SS ?? [], handedOverUntil: handedOverUntil?.S };
    };
  };
}
