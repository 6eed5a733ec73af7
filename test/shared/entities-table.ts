import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { entityKeys } from '#shared/entity-row.ts';

/** Creates an entities table with its index, as the stacks declare it. */
export async function createEntitiesTable(dynamodb: DynamoDBClient, TableName: string): Promise<string> {
  const { partition, sort, readBack } = entityKeys;
  const keys = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ];
  await dynamodb.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keys(partition, sort),
      AttributeDefinitions: [partition, sort, readBack.partition, readBack.sort].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S' as const,
      })),
      GlobalSecondaryIndexes: [
        {
          IndexName: readBack.index,
          KeySchema: keys(readBack.partition, readBack.sort),
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    }),
  );
  return TableName;
}
