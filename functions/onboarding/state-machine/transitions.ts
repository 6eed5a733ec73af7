import { type OnboardingStep, onboardingSteps } from '#shared/onboarding/onboarding-steps.ts';
import type { OnboardingEventType } from './onboarding-event-type.ts';

/** How an onboarding gets from a step to another. */
export type OnboardingTransition = {
  readonly from: OnboardingStep;
  readonly on: OnboardingEventType;
  readonly to: OnboardingStep;
  /** Whether it then waits to be woken; otherwise it continues immediately. */
  readonly waits: boolean;
};

type Way = readonly [on: OnboardingEventType, to: OnboardingStep, waits?: 'waits'];

/** What the platform makes of the person ends the onboarding, regardless of what the step waits for. */
const endsWithThePerson: readonly Way[] = [
  ['PersonActivated', 'COMPLETED'],
  ['PersonSuspended', 'SUSPENDED'],
  ['PersonBlocked', 'BLOCKED'],
  ['PersonRejected', 'REJECTED'],
  ['PersonInvalid', 'INVALID'],
  ['PersonDeceased', 'DECEASED'],
];

const canStop: readonly Way[] = [['Stopped', 'STOPPED', 'waits']];

const isRefused: readonly Way[] = [['CallRefused', 'FAILED'], ...canStop];

/** The transitions of each step, besides those that every open step has. */
const transitionsFrom: Readonly<Record<OnboardingStep, readonly Way[]>> = {
  REQUESTED: [['CreationIntended', 'CREATING_PERSON']],
  CREATING_PERSON: [
    ['PersonCreated', 'AWAITING_CHECKS'],
    ['PersonAdopted', 'AWAITING_CHECKS'],
    ['PersonDiffers', 'FAILED'],
    ['ConflictMet', 'FINDING_PERSON'],
    ['OutcomeUnknown', 'CREATING_PERSON', 'waits'],
    ['SearchContinued', 'CREATING_PERSON', 'waits'],
    ['CreationIntended', 'CREATING_PERSON'],
    ['CallNotTaken', 'CREATING_PERSON', 'waits'],
    ...isRefused,
  ],
  FINDING_PERSON: [
    ['PersonAdopted', 'AWAITING_CHECKS'],
    ['PersonDiffers', 'FAILED'],
    ['SearchContinued', 'FINDING_PERSON', 'waits'],
    ...canStop,
  ],
  AWAITING_CHECKS: [
    ['VerificationIntended', 'CREATING_VERIFICATION'],
    ['VerificationSought', 'CREATING_VERIFICATION'],
    ['IdentificationIntended', 'SENDING_IDENTIFICATION'],
    ['IdentificationAccepted', 'AWAITING_ACTIVATION'],
    ['ChecksPassed', 'AWAITING_ACTIVATION'],
    ...endsWithThePerson,
    ...canStop,
  ],
  CREATING_VERIFICATION: [
    ['VerificationCreated', 'AWAITING_IDENTIFICATION_URL'],
    ['VerificationAdopted', 'AWAITING_IDENTIFICATION_URL'],
    ['OutcomeUnknown', 'CREATING_VERIFICATION', 'waits'],
    ['SearchContinued', 'CREATING_VERIFICATION', 'waits'],
    ['VerificationIntended', 'CREATING_VERIFICATION'],
    ['RequestorNotActive', 'AWAITING_REQUESTOR', 'waits'],
    ['CallNotTaken', 'CREATING_VERIFICATION', 'waits'],
    ...endsWithThePerson,
    ...isRefused,
  ],
  AWAITING_REQUESTOR: [
    ['VerificationSought', 'CREATING_VERIFICATION'],
    ['IdentificationSought', 'SENDING_IDENTIFICATION'],
    // An operator's retry calls the platform again, with any status of the requestor.
    ['Retried', 'AWAITING_CHECKS'],
    ...endsWithThePerson,
    ...canStop,
  ],
  AWAITING_IDENTIFICATION_URL: [
    ['UrlAvailable', 'AWAITING_VIDEO_CALL'],
    ['IdentificationApproved', 'AWAITING_ACTIVATION'],
    ['IdentificationFailed', 'FAILED'],
    ...endsWithThePerson,
    ...canStop,
  ],
  AWAITING_VIDEO_CALL: [
    ['IdentificationApproved', 'AWAITING_ACTIVATION'],
    ['IdentificationFailed', 'FAILED'],
    ...endsWithThePerson,
    ...canStop,
  ],
  SENDING_IDENTIFICATION: [
    ['IdentificationAccepted', 'AWAITING_ACTIVATION'],
    ['OutcomeUnknown', 'SENDING_IDENTIFICATION', 'waits'],
    ['IdentificationIntended', 'SENDING_IDENTIFICATION'],
    ['RequestorNotActive', 'AWAITING_REQUESTOR', 'waits'],
    ['CallNotTaken', 'SENDING_IDENTIFICATION', 'waits'],
    ...endsWithThePerson,
    ...isRefused,
  ],
  AWAITING_ACTIVATION: [...endsWithThePerson, ...canStop],
  STOPPED: [
    ['Retried', 'AWAITING_CHECKS'],
    ['Restarted', 'REQUESTED'],
  ],
  FAILED: [
    ['Retried', 'AWAITING_CHECKS'],
    ['Restarted', 'REQUESTED'],
  ],
  COMPLETED: [],
  REJECTED: [],
  INVALID: [],
  DECEASED: [],
  CANCELED: [['Restarted', 'REQUESTED']],
  EXPIRED: [['Restarted', 'REQUESTED']],
  SUSPENDED: [['Retried', 'AWAITING_CHECKS']],
  BLOCKED: [['Retried', 'AWAITING_CHECKS']],
};

/** The transitions that every step has which is not final. */
function transitionsFromAnyOpen(step: OnboardingStep): readonly Way[] {
  const always: readonly Way[] = [
    ['Canceled', 'CANCELED'],
    ['Expired', 'EXPIRED'],
  ];
  if (step === 'STOPPED') return always;
  return [['Stalled', step, 'waits'], ['Resumed', step], ...always];
}

/** Every transition there is. */
export const onboardingTransitions: readonly OnboardingTransition[] = onboardingSteps.flatMap(
  ({ step, final: ended }) =>
    [...transitionsFrom[step], ...(ended ? [] : transitionsFromAnyOpen(step))].map(([on, to, waits]) => ({
      from: step,
      on,
      to,
      waits: waits === 'waits',
    })),
);

const byStepAndEvent = new Map(onboardingTransitions.map((one) => [`${one.from} ${one.on}`, one]));

/** The transition from this step on this event; undefined where there is none. */
export function transitionOf(step: OnboardingStep, on: OnboardingEventType): OnboardingTransition | undefined {
  return byStepAndEvent.get(`${step} ${on}`);
}

/** Whether this can happen at this step. */
export function canHappen(step: OnboardingStep, on: OnboardingEventType): boolean {
  return transitionOf(step, on) !== undefined;
}

/** Whether an onboarding waits to be woken, once this has happened at this step. */
export function waitsAfter(step: OnboardingStep, on: OnboardingEventType): boolean {
  return transitionOf(step, on)?.waits === true;
}
