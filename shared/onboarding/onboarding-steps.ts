/** What a step reads from the platform before it decides. */
export type ReadTarget =
  | 'nothing'
  | 'persons of the externalId'
  | 'the person'
  | 'the person and the requestor'
  | 'the person and its verifications'
  | 'the person and the verification';

/** The `detail-type` of what is published when an onboarding comes to a step. */
export type StepEvent =
  | 'OnboardingAccepted'
  | 'OnboardingProgressed'
  | 'OnboardingIdentificationReady'
  | 'OnboardingStopped'
  | 'OnboardingCompleted'
  | 'OnboardingEnded';

type Row<Step extends string = string> = {
  readonly step: Step;
  readonly meaning: string;
  readonly reads: ReadTarget;
  readonly event: StepEvent;
  /** Whether the onboarding ends with this step. */
  readonly final: boolean;
  /** Whether each attempt costs a create, or a search of a list: only the back-off repeats it, a webhook does not. */
  readonly isCostly: boolean;
};

const open = { final: false, event: 'OnboardingProgressed', isCostly: false } as const;
const costly = { ...open, isCostly: true } as const;
const final = { final: true, reads: 'nothing', event: 'OnboardingEnded', isCostly: false } as const;

/** Every step of an onboarding, in order. */
export const onboardingSteps = [
  {
    ...open,
    step: 'REQUESTED',
    reads: 'nothing',
    event: 'OnboardingAccepted',
    meaning: 'accepted; the platform does not know the person',
  },
  {
    ...costly,
    step: 'CREATING_PERSON',
    reads: 'persons of the externalId',
    meaning: 'the person is being created; the answer may have been lost',
  },
  {
    ...costly,
    step: 'FINDING_PERSON',
    reads: 'persons of the externalId',
    meaning: 'the externalId is taken: the person who has it is searched for, to be adopted',
  },
  {
    ...open,
    step: 'AWAITING_CHECKS',
    reads: 'the person',
    meaning: 'the platform checks the person (RECEIVED, REVIEW)',
  },
  {
    ...costly,
    step: 'CREATING_VERIFICATION',
    reads: 'the person and its verifications',
    meaning: 'the identification verification is being created; the answer may have been lost',
  },
  {
    ...open,
    step: 'AWAITING_REQUESTOR',
    reads: 'the person and the requestor',
    meaning: 'the platform refuses the requestor until it is ACTIVE (section 5)',
  },
  {
    ...open,
    step: 'AWAITING_IDENTIFICATION_URL',
    reads: 'the person and the verification',
    meaning: 'the verification has no identificationUrl yet',
  },
  {
    ...open,
    step: 'AWAITING_VIDEO_CALL',
    reads: 'the person and the verification',
    event: 'OnboardingIdentificationReady',
    meaning: 'the person can make the video call',
  },
  {
    ...costly,
    step: 'SENDING_IDENTIFICATION',
    reads: 'the person',
    meaning: 'the identification that the partner supplies is being sent; the answer may have been lost',
  },
  {
    ...open,
    step: 'AWAITING_ACTIVATION',
    reads: 'the person',
    meaning: 'only the platform can continue: it makes the person ACTIVE',
  },
  {
    ...open,
    step: 'STOPPED',
    reads: 'nothing',
    event: 'OnboardingStopped',
    meaning: 'an operator must fix the cause, and retry or cancel; the reasons say what',
  },
  { ...final, step: 'COMPLETED', event: 'OnboardingCompleted', meaning: 'the person is ACTIVE' },
  { ...final, step: 'SUSPENDED', meaning: 'the person is SUSPENDED' },
  { ...final, step: 'BLOCKED', meaning: 'the person is BLOCKED' },
  { ...final, step: 'REJECTED', meaning: 'the person is REJECTED' },
  { ...final, step: 'INVALID', meaning: 'the person is INVALID' },
  { ...final, step: 'DECEASED', meaning: 'the person is DECEASED' },
  { ...final, step: 'FAILED', meaning: 'it cannot continue; the reasons say why' },
  { ...final, step: 'CANCELED', meaning: 'an operator has canceled it' },
  { ...final, step: 'EXPIRED', meaning: 'it was open for longer than onboarding.openDays' },
] as const satisfies readonly [Row, ...Row[]];

export type OnboardingStep = (typeof onboardingSteps)[number]['step'];

/** Only the words, for schemas. */
export const onboardingStepWords: readonly OnboardingStep[] = onboardingSteps.map(({ step }) => step);

const rows: ReadonlyMap<OnboardingStep, Row<OnboardingStep>> = new Map(onboardingSteps.map((row) => [row.step, row]));

export function stepRow(step: OnboardingStep): Row<OnboardingStep> {
  const row = rows.get(step);
  if (row === undefined) throw new TypeError('There is no such step.');
  return row;
}

/** A step that ends an onboarding. */
export type FinalStep = Extract<(typeof onboardingSteps)[number], { final: true }>['step'];

export function isFinalStep(step: OnboardingStep): step is FinalStep {
  return stepRow(step).final;
}

/** The statuses of a person that end its onboarding, each with a step of its own name. */
export const endingStatuses = ['SUSPENDED', 'BLOCKED', 'REJECTED', 'INVALID', 'DECEASED'] as const;

export type EndingStatus = (typeof endingStatuses)[number];
