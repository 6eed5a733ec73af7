import * as z from 'zod/mini';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import { identificationModes, onboardingReason } from './onboarding-state.ts';
import { onboardingStepWords } from './onboarding-steps.ts';

/**
 * What every event of an onboarding says. No personal data: the partner's externalId may be some, so `onboardingId` is its
 * SHA-256, in hex. Events can come twice and in any order: the one with the highest sequence is the latest.
 */
const about = {
  onboardingId: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  sequence: z.int().check(z.positive()),
  step: z.enum(onboardingStepWords),
  since: timestamp,
  mode: z.enum(identificationModes),
  naturalPersonId: z.optional(z.string()),
  identificationVerificationId: z.optional(z.string()),
  /** Only of a COMPLETED one whose identification was not seen to succeed: the platform made the person ACTIVE nevertheless. */
  isIdentificationOpen: z.optional(z.boolean()),
  reasons: z.optional(z.array(onboardingReason)),
};

const step = z.strictObject(about);

/** A field of a request, and what is wrong with it; never its value. */
export const onboardingProblem = z.strictObject({ field: z.string(), reason: z.string() });

/** The details of each `detail-type` that onboardings are published with. */
export const onboardingDetails = {
  /** The request is accepted. */
  OnboardingAccepted: step,
  /** It has come to another step. */
  OnboardingProgressed: step,
  /**
   * The person can make the video call: `GET /onboardings/{externalId}` has its `identificationUrl`. Not strict: an earlier
   * release wrote the URL into the outbox, and reading the outbox removes it.
   */
  OnboardingIdentificationReady: z.object(about),
  /** The step takes longer than it should, since `since`. */
  OnboardingStalled: step,
  /** An operator must fix the cause, and retry or cancel. */
  OnboardingStopped: step,
  /** The person is ACTIVE. */
  OnboardingCompleted: step,
  /** It has ended otherwise: `step` says how. */
  OnboardingEnded: step,
  /** An `OnboardingRequested` event was not accepted. `requestEventId` is that event's. */
  OnboardingRejected: z.strictObject({
    requestEventId: z.string(),
    onboardingId: z.optional(about.onboardingId),
    outcome: z.enum(['INVALID', 'CONFLICT', 'ENDED', 'ERASED', 'BEING_ERASED']),
    problems: z.array(onboardingProblem),
    /** The step of the onboarding that is there, and what the sender can do next. */
    step: z.optional(about.step),
    remedy: z.optional(z.string()),
  }),
} as const;

const detailTypes = {
  OnboardingAccepted: z.literal('OnboardingAccepted'),
  OnboardingProgressed: z.literal('OnboardingProgressed'),
  OnboardingIdentificationReady: z.literal('OnboardingIdentificationReady'),
  OnboardingStalled: z.literal('OnboardingStalled'),
  OnboardingStopped: z.literal('OnboardingStopped'),
  OnboardingCompleted: z.literal('OnboardingCompleted'),
  OnboardingEnded: z.literal('OnboardingEnded'),
  OnboardingRejected: z.literal('OnboardingRejected'),
} as const;

const event = <Type extends keyof typeof onboardingDetails>(type: Type) =>
  z.strictObject({ detailType: detailTypes[type], detail: onboardingDetails[type] });

/** An event of an onboarding, as it is published. */
export const onboardingEvent = z.discriminatedUnion('detailType', [
  event('OnboardingAccepted'),
  event('OnboardingProgressed'),
  event('OnboardingIdentificationReady'),
  event('OnboardingStalled'),
  event('OnboardingStopped'),
  event('OnboardingCompleted'),
  event('OnboardingEnded'),
  event('OnboardingRejected'),
]);

export type OnboardingEvent = Readonly<z.output<typeof onboardingEvent>>;

/** Puts events on the bus. Resolves once the bus has them all. */
export type PublishOnboardingEvents = (events: readonly OnboardingEvent[]) => Promise<void>;
