import * as z from 'zod';

/** Header (section 2.1): sent with each call. A line break in a value would end the header. */
const header = z
  .strictObject({
    name: z
      .string()
      .regex(/^\S+$/)
      .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of an HTTP header'),
    value: z.string().regex(/^[^\r\n\0]*$/, 'must be one line'),
  })
  .meta({ id: 'Header' });

const url = z
  .url({ abort: true })
  .refine(isHttpsOrLocal, 'must be HTTPS; only in the sandbox may localhost be plain http');

const headers = z.array(header).max(5).optional();

/** Body of the request to register a webhook: WebhookData (section 2.1). */
export const webhookData = z.strictObject({ eventType: z.string(), url, headers }).meta({ id: 'WebhookData' });

export type WebhookData = z.infer<typeof webhookData>;

const dateTime = z.iso.datetime();

/** A registered webhook (section 2.1). Without `headers` when none were given. */
export const webhook = z
  .strictObject({ createdOn: dateTime, modifiedOn: dateTime, eventType: z.string(), url: z.url(), headers })
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

/** Marks this one and all older as delivered: MarkDeliveredWebhooksData (section 2.2). */
export const markDeliveredWebhooksData = z
  .strictObject({ undeliveredWebhookId: z.guid() })
  .meta({ id: 'MarkDeliveredWebhooksData' });

function isHttpsOrLocal(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}
