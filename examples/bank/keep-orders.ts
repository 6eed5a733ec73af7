import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { createConsumer, dynamoDbSequences } from '@drawbridge-partner/drawbridge/events';

const { TABLE = '', SEQUENCES_TABLE = '' } = process.env;
const dynamoDb = new DynamoDB({});

/** Keeps the latest status of each order. Events come twice and out of order: the consumer drops what is not newer. */
export const handler = createConsumer({
  sequences: dynamoDbSequences({ dynamoDb, tableName: SEQUENCES_TABLE }),
  handlers: {
    OrderStatusChanged: ({ detail: { id, status = 'UNKNOWN', sequence } }) =>
      dynamoDb.putItem({
        TableName: TABLE,
        Item: { key: { S: id }, status: { S: status }, sequence: { N: String(sequence) } },
      }),
  },
});
