import * as z from 'zod/mini';
import { type CallOptions, checkInput } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { PlatformHttpError } from '#shared/platform/client/errors.ts';
import { type ListOptions, listAll, type PlatformList } from '#shared/platform/client/page.ts';
import { httpsOrLocalUrl, httpsUrl, type SentFields } from '#shared/platform/fields/fields.ts';
import {
  lenient,
  receivedList,
  receivedStatus,
  receivedText,
  tolerantObject,
} from '#shared/platform/fields/received.ts';
import { oncePerTimes, receivedTime } from '#shared/platform/fields/timestamp.ts';
import { eventTypeName, eventTypes } from '#shared/platform/profile/event-place.ts';
import { requestorIdOf } from '#shared/platform/profile/profile.ts';

const eventType = receivedStatus(eventTypes);

/** Section 2.1. `headers` is absent when none was set. What is not listed is kept. */
export const webhook = oncePerTimes((times) =>
  tolerantObject({
    createdOn: receivedTime(times),
    modifiedOn: receivedTime(times),
    eventType,
    /** Empty if it cannot be read: then it is not the URL of any system that is known. */
    url: z.catch(z.string(), ''),
    headers: lenient(receivedList(tolerantObject({ name: receivedText, value: receivedText }))),
  }),
);

export type Webhook = z.infer<ReturnType<typeof webhook>>;

const isName = 'must be a header name without white space (section 2.1)';
const name = z.string().check(z.regex(/^\S+$/, isName));
const asciiName = z.string().check(z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, isName));

/** A line break in the value of a header would end it. */
const value = z.string().check(
  z.refine((text) => !/[\0\r\n]/.test(text), 'must have no line break'),
  z.refine((text) => text.isWellFormed(), 'must be Unicode text'),
);
const asciiValue = z.string().check(z.regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII'));

/** WebhookData (section 2.1). */
function webhookData({ hasAsciiHeaders = false }: SentFields, isLocal: boolean) {
  const header = z.strictObject({
    name: hasAsciiHeaders ? asciiName : name,
    value: hasAsciiHeaders ? asciiValue : value,
  });
  return z.strictObject({
    eventType: eventTypeName,
    url: isLocal ? httpsOrLocalUrl : httpsUrl,
    headers: z.optional(z.array(header).check(z.maxLength(5, 'must be 5 headers at most (section 2.1)'))),
  });
}

export type WebhookData = z.input<ReturnType<typeof webhookData>>;

/** Lists the webhooks that are registered (section 2.1). */
export function listWebhooks(client: PlatformClient, options: ListOptions = {}): PlatformList<Webhook> {
  const path = client.profile.webhookPaths.webhooks;
  const request = { operation: 'List webhooks', requestorId: requestorOf(client), method: 'GET', path } as const;
  return listAll(client, webhook(client.profile.times), request, options);
}

/**
 * Registers a webhook, or replaces the one of its event type (section 2.1). Idempotent. Its URL must
 * be HTTPS; a platform on this machine may be given plain HTTP on this machine.
 */
export async function registerWebhook(client: PlatformClient, data: WebhookData, options?: CallOptions): Promise<void> {
  const operation = 'Register webhook';
  const body = checkInput(webhookData(client.profile.sentFields, client.isLocal), data, { operation, section: '2.1' });
  const path = client.profile.webhookPaths.webhooks;
  const requestorId = requestorOf(client);
  await client.send({ operation, requestorId, method: 'POST', path, body, isIdempotent: true }, options);
}

/** The webhook of an event type; undefined if none is registered. */
export async function getWebhook(
  client: PlatformClient,
  type: string,
  options?: CallOptions,
): Promise<Webhook | undefined> {
  const operation = 'Get webhook';
  try {
    const request = { operation, requestorId: requestorOf(client), path: pathOf(client, operation, type) };
    return await client.request(webhook(client.profile.times), { ...request, method: 'GET' }, options);
  } catch (error) {
    if (error instanceof PlatformHttpError && error.condition === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** Removes the webhook of an event type. Succeeds also if there is none, as after a lost answer. */
export async function deleteWebhook(client: PlatformClient, type: string, options?: CallOptions): Promise<void> {
  const operation = 'Delete webhook';
  try {
    const path = pathOf(client, operation, type);
    await client.send({ operation, requestorId: requestorOf(client), method: 'DELETE', path }, options);
  } catch (error) {
    if (!(error instanceof PlatformHttpError && error.condition === 'NOT_FOUND')) throw error;
  }
}

/** WebhookMissing (section 2.1), or only the event type. */
export const webhookMissing = z.pipe(
  z.transform((member: unknown) => (typeof member === 'string' ? { eventType: member } : member)),
  tolerantObject({ eventType }),
);

/** The event types without a webhook: WebhookMissing (section 2.1). */
export async function listMissingWebhooks(client: PlatformClient, options?: CallOptions): Promise<readonly string[]> {
  const request = { operation: 'List missing webhooks', path: client.profile.webhookPaths.missing };
  const requestorId = requestorOf(client);
  const all = { ...options, limit: 'unstated' } as const;
  const missing = listAll(client, webhookMissing, { ...request, requestorId, method: 'GET' }, all);
  return (await Array.fromAsync(missing)).map((one) => one.eventType);
}

function requestorOf({ profile }: PlatformClient): string | undefined {
  return requestorIdOf(profile.requestors.webhooks);
}

function pathOf(client: PlatformClient, operation: string, type: string): string {
  const name = checkInput(eventTypeName, type, { operation, section: '2.1', field: 'eventType' });
  return `${client.profile.webhookPaths.webhooks}/${name}`;
}
