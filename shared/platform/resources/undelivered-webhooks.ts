import * as z from 'zod/mini';
import { type CallOptions, checkInput, type PlatformRequest } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { listElements } from '#shared/platform/client/list-elements.ts';
import {
  fetchPage,
  isFullWithoutCursor,
  type ListOptions,
  listAll,
  type Page,
  type PlatformList,
  readPage,
} from '#shared/platform/client/page.ts';
import { platformId } from '#shared/platform/fields/fields.ts';
import { lenient, receivedId, receivedText, tolerantObject } from '#shared/platform/fields/received.ts';
import { oncePerTimes, receivedTime, receivedTimeOfOrder } from '#shared/platform/fields/timestamp.ts';
import { requestorIdOf } from '#shared/platform/profile/profile.ts';
import { webhook } from './webhooks.ts';

/** Section 2.2. */
export const undeliveredWebhook = oncePerTimes((times) =>
  tolerantObject({
    id: receivedId,
    webhook: webhook(times),
    body: z.string(),
    errorMessage: lenient(receivedText),
    /** Absent if it cannot be read: such a record may be older than any other. Mark nothing that is newer than it may be. */
    createdOn: receivedTimeOfOrder(times),
    modifiedOn: receivedTime(times),
  }),
);

export type UndeliveredWebhook = z.infer<ReturnType<typeof undeliveredWebhook>>;

/**
 * Lists the deliveries that failed (section 2.2). The order of the list is not known. A record without an id or a body fails its page: a
 * mark of any other record could mark that one as well.
 */
export function listUndeliveredWebhooks(
  client: PlatformClient,
  options: ListOptions = {},
): PlatformList<UndeliveredWebhook> {
  return listAll(client, undeliveredWebhook(client.profile.times), undeliveredRequest(client), options, {
    isWhole: true,
  });
}

/** A record of the list as it came, unchecked: for a caller that must not stop at a malformed one. */
export type UndeliveredRecord = {
  /** An {@link UndeliveredWebhook}, if nothing is wrong with it. */
  readonly value: unknown;
  /** Its JSON, byte for byte. */
  readonly bytes: Uint8Array;
};

const anyRecord = z.unknown();

/** @property isFullWithoutCursor whether more records may follow although the page has no cursor */
export type UndeliveredPage = Page<UndeliveredRecord> & { readonly isFullWithoutCursor: boolean };

/** The operation, as errors name it. */
export const listUndelivered = 'List undelivered webhooks';

/**
 * One page of the deliveries that failed (section 2.2), for a caller that continues in another process. The page after a cursor
 * that is the same again is up to the caller.
 */
export async function readUndeliveredPage(
  client: PlatformClient,
  {
    limit = client.profile.pageSize,
    ...options
  }: Omit<ListOptions, 'limit'> & { readonly limit?: number | undefined } = {},
): Promise<UndeliveredPage> {
  const request = undeliveredRequest(client);
  const answer = await fetchPage(client, request, { ...options, limit });
  const { items, next } = readPage(anyRecord, request, answer);
  const elements = listElements(answer.body);
  return {
    items: items.map((value, index) => ({ value, bytes: elements[index] ?? answer.body })),
    next,
    isFullWithoutCursor: next === undefined && isFullWithoutCursor(answer, limit),
  };
}

function undeliveredRequest({ profile }: PlatformClient): PlatformRequest {
  const requestorId = requestorIdOf(profile.requestors.undeliveredWebhooks);
  return { operation: listUndelivered, requestorId, method: 'GET', path: profile.webhookPaths.undelivered };
}

/** MarkDeliveredWebhooksData (section 2.2). */
const markDeliveredWebhooksData = z.strictObject({ undeliveredWebhookId: platformId });

/**
 * Marks this undelivered webhook, and all that are older, as delivered (section 2.2): do it only when every one of them
 * is durable.
 */
export async function markWebhooksDelivered(
  client: PlatformClient,
  undeliveredWebhookId: string,
  options?: CallOptions,
): Promise<void> {
  const operation = 'Mark webhooks delivered';
  const body = checkInput(markDeliveredWebhooksData, { undeliveredWebhookId }, { operation, section: '2.2' });
  const path = client.profile.webhookPaths.markDelivered;
  const requestorId = requestorIdOf(client.profile.requestors.undeliveredWebhooks);
  await client.send({ operation, requestorId, method: 'POST', path, body, isIdempotent: true }, options);
}
