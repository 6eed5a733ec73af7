import * as z from 'zod';
import { isLocal } from '#shared/platform/fields/fields.ts';

/** Header (section 2.1), as it can be sent: a line break would end it, and HTTP has no characters beyond Latin-1. */
const header = z
  .strictObject({
    name: z
      .string()
      .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of an HTTP header, without white space (section 2.1)'),
    value: z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be one line of Latin-1'),
  })
  .meta({ id: 'Header' });

/** A URL in its normal form. Text that a URL parser fixes silently, such as `https:host` or a line break, is rejected. */
const url = z
  .string()
  .regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[!-[\]-~]+$/, { error: 'must be HTTPS (section 2.1), and encoded', abort: true })
  .refine((text) => URL.canParse(text), { error: 'must be a URL', abort: true })
  .refine(isHttpsOrLocal, 'must be HTTPS (section 2.1); only in the sandbox may localhost be plain http')
  .refine(hasNoCredentials, 'must not have credentials in it');

const headers = z.array(header).max(5).optional();

/** Body of the request to register a webhook: WebhookData (section 2.1). */
export const webhookData = z.strictObject({ eventType: z.string(), url, headers }).meta({ id: 'WebhookData' });

export type WebhookData = z.infer<typeof webhookData>;

const dateTime = z.iso.datetime();

/** A registered webhook (section 2.1). Without `headers` when none were given. */
export const webhook = z
  .strictObject({ createdOn: dateTime, modifiedOn: dateTime, eventType: z.string(), url: z.string(), headers })
  .meta({ id: 'Webhook' });

export type Webhook = z.infer<typeof webhook>;

/** WebhookMissing (section 2.1). */
export const webhookMissing = z.strictObject({ eventType: z.string() }).meta({ id: 'WebhookMissing' });

/** A delivery that failed (section 2.2). */
export const undeliveredWebhook = z
  .strictObject({
    id: z.uuid(),
    webhook,
    body: z.string(),
    errorMessage: z.string(),
    createdOn: dateTime,
    modifiedOn: dateTime,
  })
  .meta({ id: 'UndeliveredWebhook' });

export type UndeliveredWebhook = z.infer<typeof undeliveredWebhook>;

/** A malformed webhook: only `malformed` of the control API makes one, to test clients that must read such a list. */
export const malformedUndeliveredWebhook = z
  .strictObject({
    id: z.uuid(),
    webhook: z.union([webhook, z.null()]).optional(),
    body: z.string().nullish(),
    errorMessage: z.string().nullish(),
    createdOn: z.string().nullish(),
    modifiedOn: z.string().nullish(),
  })
  .meta({
    id: 'MalformedUndeliveredWebhook',
    description: 'Only created by addUndeliveredWebhooks of the control API, on request.',
  });

export type MalformedUndeliveredWebhook = z.infer<typeof malformedUndeliveredWebhook>;

/** Marks this one and all older as delivered: MarkDeliveredWebhooksData (section 2.2). */
export const markDeliveredWebhooksData = z
  .strictObject({ undeliveredWebhookId: z.guid().toLowerCase() })
  .meta({ id: 'MarkDeliveredWebhooksData' });

function isHttpsOrLocal(text: string): boolean {
  return new URL(text).protocol === 'https:' || isLocal(text);
}

function hasNoCredentials(text: string): boolean {
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
