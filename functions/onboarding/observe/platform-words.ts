import type { Observation } from '#functions/onboarding/state-machine/observation.ts';
import { isKnownStatus } from '#shared/entities/statuses/known-status.ts';
import type { OnboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { OnboardingState, UnknownStatus } from '#shared/onboarding/onboarding-state.ts';
import { word } from '#shared/platform/fields/received.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import {
  meaningOfVerification,
  usualVerificationWords,
  type VerificationMeaning,
} from '#shared/platform/profile/verification-words.ts';

/** What the words of the platform mean for an onboarding. */
export type PlatformWords = {
  /** What a status of a verification means. */
  readonly meaningOf: (status: string) => VerificationMeaning;
  /** Whether it is known what a status of a person means. */
  readonly isKnownOfPerson: (status: string) => boolean;
};

/** A status that `platformProfile.statuses` declares is known: with it an onboarding waits, unless `verificationWords` has the status. */
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

/** The unknown status that an observation shows; that of the state where the platform has not answered. */
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
  // Anything but a word could hold personal data.
  return { kind, ...(word.safeParse(status).success && { status }) };
}
