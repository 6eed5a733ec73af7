import * as z from 'zod/mini';
import { checkInput } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { PlatformHttpError } from '#shared/platform/client/http-error.ts';
import { type ListOptions, listAll, type PlatformList } from '#shared/platform/client/page.ts';
import type { CallOptions } from '#shared/platform/client/platform-request.ts';
import { httpsOrLocalUrl, httpsUrl } from '#shared/platform/fields/fields.ts';
import { maybe, openEnum } from '#shared/platform/fields/open-enum.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import { eventTypeName, eventTypes } from '#shared/platform/profile/event-type.ts';
import { requestorIdOf } from '#shared/platform/profile/requestors.ts';

const eventType = openEnum(eventTypes);

/** Section 2.1. `headers` is absent when none was set. What is not listed is kept. */
export const webhook = z.looseObject({
  createdOn: maybe(timestamp),
  modifiedOn: maybe(timestamp),
  eventType,
  url: z.string(),
  headers: maybe(z.array(z.looseObject({ name: z.string(), value: z.string() }))),
});

export type Webhook = z.infer<typeof webhook>;

/** Printable, and no line break: one in a header's value would end it. */
const headerValue = z.string().check(z.regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII'));

/** WebhookData (section 2.1). */
const webhookData = z.strictObject({
  eventType: eventTypeName,
  url: httpsUrl,
  headers: z.optional(
    z
      .array(
        z.strictObject({
          name: z
            .string()
            .check(z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be a header name without white space (section 2.1)')),
          value: headerValue,
        }),
      )
      .check(z.maxLength(5, 'must be 5 headers at most (section 2.1)')),
  ),
});

export type WebhookData = z.input<typeof webhookData>;

const localWebhookData = z.extend(webhookData, { url: httpsOrLocalUrl });

/** Lists the webhooks that are registered (section 2.1). */
export function listWebhooks(client: PlatformClient, options: ListOptions = {}): PlatformList<Webhook> {
  const path = client.profile.webhookPaths.webhooks;
  const requestorId = requestorOf(client);
  return listAll(client, webhook, { operation: 'List webhooks', requestorId, method: 'GET', path }, options);
}

/**
 * Registers a webhook, or replaces the one of its event type (section 2.1): the same twice is the same once. Its URL must
 * be HTTPS; a platform on this machine may be given plain HTTP on this machine.
 */
export async function registerWebhook(client: PlatformClient, data: WebhookData, options?: CallOptions): Promise<void> {
  const operation = 'Register webhook';
  const schema = client.isLocal ? localWebhookData : webhookData;
  const body = checkInput(schema, data, { operation, section: '2.1' });
  const path = client.profile.webhookPaths.webhooks;
  const requestorId = requestorOf(client);
  await client.send({ operation, requestorId, method: 'POST', path, body, isIdempotent: true }, options);
}

/** The webhook of an event type; undefined where none is registered. */
export async function getWebhook(
  client: PlatformClient,
  type: string,
  options?: CallOptions,
): Promise<Webhook | undefined> {
  const operation = 'Get webhook';
  try {
    const path = pathOf(client, operation, type);
    return await client.request(webhook, { operation, requestorId: requestorOf(client), method: 'GET', path }, options);
  } catch (error) {
    if (error instanceof PlatformHttpError && error.condition === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** Removes the webhook of an event type. That there is none, as after a lost answer, is as good. */
export async function deleteWebhook(client: PlatformClient, type: string, options?: CallOptions): Promise<void> {
  const operation = 'Delete webhook';
  try {
    const path = pathOf(client, operation, type);
    await client.send({ operation, requestorId: requestorOf(client), method: 'DELETE', path }, options);
  } catch (error) {
    if (!(error instanceof PlatformHttpError && error.condition === 'NOT_FOUND')) throw error;
  }
}

const webhooksMissing = z.array(z.looseObject({ eventType }));

/** The event types without a webhook: WebhookMissing (section 2.1). */
export async function listMissingWebhooks(client: PlatformClient, options?: CallOptions): Promise<readonly string[]> {
  const request = { operation: 'List missing webhooks', path: client.profile.webhookPaths.missing };
  const requestorId = requestorOf(client);
  const missing = await client.request(webhooksMissing, { ...request, requestorId, method: 'GET' }, options);
  return missing.map((one) => one.eventType);
}

function requestorOf({ profile }: PlatformClient): string | undefined {
  return requestorIdOf(profile.requestors.webhooks);
}

function pathOf(client: PlatformClient, operation: string, type: string): string {
  const name = checkInput(eventTypeName, type, { operation, section: '2.1', field: 'eventType' });
  return `${client.profile.webhookPaths.webhooks}/${name}`;
}
