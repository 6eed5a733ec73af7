import { describe, expect, it } from 'vitest';
import { evolve, settledBy } from '#functions/onboarding/state-machine/evolve.ts';
import type { Input } from '#functions/onboarding/state-machine/transitions.ts';
import { newOnboarding, type OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import type { OnboardingStep } from '#shared/onboarding/onboarding-steps.ts';

const start = '2026-01-02T03:04:05.678Z';
const later = '2026-01-02T03:05:05.678Z';
const runEnd = '2026-01-02T03:07:05.678Z';

/** An onboarding that has been at a step since the start, after something has happened a minute later. */
function evolved(step: OnboardingStep, input: Input, more: Partial<OnboardingState> = {}): OnboardingState {
  return evolve({ ...newOnboarding('video', start), step, ...more }, input, later);
}

describe('an onboarding that comes to another step', () => {
  const stepData: Partial<OnboardingState> = {
    stalledOn: start,
    cursor: 'c',
    failing: { since: start, times: 3, why: 'HTTP_500' },
    conflict: 'PERSON',
    hasNamesake: true,
    looks: 7,
    isPaced: true,
    reasons: [{ code: 'A_REASON' }],
  };

  it('starts its count, is due at the end of the run, and has forgotten what concerned the step before', () => {
    const state = evolved('FINDING_PERSON', { type: 'PersonAdopted', naturalPersonId: 'p' }, stepData);
    expect(state).toEqual({
      ...newOnboarding('video', start),
      step: 'AWAITING_CHECKS',
      since: later,
      dueOn: runEnd,
      naturalPersonId: 'p',
      mustSeek: true,
    });
  });

  it('keeps all of it when it stays at the step, but is due at the end of the run and paced no longer', () => {
    const state = evolved('FINDING_PERSON', { type: 'SearchContinued', cursor: 'd' }, stepData);
    expect(state).toEqual({
      ...newOnboarding('video', start),
      ...stepData,
      step: 'FINDING_PERSON',
      cursor: 'd',
      dueOn: runEnd,
      isPaced: undefined,
    });
  });

  it('throws for what cannot happen at its step, which is a fault of the program', () => {
    expect(() => evolved('REQUESTED', { type: 'PersonActivated' })).toThrow(
      'PersonActivated cannot happen at REQUESTED.',
    );
  });
});

const reason = { code: 'A_REASON', fields: ['email'] };
const url = { identificationUrl: 'https://video.example/1' };
const noUrl = { identificationUrl: undefined };
/** A call whose outcome is not known yet. */
const sent = { intentOn: start };
const settled = { intentOn: undefined };
const unknownCreate = { hasUnknownCreate: true };
const ofAnother = { isExternalIdOfAnother: true };
const person = { naturalPersonId: 'p' };
const verification = { identificationVerificationId: 'v' };
const ids = { ...person, ...verification };
const active = { requestorWasActive: true };
const former = { formerPersonIds: ['p-0'], formerVerificationIds: ['v-0'] };
const isAgain = { openSince: later, mustSeek: true, requestorWasActive: false };
const noVerification = { identificationVerificationId: undefined, ...noUrl };

type Row = readonly [
  step: OnboardingStep,
  before: Partial<OnboardingState>,
  input: Input,
  after: Partial<OnboardingState>,
];

/** What an onboarding remembers, by what has happened. */
const remembered: Readonly<Record<string, readonly Row[]>> = {
  'a call': [
    ['REQUESTED', {}, { type: 'CreationIntended' }, { intentOn: later, isPaced: true, mustSeek: false }],
    ['AWAITING_CHECKS', {}, { type: 'IdentificationIntended' }, { intentOn: later, isPaced: true, mustSeek: false }],
    ['AWAITING_CHECKS', {}, { type: 'VerificationIntended' }, { intentOn: later, isPaced: true, mustSeek: true }],
    ['CREATING_PERSON', sent, { type: 'OutcomeUnknown' }, sent],
    // If the run crashes, the search for the result begins at the first page.
    ['CREATING_PERSON', { cursor: 'c' }, { type: 'CreationIntended' }, { cursor: undefined }],
    ['CREATING_VERIFICATION', { cursor: 'c' }, { type: 'VerificationIntended' }, { cursor: undefined }],
    // After a create whose answer never came, the next one is another one.
    ['CREATING_PERSON', {}, { type: 'CreationIntended' }, { hasUnknownCreate: undefined }],
    ['CREATING_PERSON', sent, { type: 'CreationIntended' }, unknownCreate],
    ['CREATING_PERSON', unknownCreate, { type: 'CreationIntended' }, unknownCreate],
    ['CREATING_PERSON', { ...sent, ...unknownCreate }, { type: 'CallNotTaken' }, { ...settled, ...unknownCreate }],
    ['CREATING_PERSON', unknownCreate, { type: 'Stopped', reason }, unknownCreate],
    ['CREATING_VERIFICATION', { ...sent, ...person }, { type: 'CallNotTaken' }, { ...settled, ...person }],
    ['CREATING_PERSON', {}, { type: 'ConflictMet', conflict: 'PERSON' }, { conflict: 'PERSON' }],
    ['CREATING_PERSON', {}, { type: 'CallRefused', reason }, { reasons: [reason] }],
    [
      'AWAITING_VIDEO_CALL',
      {},
      { type: 'IdentificationFailed', reason, codes: ['FORBIDDEN'] },
      { reasons: [reason, { code: 'FORBIDDEN', source: 'platform' }] },
    ],
    [
      'AWAITING_CHECKS',
      {},
      { type: 'PersonRejected', codes: ['FORBIDDEN'] },
      { reasons: [{ code: 'FORBIDDEN', source: 'platform' }] },
    ],
  ],
  'a person': [
    ['CREATING_PERSON', sent, { type: 'PersonCreated', ...person }, { ...person, ...settled, mustSeek: false }],
    ['CREATING_PERSON', sent, { type: 'PersonAdopted', ...person }, { ...person, ...settled, mustSeek: true }],
    ['CREATING_PERSON', unknownCreate, { type: 'PersonCreated', ...person }, { hasUnknownCreate: undefined }],
    ['CREATING_PERSON', unknownCreate, { type: 'PersonAdopted', ...person }, { hasUnknownCreate: undefined }],
    // Only a 409 shows that the platform has another person in place of this one.
    ['FINDING_PERSON', unknownCreate, { type: 'PersonDiffers', reason }, { ...ofAnother, hasUnknownCreate: undefined }],
    ['FAILED', ofAnother, { type: 'Restarted' }, ofAnother],
    ['CREATING_PERSON', ofAnother, { type: 'PersonCreated', ...person }, { isExternalIdOfAnother: undefined }],
    ['CREATING_PERSON', ofAnother, { type: 'PersonAdopted', ...person }, { isExternalIdOfAnother: undefined }],
    ['CREATING_PERSON', unknownCreate, { type: 'PersonDiffers', reason }, unknownCreate],
    ['CREATING_PERSON', sent, { type: 'PersonDiffers', reason }, { ...ofAnother, ...unknownCreate }],
    [
      'CREATING_PERSON',
      { hasUnknownCreate: false },
      { type: 'PersonDiffers', reason },
      { ...ofAnother, hasUnknownCreate: false },
    ],
    // A restarted onboarding may have asked for a verification just before it ended: that call settles first.
    [
      'CREATING_PERSON',
      { ...sent, mustSeek: true },
      { type: 'PersonAdopted', ...person },
      { ...person, ...sent, mustSeek: true },
    ],
  ],
  'a search': [
    ['FINDING_PERSON', {}, { type: 'SearchContinued', cursor: 'c' }, { cursor: 'c', hasNamesake: false }],
    [
      'FINDING_PERSON',
      {},
      { type: 'SearchContinued', cursor: 'c', hasNamesake: true },
      { cursor: 'c', hasNamesake: true },
    ],
    [
      'FINDING_PERSON',
      { hasNamesake: true },
      { type: 'SearchContinued', cursor: 'c', hasNamesake: false },
      { cursor: 'c', hasNamesake: true },
    ],
  ],
  // The platform has a person, by its 409, unless the search found the person: an erasure must know that.
  'the end of a search for the person of a 409': [
    ['FINDING_PERSON', {}, { type: 'Canceled' }, { step: 'CANCELED', intentOn: later }],
    ['FINDING_PERSON', {}, { type: 'Expired' }, { step: 'EXPIRED', intentOn: later }],
    ['FINDING_PERSON', {}, { type: 'Stopped', reason }, { step: 'STOPPED', intentOn: later }],
    ['STOPPED', sent, { type: 'Canceled' }, sent],
    ['FINDING_PERSON', sent, { type: 'Canceled' }, sent],
    ['FINDING_PERSON', {}, { type: 'PersonDiffers', reason }, settled],
    ['REQUESTED', {}, { type: 'Canceled' }, settled],
  ],
  'the requestor': [
    ['AWAITING_REQUESTOR', {}, { type: 'VerificationSought' }, active],
    ['AWAITING_REQUESTOR', {}, { type: 'IdentificationSought' }, active],
    ['AWAITING_CHECKS', active, { type: 'VerificationSought' }, { requestorWasActive: false }],
  ],
  'an identification': [
    ['CREATING_VERIFICATION', sent, { type: 'VerificationCreated', ...verification }, { ...verification, ...settled }],
    ['CREATING_VERIFICATION', sent, { type: 'VerificationAdopted', ...verification }, { ...verification, ...settled }],
    ['SENDING_IDENTIFICATION', sent, { type: 'IdentificationAccepted' }, { isIdentified: true, ...settled }],
  ],
  // The link is of no use once the video call is over.
  'a video call': [
    ['AWAITING_IDENTIFICATION_URL', {}, { type: 'UrlAvailable', ...url }, url],
    ['AWAITING_VIDEO_CALL', url, { type: 'Stopped', reason }, url],
    ['AWAITING_VIDEO_CALL', url, { type: 'Expired' }, noUrl],
    ['AWAITING_VIDEO_CALL', url, { type: 'IdentificationFailed', reason }, noUrl],
    ['AWAITING_VIDEO_CALL', url, { type: 'IdentificationApproved' }, { isIdentified: true, ...noUrl }],
  ],
  'a stall, and a retry of a step that waits': [
    ['AWAITING_CHECKS', {}, { type: 'Stalled' }, { stalledOn: later, since: start }],
    [
      'AWAITING_CHECKS',
      { stalledOn: start, failing: { since: start, times: 3, why: 'HTTP_500' }, looks: 9, isPaced: true },
      { type: 'Resumed' },
      { stalledOn: undefined, failing: undefined, since: later, looks: 0, openSince: start, isPaced: undefined },
    ],
  ],
  'a retry after an end': [
    [
      'FAILED',
      { ...ids, ...url, ...active, isIdentified: true },
      { type: 'Retried' },
      { step: 'AWAITING_CHECKS', ...isAgain, ...person, isIdentified: true, ...noVerification },
    ],
    ['FAILED', ids, { type: 'Retried' }, { formerPersonIds: undefined, formerVerificationIds: ['v'] }],
    ['FAILED', { ...ids, ...former }, { type: 'Retried' }, { formerVerificationIds: ['v-0', 'v'] }],
    ['FAILED', { ...ids, formerVerificationIds: ['v'] }, { type: 'Retried' }, { formerVerificationIds: ['v'] }],
    ['FAILED', former, { type: 'Retried' }, former],
  ],
  'a restart': [
    [
      'CANCELED',
      { ...ids, ...url, ...active, isIdentified: true },
      { type: 'Restarted' },
      { step: 'REQUESTED', ...isAgain, naturalPersonId: undefined, isIdentified: false, ...noVerification },
    ],
    ['CANCELED', ids, { type: 'Restarted' }, { formerPersonIds: ['p'], formerVerificationIds: ['v'] }],
    ['CANCELED', former, { type: 'Restarted' }, former],
    ['CANCELED', {}, { type: 'Restarted' }, { formerPersonIds: undefined, formerVerificationIds: undefined }],
  ],
};

describe.each(Object.entries(remembered))('an onboarding after %s', (_, rows) => {
  it.each(rows)('evolves from %s with %j, once there is %j, to %j', (step, before, input, after) => {
    const state = evolved(step, input, before);
    for (const [name, value] of Object.entries(after)) expect(state, name).toHaveProperty(name, value);
  });
});

describe('promise 6: the next call waits only where the outcome of the call before it is unknown', () => {
  it.each<[string, Partial<OnboardingState>, Input, Partial<OnboardingState>]>([
    ['a refusal is an answer', person, { type: 'Stopped', reason }, settled],
    ['a refused requestor is an answer', person, { type: 'RequestorNotActive', reason }, settled],
    ['a call of unknown outcome is none', person, { type: 'OutcomeUnknown' }, sent],
    [
      'an answer to a restarted onboarding that knows its person',
      { ...person, mustSeek: true },
      { type: 'ConflictMet' },
      settled,
    ],
    // A verification may be under way that the onboarding asked for before.
    [
      'an answer to a restarted onboarding that does not know its person yet',
      { mustSeek: true },
      { type: 'ConflictMet' },
      sent,
    ],
  ])('distinguishes a known outcome from an unknown one: %s', (_, state, input, expected) => {
    const before = { ...newOnboarding('video', start), ...sent, ...state };
    expect(settledBy(before, input)).toEqual({ ...before, ...expected });
  });
});
