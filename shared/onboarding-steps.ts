/** What a look at the platform is about before it is decided how to go on. */
export type LooksAt =
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
  readonly looksAt: LooksAt;
  readonly event: StepEvent;
  /** Nothing comes after it, but for what an operator does. */
  readonly final: boolean;
  /** Whether each look costs a create, or a walk over a list: it is repeated by its back-off alone, whatever wakes it. */
  readonly isCostly: boolean;
};

const open = { final: false, event: 'OnboardingProgressed', isCostly: false } as const;
const costly = { ...open, isCostly: true } as const;
const final = { final: true, looksAt: 'nothing', event: 'OnboardingEnded', isCostly: false } as const;

/** Every step of an onboarding, in the order in which they come. */
export const onboardingSteps = [
  {
    ...open,
    step: 'REQUESTED',
    looksAt: 'nothing',
    event: 'OnboardingAccepted',
    meaning: 'accepted; the platform does not know the person',
  },
  {
    ...costly,
    step: 'CREATING_PERSON',
    looksAt: 'persons of the externalId',
    meaning: 'the person is being created; the answer may have been lost',
  },
  {
    ...costly,
    step: 'FINDING_PERSON',
    looksAt: 'persons of the externalId',
    meaning: 'the externalId is taken: its person is looked for, to be adopted',
  },
  {
    ...open,
    step: 'AWAITING_CHECKS',
    looksAt: 'the person',
    meaning: 'the platform checks the person (RECEIVED, REVIEW)',
  },
  {
    ...costly,
    step: 'CREATING_VERIFICATION',
    looksAt: 'the person and its verifications',
    meaning: 'the identification verification is being created; the answer may have been lost',
  },
  {
    ...open,
    step: 'AWAITING_REQUESTOR',
    looksAt: 'the person and the requestor',
    meaning: 'the platform refuses the requestor until it is ACTIVE (section 5)',
  },
  {
    ...open,
    step: 'AWAITING_IDENTIFICATION_URL',
    looksAt: 'the person and the verification',
    meaning: 'the verification has no identificationUrl yet',
  },
  {
    ...open,
    step: 'AWAITING_VIDEO_CALL',
    looksAt: 'the person and the verification',
    event: 'OnboardingIdentificationReady',
    meaning: 'the person can make the video call',
  },
  {
    ...costly,
    step: 'SENDING_IDENTIFICATION',
    looksAt: 'the person',
    meaning: 'the identification that the partner supplies is being sent; the answer may have been lost',
  },
  {
    ...open,
    step: 'AWAITING_ACTIVATION',
    looksAt: 'the person',
    meaning: 'nothing is left to do but for the platform, which makes the person ACTIVE',
  },
  {
    ...open,
    step: 'STOPPED',
    looksAt: 'nothing',
    event: 'OnboardingStopped',
    meaning: 'somebody must put something right, and retry or cancel; the reasons say what',
  },
  { ...final, step: 'COMPLETED', event: 'OnboardingCompleted', meaning: 'the person is ACTIVE' },
  { ...final, step: 'SUSPENDED', meaning: 'the person is SUSPENDED' },
  { ...final, step: 'BLOCKED', meaning: 'the person is BLOCKED' },
  { ...final, step: 'REJECTED', meaning: 'the person is REJECTED' },
  { ...final, step: 'INVALID', meaning: 'the person is INVALID' },
  { ...final, step: 'DECEASED', meaning: 'the person is DECEASED' },
  { ...final, step: 'FAILED', meaning: 'it cannot go on; the reasons say why' },
  { ...final, step: 'CANCELED', meaning: 'an operator has canceled it' },
  { ...final, step: 'EXPIRED', meaning: 'its time was over before it came to an end' },
] as const satisfies readonly [Row, ...Row[]];

export type OnboardingStep = (typeof onboardingSteps)[number]['step'];

const [first, ...others] = onboardingSteps.map(({ step }) => step);

/** The words alone, for schemas. */
export const onboardingStepWords: readonly [OnboardingStep, ...OnboardingStep[]] = [first ?? 'REQUESTED', ...others];

const rows: ReadonlyMap<OnboardingStep, Row<OnboardingStep>> = new Map(onboardingSteps.map((row) => [row.step, row]));

export function stepRow(step: OnboardingStep): Row<OnboardingStep> {
  const row = rows.get(step);
  if (row === undefined) throw new TypeError('There is no such step.');
  return row;
}

/** The statuses of a person that end its onboarding, each with a step of its own name. */
export const endingStatuses = ['SUSPENDED', 'BLOCKED', 'REJECTED', 'INVALID', 'DECEASED'] as const;

export type EndingStatus = (typeof endingStatuses)[number];

/** What happens in an onboarding. */
export type OnboardingEventType =
  | 'CreationIntended'
  | 'PersonCreated'
  | 'PersonAdopted'
  | 'PersonDiffers'
  | 'ConflictMet'
  | 'SearchContinued'
  | 'OutcomeUnknown'
  | 'CallNotTaken'
  | 'CallRefused'
  | 'RequestorNotActive'
  | 'VerificationSought'
  | 'VerificationIntended'
  | 'VerificationCreated'
  | 'VerificationAdopted'
  | 'UrlAvailable'
  | 'IdentificationSought'
  | 'IdentificationIntended'
  | 'IdentificationAccepted'
  | 'IdentificationApproved'
  | 'IdentificationFailed'
  | 'ChecksPassed'
  | 'PersonActivated'
  | `Person${'Suspended' | 'Blocked' | 'Rejected' | 'Invalid' | 'Deceased'}`
  | 'Stopped'
  | 'Stalled'
  | 'Expired'
  | 'Canceled'
  | 'Resumed'
  | 'Retried'
  | 'Restarted';

/** How an onboarding gets from a step to another. */
export type OnboardingTransition = {
  readonly from: OnboardingStep;
  readonly on: OnboardingEventType;
  readonly to: OnboardingStep;
  /** Whether it then waits to be woken; otherwise it goes on at once. */
  readonly waits: boolean;
};

type Way = readonly [on: OnboardingEventType, to: OnboardingStep, waits?: 'waits'];

const endsWithThePerson: readonly Way[] = [
  ['PersonSuspended', 'SUSPENDED'],
  ['PersonBlocked', 'BLOCKED'],
  ['PersonRejected', 'REJECTED'],
  ['PersonInvalid', 'INVALID'],
  ['PersonDeceased', 'DECEASED'],
];
const canStop: readonly Way[] = [['Stopped', 'STOPPED', 'waits']];
const isRefused: readonly Way[] = [['CallRefused', 'FAILED'], ...canStop];

/** Where it goes from each step, besides what can happen to it wherever it is. */
const ways: Readonly<Partial<Record<OnboardingStep, readonly Way[]>>> = {
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
    // An operator's retry calls the platform again, whatever status the requestor has.
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
  AWAITING_ACTIVATION: [['PersonActivated', 'COMPLETED'], ...endsWithThePerson, ...canStop],
  STOPPED: [
    ['Retried', 'AWAITING_CHECKS'],
    ['Restarted', 'REQUESTED'],
  ],
  FAILED: [
    ['Retried', 'AWAITING_CHECKS'],
    ['Restarted', 'REQUESTED'],
  ],
  CANCELED: [['Restarted', 'REQUESTED']],
  EXPIRED: [['Restarted', 'REQUESTED']],
  SUSPENDED: [['Retried', 'AWAITING_CHECKS']],
  BLOCKED: [['Retried', 'AWAITING_CHECKS']],
};

/** What can happen at every step that is not final. */
function waysOfOpen(step: OnboardingStep): readonly Way[] {
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
    [...(ways[step] ?? []), ...(ended ? [] : waysOfOpen(step))].map(([on, to, waits]) => ({
      from: step,
      on,
      to,
      waits: waits !== undefined,
    })),
);
