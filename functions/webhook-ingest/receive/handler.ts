import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createQueue } from '#shared/aws/queue.ts';
import { httpHandler } from '#shared/lambda/http-api.ts';
import { jsonVariable, type ProcessDeps, textVariable } from '#shared/lambda/lambda-process.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createVersionMetrics, metricsVariables, versionVariables } from '#shared/lambda/metrics.ts';
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

  // Read while the function loads, when Lambda lends it a whole CPU: the first webhook finds the secret, and the code
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
