import { detailTypeOf, entityEvents, otherDetails } from '#shared/bus/event-details.ts';
import { onboardingDetails } from '#shared/onboarding/onboarding-event.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';

/** The detail-types of the bus, by their names. */
export const detailTypes: readonly string[] = [
  ...entityKinds.flatMap((kind) => entityEvents.map(({ what }) => detailTypeOf(kind, what))),
  ...Object.keys(otherDetails),
  ...Object.keys(onboardingDetails),
];
