import * as z from 'zod/mini';
import { onboardingStepWords } from './onboarding-steps.ts';
import { timestamp } from './platform/timestamp.ts';

/** How the person is identified: in a video call, by what the partner supplies (section 4.2), or not at all. */
export const identificationModes = ['video', 'supplied', 'none'] as const;

export type IdentificationMode = (typeof identificationModes)[number];

/** Why an onboarding does not go on. Words of the specification or of our own, and names of fields: never a value. */
export const onboardingReason = z.object({ code: z.string(), fields: z.optional(z.array(z.string())) });

export type OnboardingReason = Readonly<z.output<typeof onboardingReason>>;

/** All that is decided by. No personal data. */
export const onboardingState = z.object({
  step: z.enum(onboardingStepWords),
  /** When it came to the step. Times are ISO 8601, UTC. */
  since: timestamp,
  acceptedOn: timestamp,
  /** When it was accepted, or taken up again after it had ended: from then on it has its time. */
  openSince: timestamp,
  mode: z.enum(identificationModes),
  naturalPersonId: z.optional(z.string()),
  identificationVerificationId: z.optional(z.string()),
  /** Persons and verifications that it had before it was retried, or begun anew: an erasure must know of them. */
  formerPersonIds: z.optional(z.array(z.string())),
  formerVerificationIds: z.optional(z.array(z.string())),
  identificationUrl: z.optional(z.string()),
  /** When the latest create was begun whose answer is not known. */
  intentOn: z.optional(timestamp),
  /** Where a search goes on that was too long for one run. */
  cursor: z.optional(z.string()),
  /** Whether the person may have a verification that we do not know of. */
  mustSeek: z.boolean(),
  /** Whether the platform has the identification. */
  isIdentified: z.boolean(),
  /** Whether the requestor was ACTIVE before the latest attempt to act for it. */
  requestorWasActive: z.boolean(),
  /** When it was published that the step takes too long. */
  stalledOn: z.optional(timestamp),
  /** How often it was looked at during this step, besides when a webhook came. */
  looks: z.int(),
  /** When it is to be looked at, at the latest; undefined when it has ended and all is published. */
  dueOn: z.optional(timestamp),
  reasons: z.array(onboardingReason),
});

export type OnboardingState = Readonly<z.output<typeof onboardingState>>;

/** An onboarding that was accepted now. */
export function newOnboarding(mode: IdentificationMode, now: string): OnboardingState {
  return {
    step: 'REQUESTED',
    since: now,
    acceptedOn: now,
    openSince: now,
    mode,
    mustSeek: false,
    isIdentified: false,
    requestorWasActive: false,
    looks: 0,
    dueOn: now,
    reasons: [],
  };
}
