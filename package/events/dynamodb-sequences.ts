import * as z from 'zod/mini';
import { anyFunction, checkOptions } from '#package/check-options.ts';
import { lost, type SequenceStore } from './sequence-store.ts';

type Value = { S: string } | { N: string };

/** What the store uses of `DynamoDB` of `@aws-sdk/client-dynamodb`: pass one of yours. */
export type DynamoDbCalls = {
  readonly updateItem: (input: {
    TableName: string;
    Key: Record<string, Value>;
    UpdateExpression: string;
    ConditionExpression: string;
    ExpressionAttributeValues: Record<string, Value>;
  }) => Promise<unknown>;
  readonly getItem: (input: {
    TableName: string;
    Key: Record<string, Value>;
    ConsistentRead: boolean;
  }) => Promise<{ readonly Item?: Readonly<Record<string, StoredValue>> | undefined }>;
};

type StoredValue = { readonly N?: string | undefined; readonly S?: string | undefined };

export type DynamoDbSequencesOptions = {
  readonly dynamoDb: DynamoDbCalls;
  /** A table of yours. Its partition key is the string `key`, and it has no sort key. */
  readonly tableName: string;
  readonly now?: (() => number) | undefined;
};

const usableOptions = z.object({
  dynamoDb: z.object({ updateItem: anyFunction, getItem: anyFunction }),
  tableName: z.string().check(z.minLength(1)),
});

/**
 * Keeps sequences in a table of DynamoDB: one item per key, two writes per event that takes effect. The function needs `dynamodb:UpdateItem` and
 * `dynamodb:GetItem` on the table. Each write can be repeated by its holder, as the SDK does after a lost answer.
 *
 * @throws {TypeError} if the options are something else
 */
export function dynamoDbSequences(options: DynamoDbSequencesOptions): SequenceStore {
  const expectation =
    'dynamoDbSequences expects { dynamoDb: new DynamoDB({}), tableName }, with DynamoDB of @aws-sdk/client-dynamodb and not DynamoDBClient.';
  checkOptions(usableOptions, options, expectation);
  const { dynamoDb, tableName, now = Date.now } = options;
  const keyOf = (key: string) => ({ TableName: tableName, Key: { key: { S: key } } });
  const read = async (key: string) => (await dynamoDb.getItem({ ...keyOf(key), ConsistentRead: true })).Item;
  return {
    claim: async ({ key, sequence, holder, holdMs }) => {
      const at = now();
      try {
        await dynamoDb.updateItem({
          ...keyOf(key),
          UpdateExpression: 'SET claimed = :sequence, holder = :holder, heldUntil = :until',
          ConditionExpression: [
            '(attribute_not_exists(claimed) OR claimed <= :sequence)',
            '(attribute_not_exists(done) OR done < :sequence)',
            '(attribute_not_exists(heldUntil) OR heldUntil <= :now OR holder = :holder)',
          ].join(' AND '),
          ExpressionAttributeValues: {
            ':holder': { S: holder },
            ':until': number(at + holdMs),
            ':sequence': number(sequence),
            ':now': number(at),
          },
        });
        return 'claimed';
      } catch (error) {
        if (!isConditionFailed(error)) throw error;
      }
      const item = await read(key);
      const [claimed, done] = ['claimed', 'done'].map((name) => Number(item?.[name]?.N ?? 0));
      return (claimed ?? 0) > sequence || (done ?? 0) >= sequence ? 'stale' : 'held';
    },
    settle: async ({ key, sequence, holder }, hasTakenEffect) => {
      try {
        await dynamoDb.updateItem({
          ...keyOf(key),
          UpdateExpression: `SET ${hasTakenEffect ? 'done = :sequence, ' : ''}settledBy = :holder REMOVE holder, heldUntil`,
          ConditionExpression: 'holder = :holder',
          ExpressionAttributeValues: {
            ':holder': { S: holder },
            ...(hasTakenEffect && { ':sequence': number(sequence) }),
          },
        });
      } catch (error) {
        if (!isConditionFailed(error)) throw error;
        if ((await read(key))?.['settledBy']?.S !== holder) throw lost(key, { cause: error });
      }
    },
  };
}

function number(value: number): Value {
  return { N: String(value) };
}

function isConditionFailed(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}
