import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Observation } from '#functions/onboarding/state-machine/observation.ts';
import { type EntityKey, keyOfState, readState } from '#shared/entities/entity-row.ts';
import { isKnownStatus } from '#shared/entities/statuses/entity-rules.ts';
import type { OnboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { OnboardingState, UnknownStatus } from '#shared/onboarding/onboarding-state.ts';
import { word } from '#shared/platform/fields/received.ts';
import {
  meaningOfVerification,
  type PlatformProfile,
  usualVerificationWords,
  type VerificationMeaning,
} from '#shared/platform/profile/profile.ts';

/**
 * The reason codes of the status of a person or a verification. Only webhooks report them: a read of the platform does not show them.
 *
 * @throws when DynamoDB did not answer
 */
export type ReadReasons = (key: EntityKey, status: string) => Promise<readonly string[]>;

type ReadReasonsDeps = {
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

/** What the statuses of the platform mean for an onboarding. */
export type PlatformWords = {
  /** What a status of a verification means. */
  readonly meaningOf: (status: string) => VerificationMeaning;
  /** Whether the status of a person is known. */
  readonly isKnownOfPerson: (status: string) => boolean;
};

/** A status that `platformProfile.statuses` declares is known: an onboarding waits at it, unless `verificationWords` lists the status. */
export function platformWords(
  { verificationWords = {}, statuses }: Pick<PlatformProfile, 'verificationWords' | 'statuses'>,
  { failureWords }: Pick<OnboardingSettings, 'failureWords'>,
): PlatformWords {
  const {
    success = usualVerificationWords.success,
    failure = usualVerificationWords.failure,
    waiting = usualVerificationWords.waiting,
  } = verificationWords;
  const words = { success, failure: failureWords ?? failure, waiting };
  const declared = (statuses['identification-verification'] ?? []).map(({ status }) => status);
  return {
    meaningOf: (status) => {
      const meaning = meaningOfVerification(status, words);
      return meaning === 'unknown' && declared.includes(status) ? 'waiting' : meaning;
    },
    isKnownOfPerson: (status) => isKnownStatus('natural-person', { statuses }, status),
  };
}

/** The unknown status that an observation shows; after a failed read, the one in the state. */
export function unknownStatusOf(
  observation: Observation,
  { unknownStatus }: Pick<OnboardingState, 'unknownStatus'>,
  { meaningOf, isKnownOfPerson }: PlatformWords,
): UnknownStatus | undefined {
  if (observation.of === 'UNREAD') return unknownStatus;
  if (observation.of !== 'PERSON' && observation.of !== 'VERIFICATION') return undefined;
  const { status, isStatusUnreadable = false } = observation;
  const isPerson = observation.of === 'PERSON';
  const kind = isPerson ? 'natural-person' : 'identification-verification';
  if (isStatusUnreadable) return { kind };
  if (status === undefined || (isPerson ? isKnownOfPerson(status) : meaningOf(status) !== 'unknown')) return undefined;
  // Any other text could hold personal data.
  return { kind, ...(word.safeParse(status).success && { status }) };
}
