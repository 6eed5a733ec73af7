import { createHash, timingSafeEqual } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { deflateBody, writeDeliveryMessage } from '#shared/events/webhook-delivery.ts';

const [sqs, secretsManager] = [new SQSClient({}), new SecretsManagerClient({})];
const secretSchema = z.object({ current: z.string().min(32), previous: z.string().min(32).optional() });
const maxSecretAgeMs = 300_000;
let secret: { readonly digests: readonly Buffer[]; readonly readAt: number } | undefined;

/** What the partner would send on: the same fields as `receive` reads. */
export const webhook = z.object({
  eventType: z.string().min(1),
  requestId: z.string().min(1),
  timeEpoch: z.number(),
  body: z.string(),
});

const digestOf = (text: string) => createHash('sha256').update(text).digest();

/** Whether the header has the webhook secret. The secret is read once in five minutes. */
export async function isAuthentic(candidate: string | undefined): Promise<boolean> {
  if (candidate === undefined) return false;
  if (secret === undefined || Date.now() - secret.readAt > maxSecretAgeMs) {
    const { SecretString = '' } = await secretsManager.send(
      new GetSecretValueCommand({ SecretId: process.env['SECRET_ID'] }),
    );
    const { current, previous } = secretSchema.parse(JSON.parse(SecretString));
    const digests = [current, previous].filter((one) => one !== undefined).map(digestOf);
    secret = { digests, readAt: Date.now() };
  }
  return secret.digests.map((digest) => timingSafeEqual(digest, digestOf(candidate))).some(Boolean);
}

/** Sends the webhook to SQS, as `receive` does. */
export async function keepWebhook({ eventType, requestId, timeEpoch, body }: z.infer<typeof webhook>): Promise<void> {
  const MessageBody = writeDeliveryMessage({
    deliveryId: requestId,
    eventType,
    receivedOn: new Date(timeEpoch).toISOString(),
    deflatedBody: deflateBody(Buffer.from(body)),
  });
  await sqs.send(new SendMessageCommand({ QueueUrl: process.env['QUEUE_URL'], MessageBody }));
}
