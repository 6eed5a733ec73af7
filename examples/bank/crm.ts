import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { createConsumer, dynamoDbSequences } from '@drawbridge-partner/drawbridge/events';

const { TABLE = '', SEQUENCES_TABLE = '' } = process.env;
const dynamoDb = new DynamoDB({});

type Ended = { readonly detail: { readonly onboardingId: string; readonly step: string } };

/** The customer is found by its onboardingId, which `onboardingIdOf(externalId)` gives. */
const keep = ({ detail: { onboardingId, step } }: Ended) =>
  dynamoDb.putItem({ TableName: TABLE, Item: { key: { S: onboardingId }, step: { S: step } } });

/** Keeps how the onboarding of each customer has ended. One that has ended can be retried: the latest end counts. */
export const handler = createConsumer({
  sequences: dynamoDbSequences({ dynamoDb, tableName: SEQUENCES_TABLE }),
  handlers: { OnboardingCompleted: keep, OnboardingEnded: keep },
});
