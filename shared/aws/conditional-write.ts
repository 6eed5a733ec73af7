import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** What DynamoDB answers; undefined where the condition of the write does not hold. */
export async function ifConditionHolds<Output>(sent: Promise<Output>): Promise<Output | undefined> {
  try {
    return await sent;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
