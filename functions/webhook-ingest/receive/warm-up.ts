import type { HttpAnswer } from '#shared/lambda/http-api.ts';
import { httpHandler } from '#shared/lambda/http-api.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createMetrics } from '#shared/lambda/metrics.ts';
import { createReceive } from './receive.ts';

/** In milliseconds: how long a slow Secrets Manager may delay the first request. */
const maxWarmUpMs = 1_000;

const secretHeader = 'x-secret';
const secret = 'not the webhook secret, but as long';

/** A made-up webhook, as API Gateway hands over a real one. */
const event = {
  headers: { 'content-type': 'application/json', [secretHeader]: secret },
  pathParameters: { eventType: 'WARM_UP' },
  requestContext: { requestId: 'warm-up', timeEpoch: 0, http: { sourceIp: '192.0.2.1' } },
  body: '{"id":"warm-up"}',
  isBase64Encoded: false,
};

const unused = () => undefined;
const context = {
  awsRequestId: 'warm-up',
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'warm-up',
  functionVersion: '',
  invokedFunctionArn: '',
  logGroupName: '',
  logStreamName: '',
  memoryLimitInMB: '',
  getRemainingTimeInMillis: () => maxWarmUpMs,
  done: unused,
  fail: unused,
  succeed: unused,
};

/**
 * Runs a made-up webhook through `receive`, so that V8 has compiled the code before the first real one. Nothing is sent, logged
 * or counted.
 */
export async function rehearse(): Promise<HttpAnswer> {
  const silent = { write: unused, now: () => new Date(0) };
  const [log, metrics] = [createLog(silent), createMetrics({ ...silent, environment: 'none' })];
  const receive = createReceive({
    isAllowedSource: () => true,
    secretHeader,
    secret: { matches: async (candidate) => candidate === secret },
    queue: { send: async () => undefined },
    log,
    onRejected: unused,
  });
  return httpHandler(receive, { log, metrics })(event, context);
}

/** Resolves once the first request finds the function warm, or after a second. Never rejects: the first request then does the rest. */
export async function warmUp(secretRead: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, maxWarmUpMs);
  await Promise.race([Promise.allSettled([secretRead, rehearse()]), late]);
  clearTimeout(timer);
}
