import type { ReadResult } from '#functions/onboarding/state-machine/decide.ts';
import { isKnownStatus } from '#shared/entities/statuses/entity-rules.ts';
import type { OnboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { OnboardingData, OnboardingState, UnknownStatus } from '#shared/onboarding/onboarding-state.ts';
import {
  type PlatformError,
  PlatformHttpError,
  PlatformInputError,
  PlatformNetworkError,
  PlatformTimeoutError,
  PlatformTokenError,
} from '#shared/platform/client/errors.ts';
import { word } from '#shared/platform/fields/received.ts';
import {
  meaningOfVerification,
  type PlatformProfile,
  usualVerificationWords,
  type VerificationMeaning,
} from '#shared/platform/profile/profile.ts';
import type { NaturalPerson } from '#shared/platform/resources/natural-person.ts';

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

/** The unknown status that a read shows; after a failed read, the one in the state. */
export function unknownStatusOf(
  read: ReadResult,
  { unknownStatus }: Pick<OnboardingState, 'unknownStatus'>,
  { meaningOf, isKnownOfPerson }: PlatformWords,
): UnknownStatus | undefined {
  if (read.of === 'UNREAD') return unknownStatus;
  if (read.of !== 'PERSON' && read.of !== 'VERIFICATION') return undefined;
  const { status, isStatusUnreadable = false } = read;
  const isPerson = read.of === 'PERSON';
  const kind = isPerson ? 'natural-person' : 'identification-verification';
  if (isStatusUnreadable) return { kind };
  if (status === undefined || (isPerson ? isKnownOfPerson(status) : meaningOf(status) !== 'unknown')) return undefined;
  // Any other text could hold personal data.
  return { kind, ...(word.safeParse(status).success && { status }) };
}

/** Conditions that say more than the status. */
const namedConditions: ReadonlySet<string | undefined> = new Set([
  'REQUESTOR_ID_INVALID',
  'VALIDATION_ERROR',
  'FORBIDDEN',
]);

/** The failure of the platform as a reason code: only the status and the condition of the answer. */
export function failureOf(error: PlatformError): string {
  if (error instanceof PlatformHttpError)
    return error.condition !== undefined && namedConditions.has(error.condition)
      ? error.condition
      : httpCode(error.status);
  if (error instanceof PlatformTimeoutError) return 'NO_ANSWER';
  if (error instanceof PlatformNetworkError) return 'NO_CONNECTION';
  if (error instanceof PlatformTokenError) return 'NO_TOKEN';
  return error instanceof PlatformInputError ? 'INPUT_REFUSED' : 'UNREADABLE_ANSWER';
}

export function httpCode(status: number): string {
  return `HTTP_${status}`;
}

/** The fields that distinguish two identifications of a document, if the platform shows them. */
const identifying = ['identificationDate', 'identificationDocumentType'] as const;

/**
 * Whether the platform shows the identification that the partner supplies: the same documentNumber, and no field that differs.
 * Without the number, another document of the same day would match, and the supplied one would never be sent.
 */
export function isIdentifiedBy(supplied: OnboardingData['identification'], person: NaturalPerson): boolean {
  if (supplied === undefined) return false;
  return (person.naturalPersonIdentifications ?? []).some(
    (shown) =>
      shown.documentNumber === supplied.documentNumber &&
      identifying.every((field) => typeof shown[field] !== 'string' || shown[field] === supplied[field]),
  );
}
