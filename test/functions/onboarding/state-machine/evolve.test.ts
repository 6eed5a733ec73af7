import { describe, expect, it } from 'vitest';
import { endOfRun, evolve } from '#functions/onboarding/state-machine/evolve.ts';
import type { Occurrence } from '#functions/onboarding/state-machine/occurrence.ts';
import { newOnboarding, type OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import type { OnboardingStep } from '#shared/onboarding/onboarding-steps.ts';

const start = '2026-01-02T03:04:05.678Z';
const later = '2026-01-02T03:05:05.678Z';
const runEnd = '2026-01-02T03:07:05.678Z';

/** An onboarding that has been at a step since the start, and what happens to it a minute later. */
function evolved(step: OnboardingStep, occurrence: Occurrence, more: Partial<OnboardingState> = {}): OnboardingState {
  return evolve({ ...newOnboarding('video', start), step, ...more }, occurrence, later);
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

  it('keeps the link to the video call until it ends', () => {
    const withLink = { identificationUrl: 'https://video.example/1' };
    expect(evolved('AWAITING_VIDEO_CALL', { type: 'Stopped', reason: { code: 'A_REASON' } }, withLink)).toMatchObject(
      withLink,
    );
    expect(evolved('AWAITING_VIDEO_CALL', { type: 'Expired' }, withLink).identificationUrl).toBeUndefined();
    const failed = { type: 'IdentificationFailed', reason: { code: 'A_REASON' } } as const;
    expect(evolved('AWAITING_VIDEO_CALL', failed, withLink).identificationUrl).toBeUndefined();
    expect(
      evolved('AWAITING_VIDEO_CALL', { type: 'IdentificationApproved' }, withLink).identificationUrl,
    ).toBeUndefined();
  });

  it('has the reason of what brought it there', () => {
    const reason = { code: 'INPUT_REFUSED', fields: ['email'] };
    expect(evolved('CREATING_PERSON', { type: 'CallRefused', reason }).reasons).toEqual([reason]);
  });
});

describe('an onboarding remembers', () => {
  const intent = { intentOn: start };

  it.each<[string, OnboardingStep, Occurrence, Partial<OnboardingState>, Partial<OnboardingState>]>([
    [
      'when a create was begun, and that the run is at work',
      'REQUESTED',
      { type: 'CreationIntended' },
      {},
      { intentOn: later, isPaced: true, mustSeek: false },
    ],
    [
      'when an identification was begun',
      'AWAITING_CHECKS',
      { type: 'IdentificationIntended' },
      {},
      { intentOn: later, isPaced: true, mustSeek: false },
    ],
    [
      'that a verification may be there, once one was asked for',
      'AWAITING_CHECKS',
      { type: 'VerificationIntended' },
      {},
      { intentOn: later, isPaced: true, mustSeek: true },
    ],
    [
      'nothing of a call that was not taken, and its person',
      'CREATING_VERIFICATION',
      { type: 'CallNotTaken' },
      { ...intent, naturalPersonId: 'p' },
      { intentOn: undefined, naturalPersonId: 'p' },
    ],
    ['a call whose outcome is unknown', 'CREATING_PERSON', { type: 'OutcomeUnknown' }, intent, intent],
    [
      'that the platform has a person whom a canceled search did not find',
      'FINDING_PERSON',
      { type: 'Canceled' },
      {},
      { step: 'CANCELED', intentOn: later },
    ],
    ['what a 409 is about', 'CREATING_PERSON', { type: 'ConflictMet', conflict: 'PERSON' }, {}, { conflict: 'PERSON' }],
    [
      'a person that was created, and that nothing is under way',
      'CREATING_PERSON',
      { type: 'PersonCreated', naturalPersonId: 'p' },
      intent,
      { naturalPersonId: 'p', intentOn: undefined, mustSeek: false },
    ],
    [
      'of a person that was adopted, that a verification may be there',
      'CREATING_PERSON',
      { type: 'PersonAdopted', naturalPersonId: 'p' },
      intent,
      { naturalPersonId: 'p', intentOn: undefined, mustSeek: true },
    ],
    [
      'of a person that was adopted again, that a verification may be under way',
      'CREATING_PERSON',
      { type: 'PersonAdopted', naturalPersonId: 'p' },
      { ...intent, mustSeek: true },
      { naturalPersonId: 'p', intentOn: start, mustSeek: true },
    ],
    [
      'a namesake that a search has shown',
      'FINDING_PERSON',
      { type: 'SearchContinued', cursor: 'c', hasNamesake: true },
      {},
      { cursor: 'c', hasNamesake: true },
    ],
    [
      'a namesake that an earlier page of the search has shown',
      'FINDING_PERSON',
      { type: 'SearchContinued', cursor: 'c', hasNamesake: false },
      { hasNamesake: true },
      { cursor: 'c', hasNamesake: true },
    ],
    [
      'that a search has shown no namesake',
      'FINDING_PERSON',
      { type: 'SearchContinued', cursor: 'c' },
      {},
      { cursor: 'c', hasNamesake: false },
    ],
    [
      'that the requestor was ACTIVE when it waited for that',
      'AWAITING_REQUESTOR',
      { type: 'VerificationSought' },
      {},
      { requestorWasActive: true },
    ],
    [
      'that the requestor was ACTIVE before it sends what the partner supplies',
      'AWAITING_REQUESTOR',
      { type: 'IdentificationSought' },
      {},
      { requestorWasActive: true },
    ],
    [
      'that the requestor was not observed',
      'AWAITING_CHECKS',
      { type: 'VerificationSought' },
      { requestorWasActive: true },
      { requestorWasActive: false },
    ],
    [
      'a verification that was created, and that nothing is under way',
      'CREATING_VERIFICATION',
      { type: 'VerificationCreated', identificationVerificationId: 'v' },
      intent,
      { identificationVerificationId: 'v', intentOn: undefined },
    ],
    [
      'a verification that was adopted, and that nothing is under way',
      'CREATING_VERIFICATION',
      { type: 'VerificationAdopted', identificationVerificationId: 'v' },
      intent,
      { identificationVerificationId: 'v', intentOn: undefined },
    ],
    [
      'the link to the video call',
      'AWAITING_IDENTIFICATION_URL',
      { type: 'UrlAvailable', identificationUrl: 'https://video.example/1' },
      {},
      { identificationUrl: 'https://video.example/1' },
    ],
    [
      'that the platform has the identification',
      'SENDING_IDENTIFICATION',
      { type: 'IdentificationAccepted' },
      intent,
      { isIdentified: true, intentOn: undefined },
    ],
    [
      'that the video call has succeeded',
      'AWAITING_VIDEO_CALL',
      { type: 'IdentificationApproved' },
      {},
      { isIdentified: true },
    ],
    ['when it has stalled', 'AWAITING_CHECKS', { type: 'Stalled' }, {}, { stalledOn: later, since: start }],
  ])('%s', (_, step, occurrence, before, expected) => {
    const state = evolved(step, occurrence, before);
    for (const [name, value] of Object.entries(expected)) expect(state, name).toHaveProperty(name, value);
  });
});

describe('an onboarding that ends in its search for the person that the platform has', () => {
  const differs = { type: 'PersonDiffers', reason: { code: 'PERSON_DIFFERS' } } as const;

  it.each(['Canceled', 'Expired'] as const)('counts as one that may have a person when it has %s', (type) => {
    expect(evolved('FINDING_PERSON', { type }).intentOn).toBe(later);
  });

  it('may have a person when it stops before the search found the person', () => {
    const stopped = evolved('FINDING_PERSON', {
      type: 'Stopped',
      reason: { code: 'CONFLICT_UNEXPLAINED', fields: [] },
    });
    expect(stopped.intentOn).toBe(later);
    expect(evolve(stopped, { type: 'Canceled' }, later).intentOn).toBe(later);
  });

  it('keeps the time of a create that was under way before', () => {
    expect(evolved('FINDING_PERSON', { type: 'Canceled' }, { intentOn: start }).intentOn).toBe(start);
  });

  it('has no person when the one that it found differs', () => {
    expect(evolved('FINDING_PERSON', differs).intentOn).toBeUndefined();
  });

  it('has no person when it ends before anything was sent', () => {
    expect(evolved('REQUESTED', { type: 'Canceled' }).intentOn).toBeUndefined();
  });
});

describe('an onboarding that an operator takes up again', () => {
  const before: Partial<OnboardingState> = {
    naturalPersonId: 'p',
    identificationVerificationId: 'v',
    identificationUrl: 'https://video.example/1',
    requestorWasActive: true,
    isIdentified: true,
  };

  it('has the whole time of its step again when it was resumed', () => {
    const failing = { since: start, times: 3, why: 'HTTP_500' };
    const state = evolved('AWAITING_CHECKS', { type: 'Resumed' }, { stalledOn: start, failing, looks: 9 });
    expect(state).toMatchObject({ stalledOn: undefined, failing: undefined, since: later, looks: 0, openSince: start });
  });

  it('keeps its person and identification when it was retried, and seeks its verification again', () => {
    expect(evolved('FAILED', { type: 'Retried' }, before)).toMatchObject({
      step: 'AWAITING_CHECKS',
      openSince: later,
      naturalPersonId: 'p',
      isIdentified: true,
      mustSeek: true,
      requestorWasActive: false,
      identificationVerificationId: undefined,
      identificationUrl: undefined,
      formerVerificationIds: ['v'],
    });
  });

  it('keeps neither when it was restarted', () => {
    expect(evolved('CANCELED', { type: 'Restarted' }, before)).toMatchObject({
      step: 'REQUESTED',
      openSince: later,
      naturalPersonId: undefined,
      isIdentified: false,
      mustSeek: true,
      requestorWasActive: false,
      identificationVerificationId: undefined,
      formerPersonIds: ['p'],
      formerVerificationIds: ['v'],
    });
  });
});

describe('the former persons and verifications of an onboarding that is taken up again', () => {
  const former = { formerPersonIds: ['p-0'], formerVerificationIds: ['v-0'] };

  it('stay as they are when it has neither now', () => {
    expect(evolved('FAILED', { type: 'Retried' }, former)).toMatchObject(former);
    expect(evolved('CANCELED', { type: 'Restarted' }, former)).toMatchObject(former);
  });

  it('are none when it never had any', () => {
    const state = evolved('CANCELED', { type: 'Restarted' });
    expect([state.formerPersonIds, state.formerVerificationIds]).toEqual([undefined, undefined]);
  });
});

describe('a run', () => {
  it('is over after two minutes, with any outcome', () => {
    expect(endOfRun(later)).toBe(runEnd);
  });
});
