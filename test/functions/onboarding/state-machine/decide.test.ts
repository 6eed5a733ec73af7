import { describe, expect, it } from 'vitest';
import { type Command, decide } from '#functions/onboarding/state-machine/decisions.ts';
import type { Facts, Observation } from '#functions/onboarding/state-machine/observation.ts';
import type { Occurrence } from '#functions/onboarding/state-machine/occurrence.ts';
import { newOnboarding, type OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import type { OnboardingStep } from '#shared/onboarding/onboarding-steps.ts';

const now = '2026-01-02T03:04:05.678Z';

/** What is decided at a step: by default of an onboarding by video call, in time, with nothing under way. */
function decideAt(
  step: OnboardingStep,
  observation: Observation,
  state: Partial<OnboardingState> = {},
  facts: Partial<Facts> = {},
) {
  const base = { time: 'in time', isSettled: true, isGivenUp: false } as const;
  const isFailure = (status: string) => status === 'FAILED';
  return decide({ ...newOnboarding('video', now), step, ...state }, { ...base, isFailure, observation, ...facts });
}

const wait: Command = { do: 'wait' };
const note = (occurrence: Occurrence): Command => ({ do: 'note', occurrence });
const stop = (code: string) => note({ type: 'Stopped', reason: { code } });
const expired = note({ type: 'Expired' });
const stalled = note({ type: 'Stalled' });
const createPerson: Command = { do: 'call', call: 'create the person', intent: { type: 'CreationIntended' } };
const createVerification: Command = {
  do: 'call',
  call: 'create the verification',
  intent: { type: 'VerificationIntended' },
};
const sendIdentification: Command = {
  do: 'call',
  call: 'send the identification',
  intent: { type: 'IdentificationIntended' },
};

const searchEnded: Observation = { of: 'SEARCH_ENDED' };
const unread = (why: string): Observation => ({ of: 'UNREAD', why });
const person = (
  status: string | undefined,
  more: { isIdentified?: boolean; requestorStatus?: string } = {},
): Observation => ({
  of: 'PERSON',
  status,
  isIdentified: false,
  ...more,
});
const verification = (status: string | undefined, identificationUrl?: string): Observation => ({
  of: 'VERIFICATION',
  status,
  identificationUrl,
});

describe('a person', () => {
  it('is created immediately when the onboarding was requested', () => {
    expect(decideAt('REQUESTED', { of: 'NOTHING' })).toEqual(createPerson);
  });

  it('is created again when the create was not taken, or when nothing is looked for', () => {
    expect(decideAt('CREATING_PERSON', { of: 'NOTHING' }, {}, { isSettled: false })).toEqual(createPerson);
  });

  it('is created again after a search without a result, once the create before has settled', () => {
    expect(decideAt('CREATING_PERSON', searchEnded, {}, { isSettled: false })).toEqual(wait);
    expect(decideAt('CREATING_PERSON', searchEnded)).toEqual(createPerson);
  });

  describe.each(['CREATING_PERSON', 'FINDING_PERSON'] as const)('that a search at %s finds', (step) => {
    it.each([undefined, now])('is adopted when it is the one that was requested, stalled on %s', (stalledOn) => {
      const found: Observation = { of: 'PERSON_FOUND', naturalPersonId: 'p', differing: [] };
      expect(decideAt(step, found, { stalledOn })).toEqual(note({ type: 'PersonAdopted', naturalPersonId: 'p' }));
    });

    it('ends the onboarding when it differs, with the fields as the reason', () => {
      const reason = { code: 'EXTERNAL_ID_OF_ANOTHER_PERSON', fields: ['birthDay'] };
      expect(decideAt(step, { of: 'PERSON_FOUND', naturalPersonId: 'p', differing: ['birthDay'] })).toEqual(
        note({ type: 'PersonDiffers', reason }),
      );
    });

    it('is searched on from the cursor when the list is too long for one run', () => {
      expect(decideAt(step, { of: 'SEARCH_CONTINUES', cursor: 'c', hasNamesake: true })).toMatchObject(
        note({ type: 'SearchContinued', cursor: 'c', hasNamesake: true }),
      );
    });

    it('is waited for when the look shows something else', () => {
      expect(decideAt(step, person('ACTIVE'))).toEqual(wait);
    });
  });

  it('that a 409 is about is waited for until the step is late', () => {
    expect(decideAt('FINDING_PERSON', searchEnded)).toEqual(wait);
    expect(decideAt('FINDING_PERSON', searchEnded, {}, { time: 'late' })).toEqual(stop('CONFLICT_UNEXPLAINED'));
    expect(decideAt('FINDING_PERSON', searchEnded, { stalledOn: now })).toEqual(stop('CONFLICT_UNEXPLAINED'));
    expect(decideAt('FINDING_PERSON', person('ACTIVE'), { stalledOn: now })).toEqual(wait);
  });

  it.each<[string, Partial<OnboardingState>, Observation]>([
    ['EXTERNAL_ID_TAKEN', { conflict: 'EXTERNAL_ID' }, searchEnded],
    ['EXTERNAL_ID_TAKEN', { conflict: 'EXTERNAL_ID', hasNamesake: true }, searchEnded],
    ['PERSON_HAS_ANOTHER_EXTERNAL_ID', { conflict: 'PERSON' }, searchEnded],
    ['PERSON_HAS_ANOTHER_EXTERNAL_ID', { hasNamesake: true }, searchEnded],
    ['PERSON_HAS_ANOTHER_EXTERNAL_ID', {}, { of: 'SEARCH_ENDED', hasNamesake: true }],
    ['CONFLICT_UNEXPLAINED', { hasNamesake: false }, { of: 'SEARCH_ENDED', hasNamesake: false }],
  ])('that is never found stops the onboarding with %s for %j and %j', (code, state, observation) => {
    expect(decideAt('FINDING_PERSON', observation, state, { time: 'late' })).toEqual(stop(code));
  });

  it('that the platform has no longer stops the onboarding once the step is late', () => {
    expect(decideAt('AWAITING_CHECKS', { of: 'PERSON_MISSING' })).toEqual(wait);
    expect(decideAt('AWAITING_CHECKS', { of: 'PERSON_MISSING' }, {}, { time: 'late' })).toEqual(
      stop('PERSON_NOT_FOUND'),
    );
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
    expect(decideAt(step, person(status, { isIdentified: true, requestorStatus: 'ACTIVE' }))).toEqual(note({ type }));
  });

  it('waits while the platform shows nothing that it asks for', () => {
    expect(decideAt(step, { of: 'VERIFICATION_MISSING' })).toEqual(wait);
    expect(decideAt(step, person('REVIEW'), {}, { isSettled: false })).toEqual(wait);
  });
});

describe('the identification', () => {
  it.each(['RECEIVED', 'REVIEW', 'A_NEW_WORD', undefined])('waits for a person that is %s', (status) => {
    for (const mode of ['video', 'supplied', 'none'] as const)
      expect(decideAt('AWAITING_CHECKS', person(status, { isIdentified: true }), { mode })).toEqual(wait);
  });

  it.each<[string, Partial<OnboardingState>, Observation, Command]>([
    ['left out in mode none', { mode: 'none' }, person('CREATED'), note({ type: 'ChecksPassed' })],
    ['left out when it is done', { isIdentified: true }, person('CREATED'), note({ type: 'ChecksPassed' })],
    ['a video call', {}, person('CREATED'), createVerification],
    ['a video call, of a person that is PENDING', {}, person('PENDING'), createVerification],
    ['a video call, of a person that is ACTIVE', {}, person('ACTIVE'), createVerification],
    ['a video call, with any other identification', {}, person('CREATED', { isIdentified: true }), createVerification],
    [
      'a video call that may be there: sought',
      { mustSeek: true },
      person('CREATED'),
      note({ type: 'VerificationSought' }),
    ],
    ['what the partner supplies', { mode: 'supplied' }, person('CREATED'), sendIdentification],
    [
      'what the partner supplies, although a verification may be there',
      { mode: 'supplied', mustSeek: true },
      person('CREATED'),
      sendIdentification,
    ],
    [
      'what the platform has already',
      { mode: 'supplied' },
      person('CREATED', { isIdentified: true }),
      note({ type: 'IdentificationAccepted' }),
    ],
  ])('is, after the checks: %s', (_, state, observation, command) => {
    expect(decideAt('AWAITING_CHECKS', observation, state)).toEqual(command);
  });

  it.each(['video', 'supplied'] as const)('is not asked for (%s) while one may be under way', (mode) => {
    expect(decideAt('AWAITING_CHECKS', person('CREATED'), { mode }, { isSettled: false })).toEqual(wait);
  });

  it('takes a verification that is found for its own', () => {
    expect(
      decideAt('CREATING_VERIFICATION', { of: 'VERIFICATION_FOUND', identificationVerificationId: 'v' }),
    ).toMatchObject(note({ type: 'VerificationAdopted', identificationVerificationId: 'v' }));
  });

  it('asks for a verification when none is found, once the create before has settled', () => {
    expect(decideAt('CREATING_VERIFICATION', { of: 'SEARCH_CONTINUES', cursor: 'c' })).toMatchObject(
      note({ type: 'SearchContinued', cursor: 'c' }),
    );
    expect(decideAt('CREATING_VERIFICATION', searchEnded, {}, { isSettled: false })).toEqual(wait);
    expect(decideAt('CREATING_VERIFICATION', searchEnded)).toEqual(createVerification);
    expect(decideAt('CREATING_VERIFICATION', { of: 'NOTHING' })).toEqual(wait);
    expect(decideAt('CREATING_VERIFICATION', person('CREATED'))).toEqual(wait);
  });

  it('sends what the partner supplies again, once the call before has settled and the platform does not have it', () => {
    expect(decideAt('SENDING_IDENTIFICATION', person('CREATED'), {}, { isSettled: false })).toEqual(wait);
    expect(decideAt('SENDING_IDENTIFICATION', person('CREATED'))).toEqual(sendIdentification);
    expect(decideAt('SENDING_IDENTIFICATION', person('CREATED', { isIdentified: true }))).toEqual(
      note({ type: 'IdentificationAccepted' }),
    );
  });

  it.each([
    ['video', 'VerificationSought'],
    ['supplied', 'IdentificationSought'],
  ] as const)('continues (%s) once the requestor is ACTIVE', (mode, type) => {
    const of = (requestorStatus: string) =>
      decideAt('AWAITING_REQUESTOR', person('ACTIVE', { requestorStatus }), { mode });
    expect(of('CREATED')).toEqual(wait);
    expect(of('ACTIVE')).toEqual(note({ type }));
  });
});

describe.each(['AWAITING_IDENTIFICATION_URL', 'AWAITING_VIDEO_CALL'] as const)('a video call at %s', (step) => {
  it('has succeeded when the verification is APPROVED', () => {
    expect(decideAt(step, verification('APPROVED'))).toEqual(note({ type: 'IdentificationApproved' }));
  });

  it('has failed when the status says so, and the reason names the status', () => {
    expect(decideAt(step, verification('FAILED', 'https://video.example/1'))).toEqual(
      note({ type: 'IdentificationFailed', reason: { code: 'IDENTIFICATION_FAILED' } }),
    );
  });

  it.each(['PENDING', undefined])('is waited for while the verification is %s', (status) => {
    expect(decideAt(step, verification(status))).toEqual(wait);
  });
});

describe('the link to the video call', () => {
  const withUrl = verification('PENDING', 'https://video.example/1');

  it('is passed on once', () => {
    expect(decideAt('AWAITING_IDENTIFICATION_URL', withUrl)).toEqual(
      note({ type: 'UrlAvailable', identificationUrl: 'https://video.example/1' }),
    );
    expect(decideAt('AWAITING_VIDEO_CALL', withUrl)).toEqual(wait);
  });
});

describe('an onboarding whose identification is over', () => {
  it('is completed when the person is ACTIVE, and waits until then', () => {
    expect(decideAt('AWAITING_ACTIVATION', person('PENDING'))).toEqual(wait);
    expect(decideAt('AWAITING_ACTIVATION', person('ACTIVE'))).toEqual(note({ type: 'PersonActivated' }));
  });
});

describe('an observation that the platform does not answer', () => {
  it('is repeated when the platform wants it', () => {
    expect(decideAt('AWAITING_CHECKS', { of: 'UNREAD', why: 'HTTP_429', retryAfter: 9 })).toEqual({
      ...wait,
      retryAfter: 9,
    });
  });

  it('stops the onboarding when the requestor does not exist, where the step acts for one', () => {
    expect(decideAt('CREATING_VERIFICATION', unread('REQUESTOR_ID_INVALID'))).toEqual(stop('REQUESTOR_ID_INVALID'));
    expect(decideAt('STOPPED', unread('REQUESTOR_ID_INVALID'))).toEqual(wait);
  });

  it('waits for the requestor on VALIDATION_ERROR, or stops when the requestor was ACTIVE', () => {
    const refused = unread('VALIDATION_ERROR');
    expect(decideAt('CREATING_VERIFICATION', refused)).toEqual(
      note({ type: 'RequestorNotActive', reason: { code: 'REQUESTOR_NOT_ACTIVE' } }),
    );
    expect(decideAt('CREATING_VERIFICATION', refused, { requestorWasActive: true })).toEqual(stop('VALIDATION_ERROR'));
    expect(decideAt('AWAITING_CHECKS', refused)).toEqual(wait);
    expect(decideAt('CREATING_VERIFICATION', unread('HTTP_500'))).toEqual(wait);
  });

  it('stops the onboarding once it is given up, with the failure as the reason', () => {
    const givenUp = { isGivenUp: true };
    for (const step of ['AWAITING_CHECKS', 'CREATING_VERIFICATION'] as const)
      expect(decideAt(step, unread('NO_CONNECTION'), {}, givenUp)).toEqual(stop('NO_CONNECTION'));
    expect(decideAt('AWAITING_CHECKS', person('REVIEW'), {}, givenUp)).toEqual(wait);
    expect(decideAt('STOPPED', unread('NO_CONNECTION'), {}, givenUp)).toEqual(wait);
  });
});

describe('a call that the platform fails again and again', () => {
  const failing = { since: now, times: 3, why: 'HTTP_503' };

  it('stops the onboarding once it is given up, with the failure as the reason', () => {
    const givenUp = { isGivenUp: true };
    expect(decideAt('CREATING_PERSON', { of: 'NOTHING' }, { failing }, givenUp)).toEqual(stop('HTTP_503'));
    expect(decideAt('CREATING_PERSON', { of: 'NOTHING' }, { failing })).toEqual(createPerson);
    expect(decideAt('CREATING_PERSON', { of: 'NOTHING' }, {}, givenUp)).toEqual(createPerson);
  });

  it('is made a first time, although an earlier step failed', () => {
    expect(decideAt('AWAITING_CHECKS', person('CREATED'), { failing }, { isGivenUp: true })).toEqual(
      createVerification,
    );
  });
});

describe('an onboarding that is late', () => {
  const late = { time: 'late' } as const;

  it('is published as stalled when it would wait, or call again', () => {
    expect(decideAt('AWAITING_CHECKS', person('REVIEW'), {}, late)).toEqual(stalled);
    expect(decideAt('CREATING_PERSON', { of: 'NOTHING' }, {}, late)).toEqual(stalled);
    expect(decideAt('FINDING_PERSON', unread('HTTP_500'), {}, late)).toEqual(stalled);
  });

  it('continues when the observation allows it', () => {
    expect(decideAt('AWAITING_CHECKS', person('CREATED'), {}, late)).toEqual(createVerification);
    expect(decideAt('AWAITING_ACTIVATION', person('ACTIVE'), {}, late)).toEqual(note({ type: 'PersonActivated' }));
  });

  it('waits without a word while an operator must act', () => {
    expect(decideAt('STOPPED', { of: 'NOTHING' }, {}, late)).toEqual(wait);
    expect(decideAt('STOPPED', { of: 'PERSON_MISSING' }, {}, late)).toEqual(wait);
  });
});

describe('an onboarding whose whole time is over', () => {
  const over = { time: 'over' } as const;

  it('expires instead of waiting or calling', () => {
    expect(decideAt('AWAITING_CHECKS', person('REVIEW'), {}, over)).toEqual(expired);
    expect(decideAt('AWAITING_CHECKS', person('CREATED'), {}, over)).toEqual(expired);
    expect(decideAt('STOPPED', { of: 'NOTHING' }, {}, over)).toEqual(expired);
    expect(decideAt('CREATING_VERIFICATION', { of: 'SEARCH_CONTINUES', cursor: 'c' }, {}, over)).toEqual(expired);
  });

  it('ends as the platform shows, when it does', () => {
    expect(decideAt('AWAITING_ACTIVATION', person('ACTIVE'), {}, over)).toEqual(note({ type: 'PersonActivated' }));
  });

  it('stays as it is when it has ended', () => {
    for (const step of ['COMPLETED', 'FAILED', 'CANCELED', 'EXPIRED'] as const)
      expect(decideAt(step, person('ACTIVE'), {}, over)).toEqual({ do: 'nothing' });
  });
});
