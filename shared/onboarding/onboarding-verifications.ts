import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Listed, ListingOptions } from '#shared/entities/due-entities.ts';
import { onboardingKeys } from './onboarding-keys.ts';

/** A verification that an onboarding has had, and whose it is. */
export type OnboardingVerification = {
  readonly id: string;
  readonly naturalPersonId: string;
  /** Whether its onboarding still waits for it: not one that has ended, nor one that was retried with another. */
  readonly isOpen: boolean;
};

export type OnboardingVerifications = {
  /**
   * Those of all onboardings, of which some have ended, in no order. Reads an index of ids, and no personal data. What was
   * written a moment ago may be missing.
   */
  readonly list: (options: ListingOptions) => Promise<Listed<OnboardingVerification>>;
};

export type OnboardingVerificationsDeps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
};

export function createOnboardingVerifications({
  dynamodb,
  tableName: TableName,
}: OnboardingVerificationsDeps): OnboardingVerifications {
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
