import { type AttributeValue, type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { ifConditionHolds } from '#shared/aws/conditional-write.ts';
import { createOnboardingFinder, type OnboardingFinder } from './onboarding-finder.ts';
import { onboardingKeys } from './onboarding-keys.ts';
import {
  type ErasedOnboarding,
  type Erasing,
  isErased,
  type OnboardingRow,
  readOnboarding,
  writeErased,
  writeOnboarding,
} from './onboarding-row.ts';

export type OnboardingStore = OnboardingFinder & {
  /** @returns false if there is one of this id already, or one that was erased */
  readonly create: (row: OnboardingRow) => Promise<boolean>;
  /** As it is now; undefined if there is none, or its time is over. */
  readonly load: (onboardingId: string) => Promise<OnboardingRow | ErasedOnboarding | undefined>;
  /** Saves the version after the one that was read. @returns false when another process has saved since */
  readonly save: (row: OnboardingRow) => Promise<boolean>;
  /**
   * Deletes all that is known of the onboarding. What stays says that it was erased, so that no late event restores it.
   *
   * @param read the row as it was read; undefined if there was none
   * @param erasing when the erasure of the person began, which goes on, and what it has found; undefined at its end
   * @returns false if the row has changed since
   */
  readonly erase: (
    onboardingId: string,
    read: OnboardingRow | ErasedOnboarding | undefined,
    erasing?: Erasing,
  ) => Promise<boolean>;
};

/** For who reads an onboarding, decides, and saves it. */
export const onboardingRetries = { maxAttempts: 3 } as const;

export function createOnboardingStore({
  dynamodb,
  tableName: TableName,
  now,
}: {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  readonly now: () => Date;
}): OnboardingStore {
  const nowInSeconds = () => Math.floor(now().getTime() / 1_000);

  async function load(onboardingId: string) {
    const Key = { [onboardingKeys.partition]: { S: onboardingId } };
    const { Item } = await dynamodb.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
    if (Item === undefined) return undefined;
    const row = readOnboarding(Item);
    // TTL deletes days late: an expired row counts as absent.
    return isErased(row) || row.expiresAt > nowInSeconds() ? row : undefined;
  }

  async function putIf(Item: Record<string, AttributeValue>, condition: string, values: Record<string, string>) {
    const command = new PutItemCommand({
      TableName,
      Item,
      ConditionExpression: condition,
      ExpressionAttributeNames: named(condition),
      ExpressionAttributeValues: Object.fromEntries(Object.entries(values).map(([name, N]) => [name, { N }])),
    });
    return (await ifConditionHolds(dynamodb.send(command))) !== undefined;
  }

  async function erase(
    onboardingId: string,
    read: OnboardingRow | ErasedOnboarding | undefined,
    { erasingOn, erasingKeys, erasingOnboardingIds }: Erasing = {},
  ): Promise<boolean> {
    const version = (read?.version ?? 0) + 1;
    const before = read !== undefined && isErased(read) ? read : erasedNow(read);
    const erased = { ...before, onboardingId, version, erasingOn, erasingKeys, erasingOnboardingIds };
    return read === undefined
      ? putIf(writeErased(erased), absent, { ':now': String(nowInSeconds()) })
      : putIf(writeErased(erased), asRead, { ':read': String(read.version) });
  }

  function erasedNow(read: OnboardingRow | undefined) {
    const { acceptedOn, step } = read?.state ?? {};
    return { erasedOn: now().toISOString(), acceptedOn, step };
  }

  return {
    ...createOnboardingFinder({ dynamodb, tableName: TableName }),
    load,
    create: (row) => putIf(writeOnboarding(row, now()), absent, { ':now': String(nowInSeconds()) }),
    save: (row) => putIf(writeOnboarding(row, now()), asRead, { ':read': String(row.version - 1) }),
    erase,
  };
}

const absent = 'attribute_not_exists(#version) OR #expiresAt <= :now';
const asRead = '#version = :read';

/** The names that a condition uses: DynamoDB refuses any other. */
function named(condition: string): Record<string, string> {
  return Object.fromEntries([...condition.matchAll(/#(\w+)/g)].map(([name, attribute = '']) => [name, attribute]));
}
