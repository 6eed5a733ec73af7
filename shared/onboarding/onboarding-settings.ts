import * as z from 'zod/mini';
import { enumWord, requestorId } from '#shared/platform/fields/fields.ts';
import type { FinalStep, OnboardingStep } from './onboarding-steps.ts';

const seconds = z.int().check(z.positive());
const hours = z.int().check(z.positive());
const days = z.int().check(z.positive());

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Of all others nothing is awaited: a STOPPED onboarding waits for an operator, a final one has ended. */
type StepWithDeadline = Exclude<OnboardingStep, FinalStep | 'STOPPED'>;

/** How an environment onboards. Each value has a default that cdk.json may override. */
export const onboardingSettings = z.strictObject({
  /**
   * On whose behalf persons are identified and updated (section 5): the person itself, or the id of a person that has an
   * ACTIVE proxy for each of them.
   */
  requestor: z._default(z.union([z.literal('self'), requestorId]), 'self'),
  /** The only vendor that the platform supports (section 2.5). */
  externalVerifier: z._default(enumWord, 'EXTERNAL_VERIFIER_ID'),
  /** In seconds: how long a step may take until it is published as stalled. A step that waits keeps waiting after that. */
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
   * In hours: how long the platform may fail a step without a break. After that, and after the deadline of the step, the
   * onboarding is STOPPED. Until then it is tried again ever more seldom.
   */
  stopAfterHours: z._default(hours, 12),
  /**
   * In seconds: how long after a create was begun it may still take effect, although its answer was lost. None is sent
   * again before. Short for persons, of whom the platform takes no second one.
   */
  settle: z.prefault(
    z.strictObject({ person: z._default(seconds, 5), identification: z._default(seconds, minute) }),
    {},
  ),
  /**
   * Words that, as a part of a verification's status, say that it failed (section 3.2: not shown). Any other unknown
   * status is waited out, until the step stalls.
   */
  failureWords: z._default(z.array(enumWord), [
    'FAILED',
    'FAILURE',
    'REJECTED',
    'DECLINED',
    'DENIED',
    'REFUSED',
    'INVALID',
    'ERROR',
    'ABORTED',
    'CANCELED',
    'CANCELLED',
    'EXPIRED',
    'UNSUCCESSFUL',
    'TERMINATED',
    'FRAUD',
  ]),
  /** In days from when it was accepted: an onboarding that has not ended by then is EXPIRED, and its request deleted. */
  openDays: z._default(days, 90),
  /** In days after that: how long its record is kept, which holds no personal data by then. */
  retentionDays: z._default(days, 400),
});

export type OnboardingSettings = z.infer<typeof onboardingSettings>;
