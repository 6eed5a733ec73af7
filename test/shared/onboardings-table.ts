import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { onboardingKeys } from '#shared/onboarding-keys.ts';

/** Creates an onboardings table with its indexes, as the stacks declare it. */
export async function createOnboardingsTable(dynamodb: DynamoDBClient, TableName: string): Promise<string> {
  const { partition, due, person, verification } = onboardingKeys;
  const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' as const });
  const Projection = { ProjectionType: 'KEYS_ONLY' as const };
  await dynamodb.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [hash(partition)],
      AttributeDefinitions: [partition, due.partition, due.sort, person.partition, verification.partition].map(
        (AttributeName) => ({ AttributeName, AttributeType: 'S' as const }),
      ),
      GlobalSecondaryIndexes: [
        {
          IndexName: due.index,
          KeySchema: [hash(due.partition), { AttributeName: due.sort, KeyType: 'RANGE' }],
          Projection,
        },
        {
          IndexName: person.index,
          KeySchema: [hash(person.partition)],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...person.holds] },
        },
        { IndexName: verification.index, KeySchema: [hash(verification.partition)], Projection },
      ],
    }),
  );
  return TableName;
}
