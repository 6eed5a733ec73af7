import { BlockList, isIP } from 'node:net';
import * as z from 'zod/mini';
import type { Queue } from '#shared/aws/queue.ts';
import {
  deflateBody,
  maxDeflatedBodyBytes,
  maxEventTypeLength,
  writeDeliveryMessage,
} from '#shared/events/webhook-delivery.ts';
import { type ApiAnswer, httpEventFields, optionalField, problem } from '#shared/lambda/http-api.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { CountName, Metrics } from '#shared/lambda/metrics.ts';
import { secretRefused, sourceNotAllowed, unavailable, webhookTooLarge } from '#shared/lambda/problem-types.ts';
import { isPlausibleSecret, type WebhookSecret, WebhookSecretError } from '#shared/secrets/webhook-secret.ts';

/** Why a request at the webhooks URL was rejected before its event type and its body were read. */
export type RejectionReason = 'SOURCE_OUT_OF_RANGE' | 'NO_SECRET' | 'WRONG_SECRET';

const metricOf: Readonly<Record<RejectionReason, CountName>> = {
  SOURCE_OUT_OF_RANGE: 'DeliveriesOutOfRange',
  NO_SECRET: 'DeliveriesUnauthorized',
  WRONG_SECRET: 'DeliveriesUnauthorized',
};

type RejectionsDeps = { readonly log: Log; readonly metrics: Metrics; readonly now: () => Date };

/** In milliseconds: how long rejections are counted before they are written. */
export const writeInterval = 10_000;

/**
 * Counts rejected requests, and writes the counts: the first immediately, then at most every ten seconds, one line of the
 * log for each reason, and one of metrics at the end of the request. A flood of rejections must not become a flood of log
 * lines, and each rejection must be in a count.
 *
 * A process that Lambda never thaws loses what it has counted within its last ten seconds.
 */
export function createRejections({ log, metrics, now }: RejectionsDeps) {
  const counts = new Map<RejectionReason, number>();
  let writtenAt = Number.NEGATIVE_INFINITY;

  function add(reason: RejectionReason): void {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }

  /** Must be called with each request, rejected or not. */
  function writeIfDue(): void {
    const time = now().getTime();
    if (counts.size === 0 || time - writtenAt < writeInterval) return;
    for (const [reason, count] of counts) {
      log.warn('webhooks rejected', { reason, count });
      metrics.count(metricOf[reason], count);
    }
    counts.clear();
    writtenAt = time;
  }

  return { add, writeIfDue };
}

/** Whether a request from this address may deliver webhooks. */
export type IsAllowedSource = (address: string | undefined) => boolean;

/**
 * Allows the addresses of these ranges (CIDR, IPv4 and IPv6) only; without ranges, any address. An address that is missing or
 * malformed is in no range.
 *
 * @throws if a text is not a range: the function then does not start
 */
export function createSourceRanges(ranges: readonly string[] | undefined): IsAllowedSource {
  if (ranges === undefined) return () => true;
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address = '') => isIP(address) !== 0 && list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

export type ReceiveDeps = {
  readonly isAllowedSource: IsAllowedSource;
  /** The name of the header that carries the secret, in lower case as API Gateway hands it over. */
  readonly secretHeader: string;
  readonly secret: WebhookSecret;
  readonly queue: Queue;
  readonly log: Log;
  readonly onRejected: (reason: RejectionReason) => void;
};

/** The fields of an HTTP API event, payload format 2.0, that decide whether the rest is read. */
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
 * 413 if the body is too large to store; 503 while the secret cannot be read, without a log line, since the failed read has one.
 * Anything else that fails on the way throws, which is a 5xx as well: the platform keeps the webhook as undelivered.
 */
export function createReceive({ isAllowedSource, secretHeader, secret, queue, log, onRejected }: ReceiveDeps) {
  const outOfRange = problem(sourceNotAllowed, 'This address may not deliver webhooks.');
  const unauthorized = problem(secretRefused, `The header ${secretHeader} does not have the registered secret.`);
  const secretUnread = problem(unavailable, 'The webhook secret could not be read: send the webhook again.');

  return async (event: unknown): Promise<ApiAnswer> => {
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

  async function accept(request: HttpRequest): Promise<ApiAnswer> {
    const { requestId: deliveryId, timeEpoch } = request.requestContext;
    const { eventType } = request.pathParameters;
    const deflatedBody = deflateBody(bodyOf(request));
    if (deflatedBody.length > maxDeflatedBodyBytes || Buffer.byteLength(eventType) > maxEventTypeLength) {
      log.error('webhook too large', { deliveryId, size: deflatedBody.length });
      return problem(
        webhookTooLarge,
        `The deflated body may have at most ${maxDeflatedBodyBytes} bytes, and the event type at most ${maxEventTypeLength}.`,
      );
    }
    const receivedOn = new Date(timeEpoch).toISOString();
    await queue.send(writeDeliveryMessage({ deliveryId, eventType, receivedOn, deflatedBody }));
    return { statusCode: 200 };
  }
}

/** @throws any error except that of a failed read */
function asUnread(error: unknown): 'unread' {
  if (error instanceof WebhookSecretError) return 'unread';
  throw error;
}

/** The bytes as they were received: API Gateway passes bodies that are not text as base64. */
function bodyOf({ body = '', isBase64Encoded = false }: HttpRequest): Uint8Array {
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
}
