import type { Queue } from '#shared/aws/queue.ts';
import type { OnboardingFinder } from '#shared/onboarding/onboarding-finder.ts';
import { writeOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';

export type WakeOnboardingDeps = {
  readonly onboardings: Pick<OnboardingFinder, 'findByPerson' | 'findByVerification'>;
  /** The onboarding queue. */
  readonly queue: Queue;
};

/**
 * Wakes the onboarding that an entity belongs to, if there is one. Whether it changed anything is not asked: an event that
 * comes again after a crash changes nothing any more, and to be woken for nothing is harmless. One that is not found yet
 * is observed in time nevertheless.
 *
 * @returns the id of the onboarding that was woken
 * @throws when DynamoDB did not answer, or SQS did not confirm
 */
export type WakeOnboarding = (entity: {
  readonly kind: EntityKind;
  readonly id: string;
}) => Promise<string | undefined>;

export function createWakeOnboarding({ onboardings, queue }: WakeOnboardingDeps): WakeOnboarding {
  const finders: Readonly<Partial<Record<EntityKind, OnboardingFinder['findByPerson']>>> = {
    'natural-person': onboardings.findByPerson,
    'identification-verification': onboardings.findByVerification,
  };
  return async ({ kind, id }) => {
    const onboardingId = await finders[kind]?.(id);
    if (onboardingId !== undefined) await queue.send(writeOnboardingMessage(onboardingId));
    return onboardingId;
  };
}
