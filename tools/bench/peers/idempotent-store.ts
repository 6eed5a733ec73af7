import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { applyEvent, createHandler, storeEvent, type Work } from './powertools-store.ts';

const config = new IdempotencyConfig({ eventKeyJmesPath: 'event.eventId', expiresAfterSeconds: 90 * 86_400 });

async function apply(work: Work): Promise<{ readonly eventId: string }> {
  await storeEvent(work);
  await applyEvent(work);
  return { eventId: work.event.eventId };
}

const persistenceStore = new DynamoDBPersistenceLayer({ tableName: process.env['IDEMPOTENCY_TABLE'] ?? '' });
const applyOnce = makeIdempotent(apply, { persistenceStore, config });

/** An event is applied once by the idempotency utility of Powertools. */
export const handler = createHandler(applyOnce, (context) => config.registerLambdaContext(context));
