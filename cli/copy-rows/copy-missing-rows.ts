import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DescribeTableCommand,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { mapConcurrent } from '#shared/map-concurrent.ts';

export type CopyRowsProps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  /** The restored table. */
  readonly from: string;
  /** The table that lacks rows. */
  readonly to: string;
  readonly onProgress?: (soFar: CopiedRows) => void;
};

/** How many rows were copied, and how many were there already. */
export type CopiedRows = { readonly copied: number; readonly kept: number };

/** The tables do not fit together. The message says what to do. */
export class CopyRowsError extends Error {
  override readonly name = 'CopyRowsError';
}

const writeConcurrency = 25;

type Row = Record<string, AttributeValue>;

/**
 * Copies each row that the target lacks. A row that the target has is newer, or the note of an erasure: it stays. Can be
 * repeated after a failure.
 *
 * @throws {CopyRowsError} when the tables have different keys
 */
export async function copyMissingRows(props: CopyRowsProps): Promise<CopiedRows> {
  const { dynamodb, from, to, onProgress = () => undefined } = props;
  if (from === to) throw new CopyRowsError('Name two different tables: a restored one, and one that lacks rows.');
  const [keys, keysOfSource] = await Promise.all([readKeys(dynamodb, to), readKeys(dynamodb, from)]);
  if (keys.join() !== keysOfSource.join())
    throw new CopyRowsError(
      `${from} has the keys ${keysOfSource.join(', ')} and ${to} ${keys.join(', ')}: name two of one kind.`,
    );

  async function copy(Item: Row): Promise<'copied' | 'kept'> {
    const condition = {
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': keys[0] ?? '' },
    };
    try {
      await dynamodb.send(new PutItemCommand({ TableName: to, Item, ...condition }));
      return 'copied';
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return 'kept';
      throw error;
    }
  }

  let soFar: CopiedRows = { copied: 0, kept: 0 };
  let start: Row | undefined;
  do {
    const page = await dynamodb.send(
      new ScanCommand({
        TableName: from,
        ConsistentRead: true,
        ...(start !== undefined && { ExclusiveStartKey: start }),
      }),
    );
    const outcomes = await mapConcurrent(page.Items ?? [], writeConcurrency, copy);
    const copied = outcomes.filter((outcome) => outcome === 'copied').length;
    soFar = { copied: soFar.copied + copied, kept: soFar.kept + outcomes.length - copied };
    onProgress(soFar);
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return soFar;
}

/** The names of the keys of a table, the partition key first. */
async function readKeys(dynamodb: CopyRowsProps['dynamodb'], TableName: string): Promise<readonly string[]> {
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
  const keys = Table?.KeySchema ?? [];
  return ['HASH', 'RANGE'].flatMap((type) => keys.find(({ KeyType }) => KeyType === type)?.AttributeName ?? []);
}
