import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import type { OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import { newOnboarding, type OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { sampleIdentification, samplePerson } from '#test/shared/platform/resources/sample-persons.ts';

const start = '2026-01-02T03:04:05.678Z';

/** An onboarding that was accepted, with all that it keeps of its request. */
export function sampleOnboarding(externalId: string, state: Partial<OnboardingState> = {}): OnboardingRow {
  const onboardingId = onboardingIdOf(externalId);
  const detail = { onboardingId, sequence: 1, step: 'REQUESTED', since: start, mode: 'supplied' } as const;
  return {
    onboardingId,
    version: 1,
    state: { ...newOnboarding('supplied', start), ...state },
    data: {
      person: { ...samplePerson, externalId },
      identification: sampleIdentification,
      redirectUrl: 'https://partner.example/done',
    },
    digests: { salt: 'salt', whole: 'a'.repeat(64), fields: { 'person.firstName': 'abcd' } },
    outbox: [{ detailType: 'OnboardingAccepted', detail }],
    expiresAt: Date.parse('2027-01-01T00:00:00Z') / 1_000,
  };
}
