import { createReceive } from '#functions/webhook-ingest/receive.ts';
import { httpHandler } from '#shared/handler.ts';
import { createQueue } from '#shared/queue.ts';
import { createWebhookSecret } from '#shared/webhook-secret.ts';
import { type BuildHandler, toHandler } from './process-deps.ts';

/** As `receive.lambda.ts`. */
export const buildReceive: BuildHandler = ({ secretsManager, sqs, now, log, metrics, environment }) => {
  const secret = createWebhookSecret({
    secretsManager,
    secretId: 'webhook-secret',
    now,
    onPrevious: () => metrics.count('PreviousSecretDeliveries'),
  });
  secret.matches('').catch(() => undefined);
  const queue = createQueue({ sqs, queueUrl: 'webhooks' });
  const secretHeader = environment.secretHeader.toLowerCase();
  return toHandler(httpHandler(createReceive({ secretHeader, secret, queue, log }), log));
};
