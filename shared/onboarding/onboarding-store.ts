import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { ifConditionHolds } from '#shared/aws/dynamodb.ts';
import { type ListDeps, type ListPage, type Position, readList } from '#shared/aws/list/read-list.ts';
import { createOnboardingFinder, type OnboardingFinder } from './onboarding-finder.ts';
import { erasingLane, listLanesOf, onboardingKeys, stalledLanesOf } from './onboarding-keys.ts';
import {
  type ErasedOnboarding,
  type Erasing,
  isErased,
  type ListedOnboarding,
  type OnboardingRow,
  readListedOnboarding,
  readOnboarding,
  writeErased,
  writeOnboarding,
} from './onboarding-row.ts';
import { type OnboardingStep, onboardingStepWords } from './onboarding-steps.ts';

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

/** For a caller that reads an onboarding, decides, and saves it. */
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
    { erasingOn, erasingKeys, erasingOnboardingIds, isOfAnother }: Erasing = { isOfAnother: read?.isOfAnother },
  ): Promise<boolean> {
    const version = (read?.version ?? 0) + 1;
    const before = read !== undefined && isErased(read) ? read : erasedNow(read);
    const erased = { ...before, onboardingId, version, erasingOn, erasingKeys, erasingOnboardingIds, isOfAnother };
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

/** Which onboardings: those for which all that is given holds. Times are ISO 8601, UTC, with milliseconds, inclusive. */
export type OnboardingFilter = {
  readonly step?: OnboardingStep | undefined;
  readonly updatedFrom?: string | undefined;
  readonly updatedTo?: string | undefined;
  /** Only those that are at their step for longer than its deadline. */
  readonly isStalled?: true;
};

export type OnboardingPageRequest = {
  readonly filter: OnboardingFilter;
  readonly limit: number;
  readonly after: Position | undefined;
};

/** Lists onboardings that are neither erased nor being erased, the latest changed first. @throws `OnboardingRowError` for a row that is not ours */
export type ListOnboardings = (request: OnboardingPageRequest) => Promise<ListPage<ListedOnboarding>>;

type OnboardingListDeps = ListDeps & { readonly now: () => Date };

export function createListOnboardings({ now, ...deps }: OnboardingListDeps): ListOnboardings {
  const { listed, partition } = onboardingKeys;
  const index = { ...listed, id: partition };
  return ({ filter: { step, updatedFrom, updatedTo, isStalled }, limit, after }) => {
    const seconds = now().getTime() / 1_000;
    const steps = step === undefined ? onboardingStepWords : [step];
    return readList(deps, index, {
      lanes: isStalled ? stalledLanesOf(steps) : listLanesOf(steps),
      readRow: readListedOnboarding,
      // TTL deletes days late: an expired row counts as absent.
      isWanted: ({ expiresAt }) => expiresAt > seconds,
      from: updatedFrom,
      to: updatedTo,
      after,
      limit,
    });
  };
}

/** The erasure of a person that has begun and not ended. */
export type UnfinishedErasure = {
  readonly onboardingId: string;
  /** ISO 8601, UTC. */
  readonly erasingOn: string;
};

/** Lists the erasures that have begun and not ended, the earliest first. */
export type ListErasures = (limit: number) => Promise<readonly UnfinishedErasure[]>;

/** An erasure of release 0.2.0 is in no list until its request is repeated. */
export function createListErasures({ dynamodb, tableName: TableName, now }: OnboardingListDeps): ListErasures {
  const { listed, partition, timeToLive } = onboardingKeys;
  return async (limit) => {
    const seconds = now().getTime() / 1_000;
    const found: UnfinishedErasure[] = [];
    let start: Record<string, AttributeValue> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await dynamodb.send(
        new QueryCommand({
          TableName,
          IndexName: listed.index,
          KeyConditionExpression: '#lane = :lane',
          ExpressionAttributeNames: { '#lane': listed.partition },
          ExpressionAttributeValues: { ':lane': { S: erasingLane } },
          Limit: limit - found.length,
          ExclusiveStartKey: start,
        }),
      );
      // TTL deletes days late: an expired row counts as absent. An erased row does not expire.
      for (const { [partition]: id, [listed.sort]: on, [timeToLive]: expiresAt } of Items)
        if (expiresAt?.N === undefined || Number(expiresAt.N) > seconds)
          found.push({ onboardingId: id?.S ?? '', erasingOn: on?.S ?? '' });
      start = LastEvaluatedKey;
    } while (start !== undefined && found.length < limit);
    return found;
  };
}
