import type { EntityKind } from '#shared/platform/profile/event-place.ts';

/** What the bus calls an entity of each kind. */
const nouns = {
  'natural-person': 'NaturalPerson',
  'identification-verification': 'IdentificationVerification',
  order: 'Order',
  transfer: 'Transfer',
} as const satisfies Record<EntityKind, string>;

/** What is published about an entity of every kind. `entityEvents` of `event-details.ts` has the details. */
export type EntityHappening = 'StatusChanged' | 'Updated' | 'ValidationFailed';

export type EntityDetailType = `${(typeof nouns)[EntityKind]}${EntityHappening}`;

/** What is published beside that, onboardings aside. `otherEvents` of `event-details.ts` has the details. */
export type OtherDetailType = 'DriftRepaired' | 'EventReceived' | 'EventQuarantined';

/** Requests an onboarding. Your systems publish it, with a whole person in it: no archive and no queue of ours may keep it. */
export const requestDetailType = 'OnboardingRequested';

/** What an event about an entity is called, such as `OrderStatusChanged`. */
export function detailTypeOf(kind: EntityKind, what: EntityHappening): EntityDetailType {
  return `${nouns[kind]}${what}`;
}
