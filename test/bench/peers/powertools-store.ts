import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import middy from '@middy/core';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { createBus } from '#shared/bus/bus.ts';
import { entityChanged } from '#shared/bus/bus-event.ts';
import { createEntityStore } from '#shared/entities/entity-store.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { type IdentifiedEvent, identifyEvent } from '#shared/events/event.ts';
import { newEventRow } from '#shared/events/event-row.ts';
import { inflateBody, readWebhookMessage, type WebhookDelivery } from '#shared/events/webhook-delivery.ts';
import { lambdaProcess } from '#shared/lambda/lambda-process.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

const logger = new Logger({ serviceName: 'store' });
const metrics = new Metrics({ namespace: 'Bench', serviceName: 'store' });
const dynamodb = new DynamoDBClient({});
const bus = createBus({ eventBridge: new EventBridgeClient({}), busName: process.env['EVENT_BUS'] ?? '' });
const profile = platformProfile.parse({});
const entityStore = createEntityStore({
  ...lambdaProcess,
  dynamodb,
  tableName: process.env['ENTITIES_TABLE'] ?? '',
  rules: entityRules,
});
const config = new IdempotencyConfig({ eventKeyJmesPath: 'event.eventId', expiresAfterSeconds: 90 * 86_400 });

type Work = { readonly event: IdentifiedEvent; readonly delivery: WebhookDelivery };

/** The same effect as `store` has: the event is stored, its entity merged under a condition, the change published. */
async function applyOnce({ event, delivery }: Work): Promise<{ readonly eventId: string }> {
  const expiresAt = Math.floor(Date.now() / 1_000) + 90 * 86_400;
  await dynamodb.send(
    new PutItemCommand({ TableName: process.env['EVENTS_TABLE'], Item: newEventRow(event, delivery, expiresAt) }),
  );
  const { placed, eventId } = event;
  if (placed !== undefined) {
    const reported = { ...placed, eventId, receivedOn: delivery.receivedOn };
    const { change } = await entityStore.apply(reported);
    if (change !== undefined) await bus.publish([entityChanged(reported, change)]);
  }
  metrics.addMetric('EventsStored', MetricUnit.Count, 1);
  return { eventId };
}

const applyIdempotently = makeIdempotent(applyOnce, {
  persistenceStore: new DynamoDBPersistenceLayer({ tableName: process.env['IDEMPOTENCY_TABLE'] ?? '' }),
  config,
});

async function handleRecord({ body }: SQSRecord): Promise<void> {
  const { delivery } = readWebhookMessage(body);
  if (delivery === undefined) throw new Error('The message is no delivery.');
  const event = identifyEvent(delivery.eventType, inflateBody(delivery.deflatedBody), profile);
  await applyIdempotently({ event, delivery });
  logger.info('event applied', { deliveryId: delivery.deliveryId, eventId: event.eventId });
}

const processor = new BatchProcessor(EventType.SQS);

/** Middy with the logger, the metrics, the batch and the idempotency utility of Powertools, as AWS documents them. */
export const handler = middy(async (event: SQSEvent, context: Context) => {
  config.registerLambdaContext(context);
  return processPartialResponse(event, handleRecord, processor, { context });
})
  .use(injectLambdaContext(logger))
  .use(logMetrics(metrics));
