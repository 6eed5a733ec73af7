import { type FinalStep, isFinalStep, type OnboardingStep } from '#shared/onboarding/onboarding-steps.ts';

/** What a request does where there is an onboarding of its externalId already. */
export type RepeatRule = {
  /**
   * The same request again. ACCEPTED: 202, and nothing changes. RESTARTED: 202, and the onboarding starts again. ENDED: 409 with
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

const restarts = { same: 'RESTARTED', different: 'RESTARTED' } as const;
const ended = { same: 'ENDED', different: 'ENDED' } as const;

const canBeLifted = (status: 'SUSPENDED' | 'BLOCKED') =>
  ({
    ...ended,
    remedy: `The person is ${status} on the platform: ask its support. Once the person is no longer ${status}, send POST /onboardings/{externalId}/retry.`,
  }) as const;

/** By the step at which an onboarding waits for an operator, or has ended. */
const rules: Readonly<Record<FinalStep | 'STOPPED', RepeatRule>> = {
  STOPPED: {
    ...underWay,
    remedy:
      'The onboarding is STOPPED: its reasons say what to fix before a retry. To request it with other data, cancel it first.',
  },
  COMPLETED: {
    ...underWay,
    remedy: 'The person became ACTIVE. To change its data, send PATCH /onboardings/{externalId}/person.',
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
    ...restarts,
    remedy:
      'The reasons say why. Send the request again, with correct data where a reason names fields: the onboarding starts again.',
  },
  CANCELED: { ...restarts, remedy: 'Send the request again: the onboarding starts again.' },
  EXPIRED: { ...restarts, remedy: 'Send the request again: the onboarding starts again.' },
};

/** What a request does to an onboarding at this step. */
export function repeatRuleAt(step: OnboardingStep): RepeatRule {
  return step === 'STOPPED' || isFinalStep(step) ? rules[step] : underWay;
}

/** What the caller can do about an onboarding that has ended; undefined while it continues. */
export function remedyAtEnd(step: OnboardingStep): string | undefined {
  return isFinalStep(step) ? rules[step].remedy : undefined;
}
