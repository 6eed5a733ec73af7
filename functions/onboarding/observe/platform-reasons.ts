import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { type EntityKey, keyOfState, readState } from '#shared/entities/entity-row.ts';

/**
 * Why the platform gave a person or a verification its status: the codes that webhooks reported. An answer to a read of the platform
 * has none.
 *
 * @throws when DynamoDB did not answer
 */
export type ReadReasons = (key: EntityKey, status: string) => Promise<readonly string[]>;

export type ReadReasonsDeps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  /** The entities table. */
  readonly tableName: string;
};

export function createReadReasons({ dynamodb, tableName: TableName }: ReadReasonsDeps): ReadReasons {
  return async (key, status) => {
    const command = new GetItemCommand({ TableName, Key: keyOfState(key), ConsistentRead: true });
    const { Item } = await dynamodb.send(command);
    const row = Item && readState(Item);
    if (row === undefined || 'erasedOn' in row) return [];
    const { reasonCodes = {} } = row.known;
    // An onboarding keeps the status in capitals.
    const wanted = status.toUpperCase();
    return Object.entries(reasonCodes).find(([known]) => known.toUpperCase() === wanted)?.[1] ?? [];
  };
}
