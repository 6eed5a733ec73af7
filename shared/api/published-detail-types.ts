import { detailTypeOf, entityEvents, otherDetails } from '#shared/bus/event-details.ts';
import { onboardingDetails } from '#shared/onboarding/onboarding-event.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';

/** The detail-type of every event that Drawbridge publishes. */
export const publishedDetailTypes: readonly string[] = [
  ...entityKinds.flatMap((kind) => entityEvents.map(({ what }) => detailTypeOf(kind, what))),
  ...Object.keys(otherDetails),
  ...Object.keys(onboardingDetails),
];
