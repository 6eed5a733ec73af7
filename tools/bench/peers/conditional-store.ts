import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { eventKeys } from '#shared/events/event-row.ts';
import { applyEvent, createHandler, storeEvent, type Work } from './powertools-store.ts';

/** The entity and the change come first, so that a retry repeats them: the event is stored when both are done. */
async function applyOnce(work: Work): Promise<void> {
  await applyEvent(work);
  try {
    await storeEvent(work, `attribute_not_exists(${eventKeys.partition})`);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** A duplicate is recognized by a conditional write, without the idempotency utility. */
export const handler = createHandler(applyOnce, () => undefined);
