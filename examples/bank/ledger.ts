import { ConditionalCheckFailedException, DynamoDB } from '@aws-sdk/client-dynamodb';
import { createConsumer, dynamoDbSequences, hasReached } from '@drawbridge-partner/drawbridge/events';

const { TABLE = '', SEQUENCES_TABLE = '' } = process.env;
const dynamoDb = new DynamoDB({});

type Reported = { readonly detail: Parameters<typeof hasReached>[0] & { readonly id: string } };

/** Books an order once, by the condition: on the first report of FILLED, or on a status that implies it. */
async function book({ detail }: Reported): Promise<void> {
  if (!hasReached(detail, 'FILLED')) return;
  const Item = { key: { S: detail.id } };
  try {
    await dynamoDb.putItem({
      TableName: TABLE,
      Item,
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': 'key' },
    });
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** A ledger needs each report: the latest state would drop FILLED where SETTLED was faster. */
export const handler = createConsumer({
  mode: 'every-change',
  sequences: dynamoDbSequences({ dynamoDb, tableName: SEQUENCES_TABLE }),
  handlers: { OrderStatusChanged: book, OrderStatusReported: book },
});
