import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { dynamoDbSequences } from '@drawbridge-partner/drawbridge/events';
import { createHandler } from './handler.ts';

const { ORDERS_TABLE = '', SEQUENCES_TABLE = '' } = process.env;
const dynamoDb = new DynamoDB({});

export const handler = createHandler({
  sequences: dynamoDbSequences({ dynamoDb, tableName: SEQUENCES_TABLE }),
  saveOrder: ({ orderId, status, sequence }) =>
    dynamoDb.putItem({
      TableName: ORDERS_TABLE,
      Item: { orderId: { S: orderId }, status: { S: status }, sequence: { N: String(sequence) } },
    }),
  // JSON, so that CloudWatch Logs can filter by each field.
  onMessage: ({ outcome, key, sequence, messageId, error }) =>
    console.log(
      JSON.stringify({
        message: 'order event',
        outcome,
        key,
        sequence,
        messageId,
        ...(error instanceof Error && { error: error.stack }),
      }),
    ),
});
