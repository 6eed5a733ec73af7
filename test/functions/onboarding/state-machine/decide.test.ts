import { describe, expect, it } from 'vitest';
import {
  type Action,
  type Call,
  type Conditions,
  decide,
  type ReadResult,
} from '#functions/onboarding/state-machine/decide.ts';
import { type Input, transitionOf } from '#functions/onboarding/state-machine/transitions.ts';
import { newOnboarding, type OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import type { FinalStep, OnboardingStep } from '#shared/onboarding/onboarding-steps.ts';
import type { VerificationMeaning } from '#shared/platform/profile/profile.ts';

const now = '2026-01-02T03:04:05.678Z';

const meanings: Readonly<Record<string, VerificationMeaning>> = {
  APPROVED: 'success',
  FAILED: 'failure',
  PENDING: 'waiting',
};

type Given = Partial<OnboardingState> & Partial<Omit<Conditions, 'read'>>;
/** An action, and the step to which its input leads. */
type Decision = Action & { readonly to?: OnboardingStep | undefined };
type Row = readonly [read: ReadResult, given: Given, decision: Decision];

/** By default of an onboarding by video call, in time, with no call under way. */
function decideAt(step: OnboardingStep, read: ReadResult, given: Given): Decision {
  const conditions = { time: 'in time', isSettled: true, isGivenUp: false } as const;
  const meaningOf = (status: string) => meanings[status] ?? 'unknown';
  const state = { ...newOnboarding('video', now), step, ...given };
  const action = decide(state, { ...conditions, meaningOf, ...given, read });
  if (action.do === 'apply') return { ...action, to: transitionOf(step, action.input.type)?.to };
  return action.do === 'call' ? { ...action, to: transitionOf(step, action.firstInput.type)?.to } : action;
}

const wait: Decision = { do: 'wait' };
const becomes = (to: OnboardingStep, input: Input): Decision => ({ do: 'apply', input, to });
const stop = (code: string) => becomes('STOPPED', { type: 'Stopped', reason: { code } });
const stallAt = (step: OnboardingStep) => becomes(step, { type: 'Stalled' });
const expire = becomes('EXPIRED', { type: 'Expired' });
const send = (call: Call, type: Input['type'] & `${string}Intended`, to: OnboardingStep): Decision => ({
  do: 'call',
  call,
  firstInput: { type },
  to,
});
const createPerson = send('create the person', 'CreationIntended', 'CREATING_PERSON');
const createVerification = send('create the verification', 'VerificationIntended', 'CREATING_VERIFICATION');
const sendIdentification = send('send the identification', 'IdentificationIntended', 'SENDING_IDENTIFICATION');
const refuseRequestor = becomes('AWAITING_REQUESTOR', {
  type: 'RequestorNotActive',
  reason: { code: 'REQUESTOR_NOT_ACTIVE' },
});
const identified = becomes('AWAITING_ACTIVATION', { type: 'IdentificationAccepted' });
const passChecks = becomes('AWAITING_ACTIVATION', { type: 'ChecksPassed' });
const seek = becomes('CREATING_VERIFICATION', { type: 'VerificationSought' });
const complete = becomes('COMPLETED', { type: 'PersonActivated' });

const nothing: ReadResult = { of: 'NOTHING' };
const searchEnded: ReadResult = { of: 'SEARCH_ENDED' };
const personMissing: ReadResult = { of: 'PERSON_MISSING' };
const searchContinues = { of: 'SEARCH_CONTINUES', cursor: 'c', hasNamesake: true } as const;
const found = (...differing: string[]): ReadResult => ({ of: 'PERSON_FOUND', naturalPersonId: 'p', differing });
const foundVerification = { of: 'VERIFICATION_FOUND', identificationVerificationId: 'v' } as const;
const unread = (why: string, retryAfter?: number): ReadResult => ({ of: 'UNREAD', why, retryAfter });
const person = (
  status?: string,
  more: { isIdentified?: boolean; requestorStatus?: string; reasons?: readonly string[] } = {},
): ReadResult => ({
  of: 'PERSON',
  status,
  isIdentified: false,
  ...more,
});
const known = { isIdentified: true };
const active = { isPersonActive: true };
const identificationUrl = 'https://video.example/1';
const verification = (
  status?: string,
  url?: string,
  more: { isPersonActive?: boolean; reasons?: readonly string[] } = {},
): ReadResult => ({
  of: 'VERIFICATION',
  status,
  identificationUrl: url,
  ...more,
});

const late = { time: 'late' } as const;
const over = { time: 'over' } as const;
const unsettled = { isSettled: false };
const givenUp = { isGivenUp: true };
const failing = { failing: { since: now, times: 3, why: 'HTTP_503' } };
const stalled = { stalledOn: now };

/** Of a step that searches the list of persons. */
const searches = (step: OnboardingStep): readonly Row[] => [
  ...[{}, stalled].map(
    (given): Row => [found(), given, becomes('AWAITING_CHECKS', { type: 'PersonAdopted', naturalPersonId: 'p' })],
  ),
  [
    found('birthDay'),
    {},
    becomes('FAILED', {
      type: 'PersonDiffers',
      reason: { code: 'EXTERNAL_ID_OF_ANOTHER_PERSON', fields: ['birthDay'] },
    }),
  ],
  [searchContinues, {}, becomes(step, { ...searchContinues, type: 'SearchContinued' })],
  [searchContinues, late, stallAt(step)],
  [person('ACTIVE'), {}, wait],
];

const videoCall: readonly Row[] = [
  [verification('APPROVED'), {}, becomes('AWAITING_ACTIVATION', { type: 'IdentificationApproved' })],
  // The reason names the status.
  [
    verification('FAILED', identificationUrl),
    {},
    becomes('FAILED', { type: 'IdentificationFailed', reason: { code: 'IDENTIFICATION_FAILED' } }),
  ],
  [verification('PENDING'), {}, wait],
  [verification('COMPLETED'), {}, wait],
  [verification(undefined), {}, wait],
  // The platform has made the person ACTIVE: the word of the verification decides no more than whether it has ended.
  ...['PENDING', 'COMPLETED', undefined].map((status): Row => [verification(status, undefined, active), {}, complete]),
  [
    verification('FAILED', undefined, { ...active, reasons: ['NO_FACE'] }),
    {},
    becomes('COMPLETED', {
      type: 'PersonActivated',
      reason: { code: 'IDENTIFICATION_FAILED' },
      codes: ['NO_FACE'],
    }),
  ],
  [verification('APPROVED', undefined, active), {}, becomes('AWAITING_ACTIVATION', { type: 'IdentificationApproved' })],
];

const supplied = { mode: 'supplied' } as const;
const none = { mode: 'none' } as const;
const unchecked = ['RECEIVED', 'REVIEW', 'A_NEW_WORD', undefined];

/**
 * What is decided at each step. What several steps have in common follows below. An onboarding that has ended does nothing, with any
 * read: `every-path.test.ts` has what holds for every state and every read.
 */
const decisions: Readonly<Record<Exclude<OnboardingStep, FinalStep>, readonly Row[]>> = {
  REQUESTED: [
    [nothing, {}, createPerson],
    // The platform may have the person since before a restart.
    [nothing, { mustSeek: true }, becomes('CREATING_PERSON', { type: 'PersonSought' })],
  ],
  CREATING_PERSON: [
    ...searches('CREATING_PERSON'),
    // Nothing is searched for if the platform refuses a second person, or if the create was not accepted.
    [nothing, unsettled, createPerson],
    [searchEnded, unsettled, wait],
    // Else a search that began before the create settled could permit another one.
    [searchContinues, unsettled, wait],
    // A person that is found ends the doubt about the create.
    [found(), unsettled, becomes('AWAITING_CHECKS', { type: 'PersonAdopted', naturalPersonId: 'p' })],
    [searchEnded, {}, createPerson],
    // A repeated call is a wait, too. The platform has failed the call, and not the read before it.
    [nothing, late, stallAt('CREATING_PERSON')],
    [nothing, failing, createPerson],
    [nothing, givenUp, createPerson],
    [nothing, { ...failing, ...givenUp }, stop('HTTP_503')],
  ],
  FINDING_PERSON: [
    ...searches('FINDING_PERSON'),
    [searchContinues, unsettled, becomes('FINDING_PERSON', { ...searchContinues, type: 'SearchContinued' })],
    [searchEnded, {}, wait],
    [searchEnded, late, stop('CONFLICT_UNEXPLAINED')],
    [searchEnded, stalled, stop('CONFLICT_UNEXPLAINED')],
    [person('ACTIVE'), stalled, wait],
    [unread('HTTP_500'), late, stallAt('FINDING_PERSON')],
    // The body of the 409, and what the search has shown, tell what the conflict is.
    [searchEnded, { ...late, conflict: 'EXTERNAL_ID' }, stop('EXTERNAL_ID_TAKEN')],
    [searchEnded, { ...late, conflict: 'EXTERNAL_ID', hasNamesake: true }, stop('EXTERNAL_ID_TAKEN')],
    [searchEnded, { ...late, conflict: 'PERSON' }, stop('PERSON_HAS_ANOTHER_EXTERNAL_ID')],
    [searchEnded, { ...late, hasNamesake: true }, stop('PERSON_HAS_ANOTHER_EXTERNAL_ID')],
    [{ ...searchEnded, hasNamesake: true }, late, stop('PERSON_HAS_ANOTHER_EXTERNAL_ID')],
    [{ ...searchEnded, hasNamesake: false }, { ...late, hasNamesake: false }, stop('CONFLICT_UNEXPLAINED')],
  ],
  AWAITING_CHECKS: [
    ...(['video', 'supplied', 'none'] as const).flatMap((mode) =>
      unchecked.map((status): Row => [person(status, known), { mode }, wait]),
    ),
    [person('CREATED'), none, passChecks],
    [person('CREATED'), { isIdentified: true }, passChecks],
    [person('CREATED'), {}, createVerification],
    [person('PENDING'), {}, createVerification],
    // An identification that the platform has is another one than the video call.
    [person('CREATED', known), {}, createVerification],
    [person('CREATED'), { mustSeek: true }, seek],
    [person('CREATED'), supplied, sendIdentification],
    [person('CREATED'), { ...supplied, mustSeek: true }, sendIdentification],
    [person('CREATED', known), supplied, identified],
    [person('ACTIVE', known), supplied, identified],
    [person('ACTIVE', known), {}, complete],
    [person('CREATED'), unsettled, wait],
    [person('CREATED'), { ...supplied, ...unsettled }, wait],
    [personMissing, {}, wait],
    [personMissing, late, stallAt('AWAITING_CHECKS')],
    [personMissing, givenUp, stop('PERSON_NOT_FOUND')],
    [unread('HTTP_429', 9), {}, { do: 'wait', retryAfter: 9 }],
    [unread('VALIDATION_ERROR'), {}, wait],
    [unread('VALIDATION_ERROR'), givenUp, stop('REQUESTOR_NOT_ACTIVE')],
    [unread('NO_CONNECTION'), givenUp, stop('NO_CONNECTION')],
    [person('REVIEW'), givenUp, wait],
    // The failure was that of an earlier step.
    [person('CREATED'), { ...failing, ...givenUp }, createVerification],
    [person('REVIEW'), late, stallAt('AWAITING_CHECKS')],
    [person('CREATED'), late, createVerification],
    [person('REVIEW'), over, expire],
    [person('CREATED'), over, expire],
  ],
  CREATING_VERIFICATION: [
    [
      foundVerification,
      {},
      becomes('AWAITING_IDENTIFICATION_URL', { ...foundVerification, type: 'VerificationAdopted' }),
    ],
    [searchContinues, {}, becomes('CREATING_VERIFICATION', { ...searchContinues, type: 'SearchContinued' })],
    [searchContinues, over, expire],
    [searchContinues, late, stallAt('CREATING_VERIFICATION')],
    [searchContinues, unsettled, wait],
    [searchEnded, unsettled, wait],
    [searchEnded, {}, createVerification],
    [nothing, {}, wait],
    [person('CREATED'), {}, wait],
    [unread('HTTP_500'), {}, wait],
    [unread('NO_CONNECTION'), givenUp, stop('NO_CONNECTION')],
    [unread('REQUESTOR_ID_INVALID'), {}, stop('REQUESTOR_ID_INVALID')],
    [unread('REQUESTOR_ID_INVALID'), late, stop('REQUESTOR_ID_INVALID')],
    [unread('VALIDATION_ERROR'), {}, refuseRequestor],
    [unread('VALIDATION_ERROR'), { requestorWasActive: true }, stop('VALIDATION_ERROR')],
  ],
  AWAITING_REQUESTOR: [
    [person('CREATED', { requestorStatus: 'CREATED' }), {}, wait],
    [person('CREATED', { requestorStatus: 'CREATED' }), supplied, wait],
    [person('CREATED', { requestorStatus: 'ACTIVE' }), {}, seek],
    [
      person('CREATED', { requestorStatus: 'ACTIVE' }),
      supplied,
      becomes('SENDING_IDENTIFICATION', { type: 'IdentificationSought' }),
    ],
  ],
  AWAITING_IDENTIFICATION_URL: [
    ...videoCall,
    [
      verification('PENDING', identificationUrl),
      {},
      becomes('AWAITING_VIDEO_CALL', { type: 'UrlAvailable', identificationUrl }),
    ],
  ],
  // The URL is published once.
  AWAITING_VIDEO_CALL: [
    ...videoCall,
    [verification('PENDING', identificationUrl), {}, wait],
    [{ of: 'VERIFICATION_MISSING' }, givenUp, stop('VERIFICATION_NOT_FOUND')],
  ],
  SENDING_IDENTIFICATION: [
    [person('CREATED'), unsettled, wait],
    [person('CREATED'), {}, sendIdentification],
    [person('CREATED', known), {}, identified],
  ],
  AWAITING_ACTIVATION: [[person('PENDING'), {}, wait]],
  // An operator must act: nothing else ends the wait but the end of the whole time.
  STOPPED: [
    [unread('REQUESTOR_ID_INVALID'), {}, wait],
    [unread('NO_CONNECTION'), givenUp, wait],
    [nothing, late, wait],
    [personMissing, givenUp, wait],
    [nothing, over, expire],
    [person('ACTIVE'), {}, wait],
  ],
};

describe.each(Object.entries(decisions) as [OnboardingStep, readonly Row[]][])('an onboarding at %s', (step, rows) => {
  it.each(rows)('decides on %j, given %j: %j', (read, given, decision) => {
    expect(decideAt(step, read, given)).toEqual(decision);
  });
});

const ofPerson = [
  'AWAITING_CHECKS',
  'CREATING_VERIFICATION',
  'AWAITING_REQUESTOR',
  'AWAITING_IDENTIFICATION_URL',
  'AWAITING_VIDEO_CALL',
  'SENDING_IDENTIFICATION',
  'AWAITING_ACTIVATION',
] as const;

describe.each(ofPerson)('an onboarding at %s', (step) => {
  it.each([
    ['SUSPENDED', 'PersonSuspended'],
    ['BLOCKED', 'PersonBlocked'],
    ['REJECTED', 'PersonRejected'],
    ['INVALID', 'PersonInvalid'],
    ['DECEASED', 'PersonDeceased'],
  ] as const)('ends with a person that is %s', (status, type) => {
    const read = person(status, { ...known, requestorStatus: 'ACTIVE' });
    expect(decideAt(step, read, {})).toEqual(becomes(status, { type }));
    expect(decideAt(step, person(status, { reasons: ['AGE'] }), {})).toEqual(becomes(status, { type, codes: ['AGE'] }));
  });

  it.each([{}, late, over, unsettled, { mode: 'none' }, { mode: 'supplied' }, { mustSeek: true }] as const)(
    'completes with a person that is ACTIVE, given %j',
    (given) => {
      expect(decideAt(step, person('ACTIVE', { requestorStatus: 'ACTIVE' }), given)).toEqual(complete);
    },
  );

  it('waits while the platform shows nothing that the step needs', () => {
    expect(decideAt(step, { of: 'VERIFICATION_MISSING' }, {})).toEqual(wait);
    expect(decideAt(step, person('REVIEW'), unsettled)).toEqual(wait);
  });
});
