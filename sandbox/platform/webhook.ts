import * as z from 'zod';
import { eventTypeName } from '#shared/platform/event-type.ts';

/** A header that the platform sends with each call (section 2.1). */
const header = z.strictObject({ name: z.string().regex(/^\S+$/), value: z.string() });

/** Body of the request to register a webhook: WebhookData (section 2.1). */
export const webhookData = z.strictObject({
  eventType: eventTypeName,
  url: z.url({ abort: true }).refine(isHttpsOrLocal, 'must be HTTPS; only in the sandbox may localhost be plain http'),
  headers: z.array(header).max(5).optional(),
});

export type WebhookData = z.infer<typeof webhookData>;

/** A registered webhook (section 2.1). Without `headers` when none were given. */
export type Webhook = WebhookData & { readonly createdOn: string; readonly modifiedOn: string };

/** A delivery that failed (section 2.2). */
export type UndeliveredWebhook = {
  readonly id: string;
  readonly webhook: Webhook;
  readonly body: string;
  readonly errorMessage: string;
  readonly createdOn: string;
  readonly modifiedOn: string;
};

/** Marks this one and all older as delivered: MarkDeliveredWebhooksData (section 2.2). */
export const markDeliveredWebhooksData = z.strictObject({ undeliveredWebhookId: z.uuid() });

function isHttpsOrLocal(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}
