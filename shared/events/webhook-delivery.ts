import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod/mini';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { parseJson } from '#shared/parse-json.ts';
import type { Webhook } from '#shared/platform/resources/webhooks.ts';

/** What identifies a webhook as ours. */
export type OwnWebhooks = {
  /** Each event type is delivered at this URL, followed by `/` and its name. */
  readonly webhooksUrl: string;
  /** Earlier URLs. */
  readonly formerWebhooksUrls?: readonly string[] | undefined;
  readonly secret: { readonly current: string; readonly previous?: string | undefined };
};

/** A webhook as it is registered, as far as this rule reads it. */
export type RegisteredWebhook = Pick<Webhook, 'url' | 'headers'>;

/**
 * Whether a webhook is ours: its URL is below ours, or it carries a secret that only we know, as one does after we moved
 * to another URL.
 */
export function isOurs({ secret, ...own }: OwnWebhooks, webhook: RegisteredWebhook): boolean {
  const carriesSecret = (webhook.headers ?? []).some(
    ({ value }) => value === secret.current || value === secret.previous,
  );
  return carriesSecret || isAtOurUrl(own, webhook);
}

/** Whether the URL of a webhook is below one of our URLs. */
export function isAtOurUrl(
  { webhooksUrl, formerWebhooksUrls = [] }: Omit<OwnWebhooks, 'secret'>,
  { url }: Pick<RegisteredWebhook, 'url'>,
): boolean {
  return [webhooksUrl, ...formerWebhooksUrls].some((base) => isBelow(base, url));
}

function isBelow(base: string, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const [ours, other] = [new URL(base), new URL(url)];
  return other.origin === ours.origin && other.pathname.startsWith(`${ours.pathname.replace(/\/$/, '')}/`);
}

/** Only the scheme and host of a URL: a path or a query may hold a secret of another system. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'not a URL';
}

/** A webhook as it arrived: a POST that `receive` accepted, a record of the undelivered list, or an answer that was read back. Its body is not read yet. */
export type WebhookDelivery = {
  /** Names this delivery: the same however often its message is sent or received. */
  readonly deliveryId: string;
  /** The last segment of the URL that was hit. Any text: an unknown type goes into quarantine later, and is not refused. */
  readonly eventType: string;
  /** When it arrived. ISO 8601, UTC. */
  readonly receivedOn: string;
  /** The body, deflated (RFC 1951): byte for byte what was received. */
  readonly deflatedBody: Uint8Array;
};

/**
 * The most that a deflated body may take, in bytes. A DynamoDB item holds 400 KiB, of which 16 stay for the rest of the
 * event; in base64 it fits an SQS message of 1 MiB.
 */
export const maxDeflatedBodyBytes = 384 * 1024;

/** The most bytes that an event type may take: it stands beside the body. Registered ones have 100 characters at most. */
export const maxEventTypeLength = 1_024;

/** The maximum size of an inflated body, in bytes: more than a Lambda function can receive. */
export const maxBodyBytes = 16 * 1024 * 1024;

export function deflateBody(body: Uint8Array): Uint8Array {
  // What is deflated stays in the chunk that it was written to: of 16 KiB, for a body of some hundred bytes.
  return deflateRawSync(body, { chunkSize: Math.min(16_384, body.length + 64) });
}

/** @throws when the bytes are not deflated, or inflate to more than 16 MiB */
export function inflateBody(deflatedBody: Uint8Array): Uint8Array {
  return inflateRawSync(deflatedBody, { maxOutputLength: maxBodyBytes });
}

const deliveryMessage = z.object({
  deliveryId: z.string().check(z.minLength(1)),
  eventType: z.string().check(z.minLength(1)),
  receivedOn: z.iso.datetime(),
  deflatedBody: z.base64(),
});

/** The message of the drain and the replay: an event that is in the event store already, with everything else that `store` needs. */
const eventMessage = z.object({ eventId: z.string().check(z.regex(/^[\da-f]{64}$/)) });

/** What `reconcile` hands over: `read-back.ts` says what is in it. Not imported from there: `receive` bundles this file. */
const readBackMessage = z.object({ readBack: z.looseObject({}) });

/** A message of the webhooks queue: a new delivery, a stored event, or an answer of the platform. */
export type WebhookMessage =
  | { readonly delivery: WebhookDelivery; readonly eventId?: never; readonly readBack?: never }
  | { readonly eventId: string; readonly delivery?: never; readonly readBack?: never }
  | { readonly readBack: Readonly<Record<string, unknown>>; readonly delivery?: never; readonly eventId?: never };

/** The delivery as the text of an SQS message: JSON in ASCII, since SQS refuses some characters; the body in base64. */
export function writeDeliveryMessage(delivery: WebhookDelivery): string {
  const message: z.infer<typeof deliveryMessage> = {
    ...delivery,
    deflatedBody: Buffer.from(delivery.deflatedBody).toString('base64'),
  };
  return JSON.stringify(message).replace(/[^\x20-\x7e]/g, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** An event of the event store, by its id, as the text of an SQS message. */
export function writeEventMessage(eventId: string): string {
  return JSON.stringify({ eventId } satisfies z.infer<typeof eventMessage>);
}

/**
 * @throws `DeliveryMessageError` when the text is neither what {@link writeDeliveryMessage} writes, nor what
 * {@link writeEventMessage} or `writeReadBackMessage` does
 */
export function readWebhookMessage(text: string): WebhookMessage {
  const message = parseJson(text);
  if (message === undefined)
    throw new DrawbridgeError('DeliveryMessageError', 'The message is not JSON: it moves to the DLQ.');
  const readBack = readBackMessage.safeParse(message);
  if (readBack.success) return readBack.data;
  const event = eventMessage.safeParse(message);
  return event.success ? event.data : { delivery: readDelivery(message) };
}

function readDelivery(value: unknown): WebhookDelivery {
  const message = z.safeParse(deliveryMessage, value);
  if (!message.success) {
    const fields = message.error.issues.map((issue) => issue.path.join('.') || 'the message');
    throw new DrawbridgeError(
      'DeliveryMessageError',
      `The message is not a webhook delivery: check ${fields.join(', ')}. It moves to the DLQ.`,
    );
  }
  return { ...message.data, deflatedBody: Buffer.from(message.data.deflatedBody, 'base64') };
}
