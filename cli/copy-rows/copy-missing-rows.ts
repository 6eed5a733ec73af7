import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { CliError } from '#cli/command/command-error.ts';
import { entityKeys, stateKey } from '#shared/entities/entity-row.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';

export type CopyRowsProps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  /** The restored table. */
  readonly from: string;
  /** The table that lacks rows. */
  readonly to: string;
  readonly onProgress?: (soFar: CopiedRows) => void;
};

/** How many rows were copied, how many were there already, and how many are of erased persons, and were not copied. */
export type CopiedRows = { readonly copied: number; readonly kept: number; readonly erased: number };

const writeConcurrency = 25;

type Row = Record<string, AttributeValue>;

const none: AttributeValue = { NULL: true };

/**
 * Copies each row that the target lacks. A row that the target has is newer, or the note of an erasure: it stays. The timeline of
 * an erased entity stays erased. Can be repeated after a failure.
 *
 * @throws {CliError} TABLES_DIFFER when the tables have different keys
 */
export async function copyMissingRows(props: CopyRowsProps): Promise<CopiedRows> {
  const { dynamodb, from, to, onProgress = () => undefined } = props;
  if (from === to)
    throw new CliError('TABLES_DIFFER', 'Name two different tables: a restored one, and one that lacks rows.');
  const [keys, keysOfSource] = await Promise.all([readKeys(dynamodb, to), readKeys(dynamodb, from)]);
  if (keys.join() !== keysOfSource.join())
    throw new CliError(
      'TABLES_DIFFER',
      `${from} has the keys ${keysOfSource.join(', ')} and ${to} ${keys.join(', ')}: name two of one kind.`,
    );

  const isTimeline = keys.join() === [entityKeys.partition, entityKeys.sort].join();

  /** Whether the row is of a timeline, and the target has the note of the erasure of its entity. */
  async function isOfErased({ [entityKeys.partition]: entity = none, [entityKeys.sort]: item = none }: Row) {
    if (!isTimeline || item.S === stateKey) return false;
    const Key = { [entityKeys.partition]: entity, [entityKeys.sort]: { S: stateKey } };
    const { Item: state } = await dynamodb.send(new GetItemCommand({ TableName: to, Key, ConsistentRead: true }));
    return state?.['erasedOn'] !== undefined;
  }

  async function copy(row: Row): Promise<keyof CopiedRows> {
    if (await isOfErased(row)) return 'erased';
    const outcome = await add(row);
    // The entity may have been erased meanwhile. Its erasure deletes what was there before the note, and this what came after.
    if (outcome === 'kept' || !(await isOfErased(row))) return outcome;
    const Key = Object.fromEntries(keys.map((key) => [key, row[key] ?? none]));
    await dynamodb.send(new DeleteItemCommand({ TableName: to, Key }));
    return 'erased';
  }

  async function add(Item: Row): Promise<'copied' | 'kept'> {
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

  let soFar: CopiedRows = { copied: 0, kept: 0, erased: 0 };
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
    const count = (wanted: keyof CopiedRows) => soFar[wanted] + outcomes.filter((outcome) => outcome === wanted).length;
    soFar = { copied: count('copied'), kept: count('kept'), erased: count('erased') };
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
