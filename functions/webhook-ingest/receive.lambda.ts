import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { readEnvironment, textVariable } from '#shared/env.ts';
import { httpHandler } from '#shared/handler.ts';
import { createLog } from '#shared/log.ts';
import { createMetrics } from '#shared/metrics.ts';
import { createQueue } from '#shared/queue.ts';
import { createWebhookSecret } from '#shared/webhook-secret.ts';
import { createReceive } from './receive.ts';

const environment = readEnvironment(
  z.object({ QUEUE_URL: textVariable, SECRET_ID: textVariable, SECRET_HEADER: textVariable.check(z.lowercase()) }),
  process.env,
);
const now = () => new Date();
const write = (line: string) => process.stdout.write(line);
const log = createLog({ write, now });
// An attempt that hangs must not use up the time of the next two: the platform waits for the answer.
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 2_500, throwOnRequestTimeout: true };
const sqs = new SQSClient({ requestHandler });
const secretsManager = new SecretsManagerClient({ requestHandler });

const metrics = createMetrics({ write, now });
const secret = createWebhookSecret({
  secretsManager,
  secretId: environment.SECRET_ID,
  now,
  onPrevious: () => {
    metrics.count('PreviousSecretDeliveries');
    metrics.flush();
  },
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

export const handler = httpHandler(async (event) => {
  const answer = await receive(event);
  if (answer.statusCode === 401) {
    metrics.count('DeliveriesUnauthorized');
    metrics.flush();
  }
  return answer;
}, log);
