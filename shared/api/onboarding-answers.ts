/** What the onboarding API answers. Functions import the types alone, so that no schema is in a bundle. */
import * as z from 'zod/mini';
import { onboardingDetails } from '#shared/onboarding/onboarding-event.ts';
import { onboardingReason } from '#shared/onboarding/onboarding-state.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';

const remedy = z.optional(z.string());

/** An onboarding: what every event says of it, and more that only the caller of the API may know. */
export const onboardingAnswer = z.object({
  ...onboardingDetails.OnboardingAccepted.shape,
  acceptedOn: timestamp,
  stalledOn: z.optional(timestamp),
  identificationUrl: z.optional(z.string()),
  reasons: z.array(z.extend(onboardingReason, { remedy })),
  failing: z.optional(
    z.object({
      code: z.string(),
      since: timestamp,
      attempts: z.int().check(z.positive()),
      nextAttemptOn: z.optional(timestamp),
      remedy: z.string(),
    }),
  ),
  remedy,
});

export type OnboardingAnswer = Readonly<z.output<typeof onboardingAnswer>>;

/** An onboarding of a list. */
const listedOnboardingAnswer = z.extend(onboardingAnswer, { updatedOn: timestamp });

/** `GET /onboardings`: a page. */
export const onboardingListAnswer = z.object({
  items: z.readonly(z.array(listedOnboardingAnswer)),
  nextCursor: z.optional(z.string()),
});

export type OnboardingListAnswer = Readonly<z.output<typeof onboardingListAnswer>>;

/** `DELETE /persons/{externalId}` before the erasure is complete: each member beside `message` is a query parameter. */
export const erasureAnswer = z.object({
  message: z.string(),
  naturalPersonId: z.optional(z.string()),
  identificationVerificationId: z.optional(z.string()),
  continueFrom: z.optional(z.string()),
});

export type ErasureAnswer = Readonly<z.output<typeof erasureAnswer>>;
