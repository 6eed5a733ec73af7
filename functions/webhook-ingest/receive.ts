import * as z from 'zod/mini';
import { type HttpAnswer, problem } from '#shared/handler.ts';
import type { Log } from '#shared/log.ts';
import type { Queue } from '#shared/queue.ts';
import { deflateBody, maximumDeflatedBody, maximumEventType, writeDeliveryMessage } from '#shared/webhook-delivery.ts';
import type { WebhookSecret } from '#shared/webhook-secret.ts';

export type ReceiveDeps = {
  /** The name of the header that carries the secret, in lower case as API Gateway hands it over. */
  readonly secretHeader: string;
  readonly secret: WebhookSecret;
  readonly queue: Queue;
  readonly log: Log;
};

/** The fields used of an HTTP API event, payload format 2.0. */
const httpRequest = z.object({
  headers: z.record(z.string(), z.string()),
  pathParameters: z.object({ eventType: z.string().check(z.minLength(1)) }),
  body: z.optional(z.string()),
  isBase64Encoded: z.boolean(),
  requestContext: z.object({ requestId: z.string().check(z.minLength(1)), timeEpoch: z.number() }),
});

type HttpRequest = z.infer<typeof httpRequest>;

/**
 * Takes in one webhook (section 6): `POST /webhooks/{eventType}`.
 *
 * Answers 200 with no body once SQS has it; 401 without the secret, with nothing written; 413 where the body could not
 * be kept. Anything that fails on the way throws, which is a 5xx: the platform keeps the webhook as undelivered.
 */
export function createReceive({ secretHeader, secret, queue, log }: ReceiveDeps) {
  return async (event: unknown): Promise<HttpAnswer> => {
    const request = z.parse(httpRequest, event);
    const { requestId: deliveryId, timeEpoch } = request.requestContext;
    const candidate = request.headers[secretHeader];
    if (candidate === undefined || !(await secret.matches(candidate))) {
      log.warn('webhook refused: no valid secret', { deliveryId });
      return problem(401, `Send the registered secret in the header ${secretHeader}.`);
    }
    const { eventType } = request.pathParameters;
    const deflatedBody = deflateBody(bodyOf(request));
    if (deflatedBody.length > maximumDeflatedBody || Buffer.byteLength(eventType) > maximumEventType) {
      log.error('webhook refused: it is too large to be kept', { deliveryId, size: deflatedBody.length });
      return problem(
        413,
        `The body may take ${maximumDeflatedBody} bytes when deflated, the event type ${maximumEventType}.`,
      );
    }
    const receivedOn = new Date(timeEpoch).toISOString();
    await queue.send(writeDeliveryMessage({ deliveryId, eventType, receivedOn, deflatedBody }));
    return { statusCode: 200 };
  };
}

/** The bytes as they came over the wire: API Gateway hands over as base64 what it does not take for text. */
function bodyOf({ body = '', isBase64Encoded }: HttpRequest): Uint8Array {
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
}
