/** What the onboarding API answers. Functions import only the types, so that no schema is in a bundle. */
import * as z from 'zod/mini';
import { entityKey } from '#shared/entities/entity-row.ts';
import { onboardingDetails } from '#shared/onboarding/onboarding-event.ts';
import { onboardingReason, unknownStatus } from '#shared/onboarding/onboarding-state.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';

const remedy = z.optional(z.string());

/** An onboarding: what every event says of it, and more that only the caller of the API may know. */
export const onboardingAnswer = z.object({
  ...onboardingDetails.OnboardingAccepted.shape,
  acceptedOn: timestamp,
  stalledOn: z.optional(timestamp),
  identificationUrl: z.optional(z.string()),
  reasons: z.array(z.extend(onboardingReason, { remedy })),
  /** What the platform shows and no setting explains. */
  unknownStatus: z.optional(z.extend(unknownStatus, { remedy: z.string() })),
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

/** `GET /onboardings/{externalId}/progress`: all but the link of the video call, with which anyone can take the call in place of the person. */
export const onboardingProgressAnswer = z.extend(z.omit(onboardingAnswer, { identificationUrl: true }), {
  hasIdentificationUrl: z.boolean(),
});

export type OnboardingProgressAnswer = Readonly<z.output<typeof onboardingProgressAnswer>>;

/** An onboarding of a list. */
export const listedOnboardingAnswer = z.extend(onboardingProgressAnswer, { updatedOn: timestamp });

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
  onboardingId: z.optional(z.string()),
  /** Never there: callers of 0.2.0 send it back. */
  continueFrom: z.optional(z.string()),
});

export type ErasureAnswer = Readonly<z.output<typeof erasureAnswer>>;

const ids = z.readonly(z.array(z.string()));

/** What an onboarding still holds of its request. Personal data. */
const heldRequest = z.object({
  onboardingId: z.string(),
  person: z.optional(z.unknown()),
  identification: z.optional(z.unknown()),
  redirectUrl: z.optional(z.string()),
});

/** `GET /persons/{externalId}`: what is stored of a person. No personal data but in `requests`. */
export const personAnswer = z.object({
  onboardingId: z.string(),
  /** Its step, or ERASED; absent if there is none. */
  onboarding: z.optional(z.string()),
  naturalPersonIds: ids,
  identificationVerificationIds: ids,
  /** The events that an erasure removes. */
  events: z.readonly(z.array(z.object({ eventId: z.string(), eventType: z.string() }))),
  /** The events that name the person and that an erasure keeps, with the entity of each that speaks of one. */
  kept: z.readonly(
    z.array(
      z.object({
        eventId: z.string(),
        eventType: z.string(),
        entity: z.optional(entityKey),
      }),
    ),
  ),
  /** What gives an id of the request to another externalId, or to another person. */
  others: z.object({ onboardingIds: ids, naturalPersonIds: ids }),
  /** With the query parameter `request=include`. */
  requests: z.optional(z.readonly(z.array(heldRequest))),
  /** Whether the index has every event of an earlier release. Else send the request again. */
  isIndexed: z.boolean(),
  /** Whether all is listed. Else there are more events than one request can read, or one answer can list. */
  isComplete: z.boolean(),
});

export type PersonAnswer = Readonly<z.output<typeof personAnswer>>;
