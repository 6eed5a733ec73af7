import { type AttributeValue, type DynamoDBClient, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Listed, ListingOptions } from '#shared/entities/due-entities.ts';
import { onboardingKeys } from './onboarding-keys.ts';

/** A verification that an onboarding has had and its person. */
export type OnboardingVerification = {
  readonly id: string;
  readonly naturalPersonId: string;
  /** Whether its onboarding still waits for the verification: it has not ended, and was not retried with another one. */
  readonly isOpen: boolean;
};

export type OnboardingVerifications = {
  /**
   * Lists the verifications of all onboardings, also of ended ones, in no order. Reads an index of ids, and no personal data. Recent
   * writes may be missing.
   */
  readonly list: (options: ListingOptions) => Promise<Listed<OnboardingVerification>>;
};

export function createOnboardingVerifications({
  dynamodb,
  tableName: TableName,
}: {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
}): OnboardingVerifications {
  const { person, verification, due, partition } = onboardingKeys;

  async function list({ start, most: Limit }: ListingOptions): Promise<Listed<OnboardingVerification>> {
    const ExclusiveStartKey = start && {
      [partition]: { S: start[partition] ?? '' },
      [person.partition]: { S: start[person.partition] ?? '' },
    };
    const { Items = [], LastEvaluatedKey: last } = await dynamodb.send(
      new ScanCommand({ TableName, IndexName: person.index, ExclusiveStartKey, Limit }),
    );
    const items = Items.flatMap((item) => {
      const naturalPersonId = item[person.partition]?.S ?? '';
      const former = (item['formerVerificationIds']?.SS ?? []).map((id) => ({ id, naturalPersonId, isOpen: false }));
      const id = item[verification.partition]?.S;
      return id === undefined ? former : [...former, { id, naturalPersonId, isOpen: item[due.sort] !== undefined }];
    });
    return { items, next: last && Object.fromEntries(Object.entries(last).map(([name, { S = '' }]) => [name, S])) };
  }

  return { list };
}

/** Finds onboardings by the entities of events, and by when they are due. */
export type OnboardingFinder = {
  /** The id of the onboarding of this person; undefined if there is none, or if that was just saved. */
  readonly findByPerson: (naturalPersonId: string) => Promise<string | undefined>;
  /** The same for this identification verification. */
  readonly findByVerification: (identificationVerificationId: string) => Promise<string | undefined>;
  /** The ids of all onboardings of this person; none of one that was just saved. */
  readonly listByPerson: (naturalPersonId: string) => Promise<readonly string[]>;
  /** The same for this identification verification. */
  readonly listByVerification: (identificationVerificationId: string) => Promise<readonly string[]>;
  /** Those of a shard that are due by then, the earliest first. The index lags behind the rows. */
  readonly listDue: (shard: string, options: DueOptions) => Promise<DuePage>;
};

/** Where a page of what is due ends. */
export type DuePosition = Readonly<Record<string, AttributeValue>>;

export type DueOptions = {
  readonly by: Date;
  /** On the page, at most. */
  readonly most: number;
  /** Where the page before has ended. */
  readonly start?: DuePosition | undefined;
};

export type DuePage = { readonly onboardingIds: readonly string[]; readonly next: DuePosition | undefined };

export function createOnboardingFinder({
  dynamodb,
  tableName: TableName,
}: {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
}): OnboardingFinder {
  type Index = { readonly index: string; readonly partition: string };

  function query({ index, partition }: Index, id: string, ExclusiveStartKey?: DuePosition) {
    return dynamodb.send(
      new QueryCommand({
        TableName,
        IndexName: index,
        KeyConditionExpression: '#partition = :id',
        ExpressionAttributeNames: { '#partition': partition },
        ExpressionAttributeValues: { ':id': { S: id } },
        ExclusiveStartKey,
      }),
    );
  }

  async function find(index: Index, id: string) {
    const { Items: [item] = [] } = await query(index, id);
    return item?.[onboardingKeys.partition]?.S;
  }

  async function list(index: Index, id: string): Promise<readonly string[]> {
    const found: string[] = [];
    let start: DuePosition | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await query(index, id, start);
      found.push(...Items.flatMap((item) => item[onboardingKeys.partition]?.S ?? []));
      start = LastEvaluatedKey;
    } while (start !== undefined);
    return found;
  }

  return {
    findByPerson: (naturalPersonId) => find(onboardingKeys.person, naturalPersonId),
    findByVerification: (identificationVerificationId) =>
      find(onboardingKeys.verification, identificationVerificationId),
    listByPerson: (naturalPersonId) => list(onboardingKeys.person, naturalPersonId),
    listByVerification: (identificationVerificationId) =>
      list(onboardingKeys.verification, identificationVerificationId),
    listDue: async (shard, { by, most, start: ExclusiveStartKey }) => {
      const { due } = onboardingKeys;
      const { Items = [], LastEvaluatedKey: next } = await dynamodb.send(
        new QueryCommand({
          TableName,
          IndexName: due.index,
          KeyConditionExpression: '#shard = :shard AND #dueOn <= :by',
          ExpressionAttributeNames: { '#shard': due.partition, '#dueOn': due.sort },
          ExpressionAttributeValues: { ':shard': { S: shard }, ':by': { S: by.toISOString() } },
          Limit: most,
          ExclusiveStartKey,
        }),
      );
      const ids = Items.map((item) => item[onboardingKeys.partition]?.S);
      return { onboardingIds: ids.filter((id) => id !== undefined), next };
    },
  };
}
