import { type OnboardingStep, stepRow } from '#shared/onboarding-steps.ts';

/** What a request does where there is an onboarding of its externalId already. */
export type RepeatRule = {
  /**
   * The same request again. ACCEPTED: 202, and nothing changes. RESTARTED: 202, and the onboarding begins anew. ENDED: 409 with
   * the remedy.
   */
  readonly same: 'ACCEPTED' | 'RESTARTED' | 'ENDED';
  /** A request with other data. CONFLICT: 409 with the fields that differ. The others are as above. */
  readonly different: 'CONFLICT' | 'RESTARTED' | 'ENDED';
  /** What the caller can do next. */
  readonly remedy: string;
};

const underWay = {
  same: 'ACCEPTED',
  different: 'CONFLICT',
  remedy: 'The onboarding is under way. To request it with other data, cancel it first.',
} as const;

const beginsAnew = { same: 'RESTARTED', different: 'RESTARTED' } as const;
const ended = { same: 'ENDED', different: 'ENDED' } as const;

const canBeLifted = (status: 'SUSPENDED' | 'BLOCKED') =>
  ({
    ...ended,
    remedy: `The person is ${status} on the platform: ask its support. Once the person is no longer ${status}, send POST /onboardings/{externalId}/retry.`,
  }) as const;

/** By the step of the onboarding. */
export const repeatRules: Readonly<Record<OnboardingStep, RepeatRule>> = {
  REQUESTED: underWay,
  CREATING_PERSON: underWay,
  FINDING_PERSON: underWay,
  AWAITING_CHECKS: underWay,
  CREATING_VERIFICATION: underWay,
  AWAITING_REQUESTOR: underWay,
  AWAITING_IDENTIFICATION_URL: underWay,
  AWAITING_VIDEO_CALL: underWay,
  SENDING_IDENTIFICATION: underWay,
  AWAITING_ACTIVATION: underWay,
  STOPPED: {
    ...underWay,
    remedy:
      'The onboarding is STOPPED: its reasons say what to fix before a retry. To request it with other data, cancel it first.',
  },
  COMPLETED: {
    ...underWay,
    remedy: 'The person is ACTIVE. To change its data, send PATCH /onboardings/{externalId}/person.',
  },
  SUSPENDED: canBeLifted('SUSPENDED'),
  BLOCKED: canBeLifted('BLOCKED'),
  REJECTED: {
    ...ended,
    remedy:
      'The platform rejected the person, and the externalId stays used: ask its support. A new attempt needs another externalId.',
  },
  INVALID: {
    ...ended,
    remedy:
      'The platform found the data of the person invalid, and the externalId stays used. Request the onboarding with correct data under another externalId.',
  },
  DECEASED: { ...ended, remedy: 'The person is deceased: nothing is left to do.' },
  FAILED: {
    ...beginsAnew,
    remedy:
      'The reasons say why. Send the request again, with correct data where a reason names fields: the onboarding begins anew.',
  },
  CANCELED: { ...beginsAnew, remedy: 'Send the request again: the onboarding begins anew.' },
  EXPIRED: { ...beginsAnew, remedy: 'Send the request again: the onboarding begins anew.' },
};

/** What the caller can do about an onboarding that has ended; undefined where it goes on. */
export function remedyAtEnd(step: OnboardingStep): string | undefined {
  return stepRow(step).final ? repeatRules[step].remedy : undefined;
}
