import type { Observation } from '#functions/onboarding/state-machine/observation.ts';
import type { OnboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { OnboardingState, UnknownStatus } from '#shared/onboarding/onboarding-state.ts';
import { isKnownWord } from '#shared/platform/fields/open-enum.ts';
import { word } from '#shared/platform/fields/word.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import {
  meaningOfVerification,
  usualVerificationWords,
  type VerificationMeaning,
} from '#shared/platform/profile/verification-words.ts';
import { naturalPersonStatusWords } from '#shared/platform/resources/natural-person.ts';

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
  const declared = (kind: keyof typeof statuses) => (statuses[kind] ?? []).map(({ status }) => status);
  const {
    success = usualVerificationWords.success,
    failure = usualVerificationWords.failure,
    waiting = usualVerificationWords.waiting,
  } = verificationWords;
  const words = { success, failure: failureWords ?? failure, waiting };
  const [ofPersons, ofVerifications] = [declared('natural-person'), declared('identification-verification')];
  return {
    meaningOf: (status) => {
      const meaning = meaningOfVerification(status, words);
      return meaning === 'unknown' && ofVerifications.includes(status) ? 'waiting' : meaning;
    },
    isKnownOfPerson: (status) => isKnownWord(naturalPersonStatusWords, status) || ofPersons.includes(status),
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
  const { status } = observation;
  const isPerson = observation.of === 'PERSON';
  if (status === undefined || (isPerson ? isKnownOfPerson(status) : meaningOf(status) !== 'unknown')) return undefined;
  const kind = isPerson ? 'natural-person' : 'identification-verification';
  // Anything but a word could hold personal data.
  return { kind, ...(word.safeParse(status).success && { status }) };
}
