import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createQueue } from '#shared/aws/queue.ts';
import { type ApiAnswer, httpHandler } from '#shared/lambda/http-api.ts';
import { jsonVariable, type ProcessDeps, textVariable } from '#shared/lambda/lambda-process.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createMetrics, createVersionMetrics, metricsVariables, versionVariables } from '#shared/lambda/metrics.ts';
import { createWebhookSecret } from '#shared/secrets/webhook-secret.ts';
import { createReceive, createRejections, createSourceRanges } from './receive.ts';

/** What the stacks put into the environment. */
export const variables = z.object({
  ...metricsVariables,
  ...versionVariables,
  QUEUE_URL: textVariable,
  SECRET_ID: textVariable,
  SECRET_HEADER: textVariable.check(z.lowercase()),
  SOURCE_RANGES: z.optional(jsonVariable(z.array(textVariable))),
});

type ReceiveHandlerDeps = Pick<ProcessDeps, 'now' | 'write' | 'peakMemory' | 'traceId'> & {
  readonly environment: z.infer<typeof variables>;
  readonly secretsManager: Pick<SecretsManagerClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
};

/** The handler of `receive`, as its entry exports it. `secretRead` resolves once the secret was read, or could not be. */
export function createHandler({
  environment,
  secretsManager,
  sqs,
  now,
  write,
  peakMemory,
  traceId,
}: ReceiveHandlerDeps) {
  const log = createLog({ write, now, traceId });
  const metrics = createVersionMetrics(environment, { write, now, peakMemory });

  const rejections = createRejections({ log, metrics, now });

  const secret = createWebhookSecret({
    secretsManager,
    secretId: environment.SECRET_ID,
    now,
    onPrevious: () => metrics.count('PreviousSecretDeliveries'),
    onReadFailed: (error) => log.error('webhook secret not read', { error }),
  });

  // Read while the function loads, when Lambda gives it a whole CPU: the first webhook finds the secret, and the code
  // that reads it, warm. After a failure, webhooks get 503 for five seconds: then the next one reads it again.
  const secretRead = secret.matches('').then(
    () => undefined,
    () => undefined,
  );

  const receive = createReceive({
    isAllowedSource: createSourceRanges(environment.SOURCE_RANGES),
    secretHeader: environment.SECRET_HEADER,
    secret,
    queue: createQueue({ sqs, queueUrl: environment.QUEUE_URL }),
    log,
    onRejected: rejections.add,
  });

  const handle = async (event: unknown) => {
    try {
      return await receive(event);
    } finally {
      rejections.writeIfDue();
    }
  };
  return Object.assign(httpHandler(handle, { log, metrics }), { secretRead });
}

/** In milliseconds: how long a slow Secrets Manager may delay the first request. */
const maxWarmUpMs = 1_000;

const madeUpHeader = 'x-secret';
const madeUpSecret = 'not the webhook secret, but as long';

/** A made-up webhook, as API Gateway hands over a real one. */
const madeUpWebhook = {
  headers: { 'content-type': 'application/json', [madeUpHeader]: madeUpSecret },
  pathParameters: { eventType: 'WARM_UP' },
  requestContext: { requestId: 'warm-up', timeEpoch: 0, http: { sourceIp: '192.0.2.1' } },
  body: '{"id":"warm-up"}',
  isBase64Encoded: false,
};

const unused = () => undefined;
const madeUpContext = {
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
export async function rehearse(): Promise<ApiAnswer> {
  const silent = { write: unused, now: () => new Date(0) };
  const [log, metrics] = [createLog(silent), createMetrics({ ...silent, environment: 'none' })];
  const receive = createReceive({
    isAllowedSource: () => true,
    secretHeader: madeUpHeader,
    secret: { matches: async (candidate) => candidate === madeUpSecret },
    queue: { send: async () => undefined },
    log,
    onRejected: unused,
  });
  return httpHandler(receive, { log, metrics })(madeUpWebhook, madeUpContext);
}

/** Resolves once the first request finds the function warm, or after a second. Never rejects: the first request then does the rest. */
export async function warmUp(secretRead: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, maxWarmUpMs);
  await Promise.race([Promise.allSettled([secretRead, rehearse()]), late]);
  clearTimeout(timer);
}
