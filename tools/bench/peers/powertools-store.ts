import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
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
const tableName = process.env['ENTITIES_TABLE'] ?? '';
const entityStore = createEntityStore({ ...lambdaProcess, dynamodb, tableName, rules: entityRules });

export type Work = { readonly event: IdentifiedEvent; readonly delivery: WebhookDelivery };

/** Stores the event. @param condition refuses one that is stored already */
export async function storeEvent({ event, delivery }: Work, condition?: string): Promise<void> {
  const expiresAt = Math.floor(Date.now() / 1_000) + 90 * 86_400;
  const Item = newEventRow(event, delivery, expiresAt);
  const ConditionExpression = condition;
  await dynamodb.send(
    new PutItemCommand({
      TableName: process.env['EVENTS_TABLE'],
      Item,
      ...(condition !== undefined && { ConditionExpression }),
    }),
  );
  metrics.addMetric('EventsStored', MetricUnit.Count, 1);
}

/** Merges the entity under a condition, and publishes its change. */
export async function applyEvent({ event: { placed, eventId }, delivery: { receivedOn } }: Work): Promise<void> {
  if (placed === undefined) return;
  const reported = { ...placed, eventId, receivedOn };
  const { change } = await entityStore.apply(reported);
  if (change !== undefined) await bus.publish([entityChanged(reported, change)]);
}

/**
 * Middy with the logger, the metrics and the batch utility of Powertools, as AWS documents them. The effect is that of `store`: the
 * event is stored, its entity merged, the change published.
 *
 * @param applyOnce does that, once for each event
 */
export function createHandler(applyOnce: (work: Work) => Promise<unknown>, onContext: (context: Context) => void) {
  const processor = new BatchProcessor(EventType.SQS);
  async function handleRecord({ body }: SQSRecord): Promise<void> {
    const { delivery } = readWebhookMessage(body);
    if (delivery === undefined) throw new Error('The message is not a delivery.');
    const event = identifyEvent(delivery.eventType, inflateBody(delivery.deflatedBody), profile);
    await applyOnce({ event, delivery });
    logger.info('event applied', { deliveryId: delivery.deliveryId, eventId: event.eventId });
  }
  return middy(async (event: SQSEvent, context: Context) => {
    onContext(context);
    return processPartialResponse(event, handleRecord, processor, { context });
  })
    .use(injectLambdaContext(logger))
    .use(logMetrics(metrics));
}
