import { createHash } from 'node:crypto';

/** The keys of the onboardings table and of its indexes: the stacks create them, the onboarding store uses them. */
export const onboardingKeys = {
  partition: 'onboardingId',
  timeToLive: 'expiresAt',
  /** Only one that was erased has it. */
  erasedOn: 'erasedOn',
  /** Holds the onboardings that are not at their end, by when they are due. */
  due: { index: 'due', partition: 'dueShard', sort: 'dueOn' },
  /** Find the onboarding that an event of the platform is about. */
  person: {
    index: 'ofPerson',
    partition: 'naturalPersonId',
    /** What its items hold besides: which verifications a person has had, and `dueOn` where the onboarding is open. */
    holds: ['identificationVerificationId', 'formerVerificationIds', 'dueOn'],
  },
  verification: { index: 'ofVerification', partition: 'identificationVerificationId' },
} as const;

/** What an onboarding is named by, everywhere but with the partner: its externalId may be personal data. SHA-256, in hex. */
export function onboardingIdOf(externalId: string): string {
  return createHash('sha256').update(externalId).digest('hex');
}

/** Every shard of the index of what is due: the first hex digit of the onboarding's id. */
export const dueShards = [...'0123456789abcdef'];
