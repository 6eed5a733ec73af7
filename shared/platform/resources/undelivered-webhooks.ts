import * as z from 'zod/mini';
import { checkInput } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { listElements } from '#shared/platform/client/list-elements.ts';
import {
  fetchPage,
  type ListOptions,
  listAll,
  type Page,
  type PlatformList,
  pageOf,
  readPage,
} from '#shared/platform/client/page.ts';
import type { CallOptions, PlatformRequest } from '#shared/platform/client/platform-request.ts';
import { uuid } from '#shared/platform/fields/fields.ts';
import { maybe } from '#shared/platform/fields/open-enum.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import { requestorIdOf } from '#shared/platform/profile/requestors.ts';
import { webhook } from './webhooks.ts';

/** Section 2.2. */
export const undeliveredWebhook = z.looseObject({
  id: z.string(),
  webhook,
  body: z.string(),
  errorMessage: maybe(z.string()),
  createdOn: timestamp,
  modifiedOn: maybe(timestamp),
});

export type UndeliveredWebhook = z.infer<typeof undeliveredWebhook>;

/** Lists the deliveries that failed (section 2.2). The order of the list is not known. */
export function listUndeliveredWebhooks(
  client: PlatformClient,
  options: ListOptions = {},
): PlatformList<UndeliveredWebhook> {
  return listAll(client, undeliveredWebhook, undeliveredRequest(client), options);
}

/** A record of the list as it came, unchecked: for a caller that must not stop at a malformed one. */
export type UndeliveredRecord = {
  /** An {@link UndeliveredWebhook}, if nothing is wrong with it. */
  readonly value: unknown;
  /** Its JSON, byte for byte. */
  readonly bytes: Uint8Array;
};

const undeliveredPage = pageOf(z.unknown());

/**
 * One page of the deliveries that failed (section 2.2), for a caller that continues in another process. The page after a cursor
 * that is the same again is up to the caller.
 */
export async function readUndeliveredPage(
  client: PlatformClient,
  options: ListOptions = {},
): Promise<Page<UndeliveredRecord>> {
  const request = undeliveredRequest(client);
  const answer = await fetchPage(client, request, options);
  const { items, next } = readPage(undeliveredPage, request, answer);
  const elements = listElements(answer.body);
  return { items: items.map((value, index) => ({ value, bytes: elements[index] ?? answer.body })), next };
}

function undeliveredRequest({ profile }: PlatformClient): PlatformRequest {
  const requestorId = requestorIdOf(profile.requestors.undeliveredWebhooks);
  return { operation: 'List undelivered webhooks', requestorId, method: 'GET', path: profile.webhookPaths.undelivered };
}

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
  const body = checkInput(
    z.strictObject({ undeliveredWebhookId: uuid }),
    { undeliveredWebhookId },
    { operation, section: '2.2' },
  );
  const path = client.profile.webhookPaths.markDelivered;
  const requestorId = requestorIdOf(client.profile.requestors.undeliveredWebhooks);
  await client.send({ operation, requestorId, method: 'POST', path, body, isIdempotent: true }, options);
}
