import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createFindErased, type HasErasedSubject } from '#functions/webhook-ingest/store/apply-event.ts';
import { createBatchGet } from '#shared/aws/dynamodb.ts';

/** Whether subjects are erased, for a single event. */
export function createHasErased(dynamodb: Pick<DynamoDBClient, 'send'>): HasErasedSubject {
  const batchGet = createBatchGet({ dynamodb, random: Math.random, wait: async () => undefined });
  const findErased = createFindErased({ batchGet, entitiesTable: 'entities', onboardingsTable: 'onboardings' });
  return async (subjects) => (await findErased([subjects]))(subjects);
}
