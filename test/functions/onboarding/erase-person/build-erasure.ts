import { createErasePerson, type ErasePersonDeps } from '#functions/onboarding/erase-person/erase-person.ts';
import { createErasureMark } from '#functions/onboarding/erase-person/erasure-mark.ts';
import type { Event } from '#shared/events/event.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { readStoredReadBack } from '#shared/events/read-back.ts';
import { inflateBody, type WebhookDelivery } from '#shared/events/webhook-delivery.ts';
import type { OnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { namesOf, subjectOf, subjectOfAnswer } from '#shared/persons/event-subject.ts';
import { createCommitEvent } from '#shared/persons/person-index.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import type { createTestPersons } from '#test/shared/events/test-stores.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';

export type ErasureParts = Pick<ErasePersonDeps, 'now' | 'log'> & {
  readonly onboardingStore: OnboardingStore;
  readonly persons: ReturnType<typeof createTestPersons>;
  /** Says that the index has all events, unless given. */
  readonly fillPersonIndex?: ErasePersonDeps['fillPersonIndex'];
};

/** The erasure over these stores. */
export function buildErasure({ onboardingStore, persons, now, log, fillPersonIndex }: ErasureParts) {
  return createErasePerson({
    ...persons,
    onboardingStore,
    erasureMark: createErasureMark({ store: onboardingStore, now, log }),
    fillPersonIndex: fillPersonIndex ?? (async () => true),
    now,
    log,
  });
}

/** Commits a delivery, with the names that its body has. */
export function createTestCommit(eventStore: EventStore, { personIndex }: ErasureParts['persons']) {
  const commitEvent = createCommitEvent({ eventStore, personIndex, ...captureLines() });
  const profile = platformProfile.parse({});
  return (event: Event, delivery: WebhookDelivery) => {
    const body = inflateBody(delivery.deflatedBody);
    const answer = readStoredReadBack({ ...delivery, eventId: event.eventId });
    const subject = answer === undefined ? subjectOf(delivery.eventType, body, profile) : subjectOfAnswer(answer);
    return commitEvent(event, delivery, namesOf(subject, body));
  };
}
