import * as z from 'zod/mini';
import { enumWord, requestorId } from '#shared/platform/fields/fields.ts';
import type { FinalStep, OnboardingStep } from './onboarding-steps.ts';

const seconds = z.int().check(z.positive());
const hours = z.int().check(z.positive());
const days = z.int().check(z.positive());

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** The steps with a deadline. A STOPPED onboarding waits for an operator, and a final one has ended. */
type StepWithDeadline = Exclude<OnboardingStep, FinalStep | 'STOPPED'>;

/**
 * How an environment onboards. Each value has a default that the settings file may override. `docs/reference/settings.md` prints the
 * docstrings below.
 */
export const onboardingSettings = z.strictObject({
  /**
   * The natural person that Drawbridge names as the requestor when it identifies or updates a person (section 5): `self`, or the id of a person
   * with an ACTIVE proxy for each of them. Must be set in every environment but the laptop, where `self` is the default.
   */
  requestor: z._default(z.union([z.literal('self'), requestorId]), 'self'),
  /**
   * The platform's name for the provider of video identifications (section 2.5); `NONE` if no one is identified by video: requests for
   * an identification by video are refused. Must be set in every environment but the laptop.
   */
  externalVerifier: z._default(enumWord, 'EXTERNAL_VERIFIER_ID'),
  /** In seconds: the time after which a step is published as stalled. The step still waits after that. Only the search for the person of a 409 stops then. */
  deadlines: z.prefault(
    z.strictObject({
      REQUESTED: z._default(seconds, 15 * minute),
      CREATING_PERSON: z._default(seconds, 15 * minute),
      FINDING_PERSON: z._default(seconds, hour),
      AWAITING_CHECKS: z._default(seconds, 2 * day),
      CREATING_VERIFICATION: z._default(seconds, 15 * minute),
      AWAITING_REQUESTOR: z._default(seconds, day),
      AWAITING_IDENTIFICATION_URL: z._default(seconds, 15 * minute),
      AWAITING_VIDEO_CALL: z._default(seconds, 7 * day),
      SENDING_IDENTIFICATION: z._default(seconds, 15 * minute),
      AWAITING_ACTIVATION: z._default(seconds, 2 * day),
    } satisfies Record<StepWithDeadline, z.ZodMiniType>),
    {},
  ),
  /**
   * How long the platform may fail a step without a success. After that, and after the deadline of the step, the onboarding
   * stops. Until then it retries with an exponential back-off.
   */
  stopAfterHours: z._default(hours, 12),
  /** In seconds: how long a create may still take effect after it began. No second create is sent before that, nor within 20 seconds. */
  settle: z.prefault(
    z.strictObject({ person: z._default(seconds, 5), identification: z._default(seconds, minute) }),
    {},
  ),
  /** Replaces `platformProfile.verificationWords.failure`, which has the same words. The setting of release 0.2.0. */
  failureWords: z.optional(z.array(enumWord)),
  /** The age at which an open onboarding expires, and its request is deleted. A lower value does not reach an onboarding that is STOPPED already: cancel it. */
  openDays: z._default(days, 90),
  /** How long a record is kept after `openDays` have passed since the request or the latest retry. */
  retentionDays: z._default(days, 400),
});

export type OnboardingSettings = z.infer<typeof onboardingSettings>;

/** The requestor of calls about this person (section 5). */
export function requestorOf(naturalPersonId: string, { requestor }: Pick<OnboardingSettings, 'requestor'>): string {
  return requestor === 'self' ? naturalPersonId : requestor;
}
