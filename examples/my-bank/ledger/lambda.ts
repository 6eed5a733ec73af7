import { ConditionalCheckFailedException, DynamoDB } from '@aws-sdk/client-dynamodb';
import { dynamoDbSequences } from 'drawbridge/events';
import { createLedger } from './handler.ts';

const { BOOKINGS_TABLE = '', SEQUENCES_TABLE = '' } = process.env;
const dynamoDb = new DynamoDB({});

export const handler = createLedger({
  sequences: dynamoDbSequences({ dynamoDb, tableName: SEQUENCES_TABLE }),
  book: async ({ orderId, status, eventId }) => {
    try {
      await dynamoDb.putItem({
        TableName: BOOKINGS_TABLE,
        Item: { orderId: { S: orderId }, status: { S: status }, eventId: { S: eventId } },
        ConditionExpression: 'attribute_not_exists(orderId)',
      });
    } catch (error) {
      // The order is booked already.
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  },
});
