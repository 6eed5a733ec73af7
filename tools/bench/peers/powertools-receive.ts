import { createHash, timingSafeEqual } from 'node:crypto';
import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { deflateBody, writeDeliveryMessage } from '#shared/events/webhook-delivery.ts';

const logger = new Logger({ serviceName: 'receive' });
const metrics = new Metrics({ namespace: 'Bench', serviceName: 'receive' });
const [sqs, secretsManager] = [new SQSClient({}), new SecretsManagerClient({})];
const secretSchema = z.object({ current: z.string().min(32), previous: z.string().min(32).optional() });
/** What the partner would send on: the same fields as `receive` reads. */
const webhook = z.object({
  eventType: z.string().min(1),
  requestId: z.string().min(1),
  timeEpoch: z.number(),
  body: z.string(),
});
const maxSecretAgeMs = 300_000;
let secret: { readonly digests: readonly Buffer[]; readonly readAt: number } | undefined;

const digestOf = (text: string) => createHash('sha256').update(text).digest();

async function isAuthentic(candidate: string | undefined): Promise<boolean> {
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

/** Middy with the logger and the metrics of Powertools, as AWS documents them. */
export const handler = middy(async (event: APIGatewayProxyEventV2) => {
  if (!(await isAuthentic(event.headers['x-webhook-secret']))) {
    metrics.addMetric('DeliveriesUnauthorized', MetricUnit.Count, 1);
    return { statusCode: 401 };
  }
  const {
    requestId: deliveryId,
    timeEpoch,
    eventType,
    body,
  } = webhook.parse({
    ...event.requestContext,
    eventType: event.pathParameters?.['eventType'],
    body: event.body,
  });
  const MessageBody = writeDeliveryMessage({
    deliveryId,
    eventType,
    receivedOn: new Date(timeEpoch).toISOString(),
    deflatedBody: deflateBody(Buffer.from(body)),
  });
  await sqs.send(new SendMessageCommand({ QueueUrl: process.env['QUEUE_URL'], MessageBody }));
  return { statusCode: 200 };
})
  .use(injectLambdaContext(logger))
  .use(logMetrics(metrics));
