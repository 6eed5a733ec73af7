import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { textVariable } from '#shared/env.ts';
import { httpHandler } from '#shared/handler.ts';
import type { ProcessDeps } from '#shared/lambda-process.ts';
import { createLog } from '#shared/log.ts';
import { createMetrics } from '#shared/metrics.ts';
import { createQueue } from '#shared/queue.ts';
import { createWebhookSecret } from '#shared/webhook-secret.ts';
import { createReceive } from './receive.ts';

/** What the stacks put into the environment. */
export const variables = z.object({
  QUEUE_URL: textVariable,
  SECRET_ID: textVariable,
  SECRET_HEADER: textVariable.check(z.lowercase()),
});

export type ReceiveHandlerDeps = Pick<ProcessDeps, 'now' | 'write'> & {
  readonly environment: z.infer<typeof variables>;
  readonly secretsManager: Pick<SecretsManagerClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
};

/** The handler of `receive`, as its entry exports it. */
export function createHandler({ environment, secretsManager, sqs, now, write }: ReceiveHandlerDeps) {
  const log = createLog({ write, now });
  const metrics = createMetrics({ write, now });

  function countAtOnce(name: 'PreviousSecretDeliveries' | 'DeliveriesUnauthorized'): void {
    metrics.count(name);
    metrics.flush();
  }

  const secret = createWebhookSecret({
    secretsManager,
    secretId: environment.SECRET_ID,
    now,
    onPrevious: () => countAtOnce('PreviousSecretDeliveries'),
  });

  // Read while the function loads, when Lambda lends it a whole CPU: the first webhook finds the secret, and the code
  // that reads it, warm. Should it fail, the first webhook reads it again, and says so.
  secret.matches('').catch(() => undefined);

  const receive = createReceive({
    secretHeader: environment.SECRET_HEADER,
    secret,
    queue: createQueue({ sqs, queueUrl: environment.QUEUE_URL }),
    log,
  });

  return httpHandler(async (event) => {
    const answer = await receive(event);
    if (answer.statusCode === 401) countAtOnce('DeliveriesUnauthorized');
    return answer;
  }, log);
}
