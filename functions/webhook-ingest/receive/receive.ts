import * as z from 'zod/mini';
import type { Queue } from '#shared/aws/queue.ts';
import {
  deflateBody,
  maxDeflatedBodyBytes,
  maxEventTypeLength,
  writeDeliveryMessage,
} from '#shared/events/webhook-delivery.ts';
import { type HttpAnswer, httpEventFields, optionalField } from '#shared/lambda/http-api.ts';
import type { Log } from '#shared/lambda/log.ts';
import { problem } from '#shared/lambda/problem.ts';
import { secretRefused, sourceNotAllowed, unavailable, webhookTooLarge } from '#shared/lambda/problem-types.ts';
import { isPlausibleSecret, type WebhookSecret, WebhookSecretError } from '#shared/secrets/webhook-secret.ts';
import type { RejectionReason } from './rejections.ts';
import type { IsAllowedSource } from './source-ranges.ts';

export type ReceiveDeps = {
  readonly isAllowedSource: IsAllowedSource;
  /** The name of the header that carries the secret, in lower case as API Gateway hands it over. */
  readonly secretHeader: string;
  readonly secret: WebhookSecret;
  readonly queue: Queue;
  readonly log: Log;
  readonly onRejected: (reason: RejectionReason) => void;
};

/** Of an HTTP API event, payload format 2.0: what decides whether the rest of it is read. */
const origin = z.object({
  headers: httpEventFields.headers,
  requestContext: optionalField(z.object({ http: optionalField(z.object({ sourceIp: optionalField(z.string()) })) })),
});

/** The rest of the fields that are used. */
const httpRequest = z.object({
  pathParameters: z.object({
    // Half a surrogate pair cannot be written in UTF-8: no table takes it.
    eventType: z.string().check(
      z.minLength(1),
      z.refine((type) => type.isWellFormed()),
    ),
  }),
  body: httpEventFields.body,
  isBase64Encoded: httpEventFields.isBase64Encoded,
  requestContext: z.object({ requestId: z.string().check(z.minLength(1)), timeEpoch: z.number() }),
});

type HttpRequest = z.infer<typeof httpRequest>;

/**
 * Receives one webhook (section 6): `POST /webhooks/…/{eventType}`.
 *
 * Answers 200 with no body once SQS has it; 403 outside the source ranges and 401 without the secret, with nothing written;
 * 413 where the body could not be kept; 503 while the secret cannot be read, without a log line, since the failed read has one.
 * Anything else that fails on the way throws, which is a 5xx as well: the platform keeps the webhook as undelivered.
 */
export function createReceive({ isAllowedSource, secretHeader, secret, queue, log, onRejected }: ReceiveDeps) {
  const outOfRange = problem(sourceNotAllowed, 'This address may not deliver webhooks.');
  const unauthorized = problem(secretRefused, `The header ${secretHeader} does not have the registered secret.`);
  const secretUnread = problem(unavailable, 'The webhook secret could not be read: send the webhook again.');

  return async (event: unknown): Promise<HttpAnswer> => {
    const { headers = {}, requestContext } = z.parse(origin, event);
    if (!isAllowedSource(requestContext?.http?.sourceIp)) {
      onRejected('SOURCE_OUT_OF_RANGE');
      return outOfRange;
    }
    const candidate = headers[secretHeader];
    if (candidate === undefined || !isPlausibleSecret(candidate)) {
      onRejected('NO_SECRET');
      return unauthorized;
    }
    const isSecret = await secret.matches(candidate).catch(asUnread);
    if (isSecret === 'unread') return secretUnread;
    if (!isSecret) {
      onRejected('WRONG_SECRET');
      return unauthorized;
    }
    return accept(z.parse(httpRequest, event));
  };

  async function accept(request: HttpRequest): Promise<HttpAnswer> {
    const { requestId: deliveryId, timeEpoch } = request.requestContext;
    const { eventType } = request.pathParameters;
    const deflatedBody = deflateBody(bodyOf(request));
    if (deflatedBody.length > maxDeflatedBodyBytes || Buffer.byteLength(eventType) > maxEventTypeLength) {
      log.error('webhook too large', { deliveryId, size: deflatedBody.length });
      return problem(
        webhookTooLarge,
        `The deflated body may have ${maxDeflatedBodyBytes} bytes, the event type ${maxEventTypeLength}.`,
      );
    }
    const receivedOn = new Date(timeEpoch).toISOString();
    await queue.send(writeDeliveryMessage({ deliveryId, eventType, receivedOn, deflatedBody }));
    return { statusCode: 200 };
  }
}

/** @throws any error but that of a read that failed */
function asUnread(error: unknown): 'unread' {
  if (error instanceof WebhookSecretError) return 'unread';
  throw error;
}

/** The bytes as they came over the wire: API Gateway hands over as base64 what it does not take for text. */
function bodyOf({ body = '', isBase64Encoded = false }: HttpRequest): Uint8Array {
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
}
