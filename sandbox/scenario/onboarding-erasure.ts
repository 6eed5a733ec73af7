import { identificationVerificationNotification } from '#sandbox/platform/persons/notifications.ts';
import type { Platform } from '#sandbox/platform/platform.ts';
import type { EventRow } from '#shared/event-row.ts';
import { onboardingIdOf } from '#shared/onboarding-keys.ts';
import type { Deeds } from './onboarding-deeds.ts';
import { personsByExternalId } from './onboarding-lives.ts';
import type { PlannedOnboarding } from './onboarding-plan.ts';
import type { ItemText } from './read-tables.ts';

/** A person that was erased here; the platform has it still. */
export type ErasedPerson = {
  readonly externalId: string;
  readonly onboardingId: string;
  /** What it was requested with, and stands in no other request. */
  readonly firstName: string;
  /** By which the platform knows it, and its verifications. */
  readonly platformIds: readonly string[];
};

/** What the platform told of erased persons once they were. @property since of its time */
export type LateWebhooks = { readonly webhooks: number; readonly since: Date };

/** Of each erased person comes one of each: the second speaks of no entity, and names the person all the same. */
const lateTypes: readonly string[] = ['NATURAL_PERSON_NOTIFICATION', 'CUSTOMER_NOTIFICATION'];

/** Has the platform tell news of each erased person, in two ways, and once more what it told of its verifications. */
export function sendLate(
  platform: Platform,
  plan: readonly PlannedOnboarding[],
  { isErased }: Pick<Deeds, 'isErased'>,
): LateWebhooks {
  const since = platform.clock.now();
  const all = personsByExternalId(platform);
  const persons = plan.flatMap(({ request: { externalId } }) =>
    isErased(externalId) ? (all.get(externalId) ?? []) : [],
  );
  for (const { naturalPersonId, externalId } of persons) {
    platform.persons.update(naturalPersonId, { maritalStatus: 'MARRIED' });
    platform.deliveries.notify('CUSTOMER_NOTIFICATION', { naturalPersonId, externalId, notificationType: 'UPDATED' });
    for (const one of platform.verifications.of(naturalPersonId))
      platform.deliveries.notify(
        'IDENTIFICATION_VERIFICATION_NOTIFICATION',
        identificationVerificationNotification(one, { notificationType: 'UPDATED' }),
      );
  }
  return { webhooks: persons.length * lateTypes.length, since };
}

/** How many late webhooks were stored, and erased at once. */
export function countErasedLate(events: readonly EventRow[], { since }: Pick<LateWebhooks, 'since'>): number {
  const isLate = ({ eventType, receivedOn, erasedOn }: EventRow) =>
    lateTypes.includes(eventType) && erasedOn !== undefined && Date.parse(receivedOn) >= since.getTime();
  return events.filter(isLate).length;
}

export function erasedPersonsOf(
  platform: Platform,
  plan: readonly PlannedOnboarding[],
  { isErased }: Pick<Deeds, 'isErased'>,
): readonly ErasedPerson[] {
  const all = personsByExternalId(platform);
  return plan
    .filter(({ request }) => isErased(request.externalId))
    .map(({ request: { externalId, person } }) => ({
      externalId,
      onboardingId: onboardingIdOf(externalId),
      firstName: person.firstName,
      platformIds: (all.get(externalId) ?? []).flatMap(({ naturalPersonId }) => [
        naturalPersonId,
        ...platform.verifications.of(naturalPersonId).map((one) => one.identificationVerificationId),
      ]),
    }));
}

/**
 * What tables hold of erased persons all the same: anything that names one, but for the records that something was erased,
 * which name it by ids of the platform or of the onboarding.
 */
export function remainsOf(items: readonly ItemText[], persons: readonly ErasedPerson[]): readonly ItemText[] {
  const personal = persons.flatMap(({ externalId, firstName }) => [externalId, firstName]);
  const ids = persons.flatMap(({ onboardingId, platformIds }) => [onboardingId, ...platformIds]);
  const holds = (text: string, words: readonly string[]) => words.some((word) => text.includes(word));
  return items.filter(({ text, isErased }) => holds(text, personal) || (!isErased && holds(text, ids)));
}
