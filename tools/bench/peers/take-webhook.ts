import { createHash, timingSafeEqual } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { deflateBody, writeDeliveryMessage } from '#shared/events/webhook-delivery.ts';

/** What the partner would send on: the same fields as `receive` reads. */
const webhook = z.object({
  eventType: z.string().min(1),
  requestId: z.string().min(1),
  timeEpoch: z.number(),
  body: z.string(),
});
const [sqs, secretsManager] = [new SQSClient({}), new SecretsManagerClient({})];
const secretSchema = z.object({ current: z.string().min(32), previous: z.string().min(32).optional() });
const maxSecretAgeMs = 300_000;
let secret: { readonly digests: readonly Buffer[]; readonly readAt: number } | undefined;

const digestOf = (text: string) => createHash('sha256').update(text).digest();

/** Whether a webhook has the secret, which is read again after five minutes. */
export async function isAuthentic(candidate: string | undefined): Promise<boolean> {
  if (candidate === undefined) return false;
  if (secret === undefined || Date.now() - secret.readAt > maxSecretAgeMs) {
    const read = new GetSecretValueCommand({ SecretId: process.env['SECRET_ID'] });
    const { SecretString = '' } = await secretsManager.send(read);
    const { current, previous } = secretSchema.parse(JSON.parse(SecretString));
    const digests = [current, previous].filter((one) => one !== undefined).map(digestOf);
    secret = { digests, readAt: Date.now() };
  }
  return secret.digests.map((digest) => timingSafeEqual(digest, digestOf(candidate))).some(Boolean);
}

/** Sends a webhook to the queue. */
export async function keepWebhook(received: unknown): Promise<void> {
  const { requestId: deliveryId, timeEpoch, eventType, body } = webhook.parse(received);
  const MessageBody = writeDeliveryMessage({
    deliveryId,
    eventType,
    receivedOn: new Date(timeEpoch).toISOString(),
    deflatedBody: deflateBody(Buffer.from(body)),
  });
  await sqs.send(new SendMessageCommand({ QueueUrl: process.env['QUEUE_URL'], MessageBody }));
}
