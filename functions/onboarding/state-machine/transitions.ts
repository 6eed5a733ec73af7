import type { ConflictSubject, OnboardingReason } from '#shared/onboarding/onboarding-state.ts';
import { type OnboardingStep, onboardingSteps } from '#shared/onboarding/onboarding-steps.ts';

/** The statuses of a person that end its onboarding, except ACTIVE. */
export type EndOfPerson = `Person${'Suspended' | 'Blocked' | 'Rejected' | 'Invalid' | 'Deceased'}`;

/**
 * An input of the state machine: what a call, a read of the platform, the clock or an operator does to an onboarding. Logs show the
 * type as `reason`.
 */
export type Input =
  /** A call is recorded, and then sent. */
  | { readonly type: 'CreationIntended' | 'VerificationIntended' | 'IdentificationIntended' }
  /** The platform may have the result of an earlier call: it is read before the next call. */
  | { readonly type: 'PersonSought' | 'VerificationSought' | 'IdentificationSought' }
  /** The outcome of a call. CallNotTaken: the call had no effect, and may be repeated. */
  | { readonly type: 'OutcomeUnknown' | 'CallNotTaken' | 'IdentificationAccepted' }
  | { readonly type: 'PersonCreated' | 'PersonAdopted'; readonly naturalPersonId: string }
  | { readonly type: 'VerificationCreated' | 'VerificationAdopted'; readonly identificationVerificationId: string }
  | { readonly type: 'ConflictMet'; readonly conflict?: ConflictSubject | undefined }
  | {
      readonly type: 'PersonDiffers' | 'CallRefused' | 'IdentificationFailed' | 'Stopped' | 'RequestorNotActive';
      readonly reason: OnboardingReason;
      /** The platform's reason codes. */
      readonly codes?: readonly string[] | undefined;
    }
  /** What a read of the platform showed. */
  | { readonly type: 'SearchContinued'; readonly cursor: string; readonly hasNamesake?: boolean | undefined }
  | { readonly type: 'UrlAvailable'; readonly identificationUrl: string }
  | { readonly type: 'ChecksPassed' | 'IdentificationApproved' }
  | { readonly type: EndOfPerson; readonly codes?: readonly string[] | undefined }
  | {
      readonly type: 'PersonActivated';
      /** Why the identification failed, if it did. */
      readonly reason?: OnboardingReason;
      readonly codes?: readonly string[] | undefined;
    }
  /** The clock, an operator, or a repeated request (`Restarted`). */
  | { readonly type: 'Stalled' | 'Expired' }
  | { readonly type: 'Canceled' | 'Resumed' | 'Retried' | 'Restarted' };

export type InputType = Input['type'];

/** A transition between two steps of an onboarding. */
export type OnboardingTransition = {
  readonly from: OnboardingStep;
  readonly on: InputType;
  readonly to: OnboardingStep;
  /** Whether the onboarding then waits until it is due; otherwise it continues immediately. */
  readonly waits: boolean;
};

type Row = readonly [on: InputType, to: OnboardingStep, waits?: 'waits'];

/** These statuses of the person end the onboarding, whatever the step waits for. */
const endsWithPerson: readonly Row[] = [
  ['PersonActivated', 'COMPLETED'],
  ['PersonSuspended', 'SUSPENDED'],
  ['PersonBlocked', 'BLOCKED'],
  ['PersonRejected', 'REJECTED'],
  ['PersonInvalid', 'INVALID'],
  ['PersonDeceased', 'DECEASED'],
];

const canStop: readonly Row[] = [['Stopped', 'STOPPED', 'waits']];

const isRefused: readonly Row[] = [['CallRefused', 'FAILED'], ...canStop];

const canContinue: readonly Row[] = [
  ['Retried', 'AWAITING_CHECKS'],
  ['Restarted', 'REQUESTED'],
];

/** The transitions of each step, besides those of every open step. */
const transitionsFrom: Readonly<Record<OnboardingStep, readonly Row[]>> = {
  REQUESTED: [
    ['CreationIntended', 'CREATING_PERSON'],
    ['PersonSought', 'CREATING_PERSON'],
  ],
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
    ...endsWithPerson,
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
    ...endsWithPerson,
    ...isRefused,
  ],
  AWAITING_REQUESTOR: [
    ['VerificationSought', 'CREATING_VERIFICATION'],
    ['IdentificationSought', 'SENDING_IDENTIFICATION'],
    // An operator's retry calls the platform again, with any status of the requestor.
    ['Retried', 'AWAITING_CHECKS'],
    ...endsWithPerson,
    ...canStop,
  ],
  AWAITING_IDENTIFICATION_URL: [
    ['UrlAvailable', 'AWAITING_VIDEO_CALL'],
    ['IdentificationApproved', 'AWAITING_ACTIVATION'],
    ['IdentificationFailed', 'FAILED'],
    ...endsWithPerson,
    ...canStop,
  ],
  AWAITING_VIDEO_CALL: [
    ['IdentificationApproved', 'AWAITING_ACTIVATION'],
    ['IdentificationFailed', 'FAILED'],
    ...endsWithPerson,
    ...canStop,
  ],
  SENDING_IDENTIFICATION: [
    ['IdentificationAccepted', 'AWAITING_ACTIVATION'],
    ['OutcomeUnknown', 'SENDING_IDENTIFICATION', 'waits'],
    ['IdentificationIntended', 'SENDING_IDENTIFICATION'],
    ['RequestorNotActive', 'AWAITING_REQUESTOR', 'waits'],
    ['CallNotTaken', 'SENDING_IDENTIFICATION', 'waits'],
    ...endsWithPerson,
    ...isRefused,
  ],
  AWAITING_ACTIVATION: [...endsWithPerson, ...canStop],
  STOPPED: canContinue,
  FAILED: canContinue,
  COMPLETED: [],
  REJECTED: [],
  INVALID: [],
  DECEASED: [],
  CANCELED: [['Restarted', 'REQUESTED']],
  EXPIRED: [['Restarted', 'REQUESTED']],
  SUSPENDED: canContinue,
  BLOCKED: canContinue,
};

/** The transitions of every step that is not final. */
function transitionsFromAnyOpen(step: OnboardingStep): readonly Row[] {
  const always: readonly Row[] = [
    ['Canceled', 'CANCELED'],
    ['Expired', 'EXPIRED'],
  ];
  if (step === 'STOPPED') return always;
  return [['Stalled', step, 'waits'], ['Resumed', step], ...always];
}

/** All transitions. */
export const onboardingTransitions: readonly OnboardingTransition[] = onboardingSteps.flatMap(
  ({ step, final: ended }) =>
    [...transitionsFrom[step], ...(ended ? [] : transitionsFromAnyOpen(step))].map(([on, to, waits]) => ({
      from: step,
      on,
      to,
      waits: waits === 'waits',
    })),
);

const byStepAndInput = new Map(onboardingTransitions.map((one) => [`${one.from} ${one.on}`, one]));

/** The transition from this step on this input; undefined if there is none. */
export function transitionOf(step: OnboardingStep, on: InputType): OnboardingTransition | undefined {
  return byStepAndInput.get(`${step} ${on}`);
}

/** Whether the step accepts this input. */
export function accepts(step: OnboardingStep, on: InputType): boolean {
  return transitionOf(step, on) !== undefined;
}

/** Whether an onboarding waits until it is due, once the step has received this input. */
export function waitsAfter(step: OnboardingStep, on: InputType): boolean {
  return transitionOf(step, on)?.waits === true;
}
