import { describe, expect, it } from 'vitest';
import { addReasons, changeRow, endOfRun, lacksIdentification } from '#functions/onboarding/state-machine/evolve.ts';
import type { Input } from '#functions/onboarding/state-machine/transitions.ts';
import type { OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';

const start = '2026-01-02T03:04:05.678Z';
const later = '2026-01-02T03:05:05.678Z';
const reason = { code: 'A_REASON' };

/** The row after something has happened to an onboarding that has its whole request. */
const changed = (state: Partial<OnboardingState>, input: Input) =>
  changeRow(sampleOnboarding('partner', state), input, later);

describe('the personal data of an onboarding', () => {
  const known = { naturalPersonId: 'p' };

  it.each<[string, Partial<OnboardingState>, Input, string[]]>([
    [
      'keeps all data until the platform has the person',
      {},
      { type: 'CreationIntended' },
      ['person', 'identification', 'redirectUrl'],
    ],
    [
      'deletes the person once the platform has it',
      { step: 'CREATING_PERSON' },
      { type: 'PersonCreated', naturalPersonId: 'p' },
      ['identification', 'redirectUrl'],
    ],
    [
      'deletes all data once the person is identified',
      { step: 'SENDING_IDENTIFICATION', ...known },
      { type: 'IdentificationAccepted' },
      [],
    ],
    ['deletes all data when it ends', { step: 'CREATING_PERSON' }, { type: 'Canceled' }, []],
    [
      'keeps the redirectUrl when it fails, since it can be retried',
      { step: 'AWAITING_VIDEO_CALL', ...known },
      { type: 'IdentificationFailed', reason },
      ['redirectUrl'],
    ],
    [
      'keeps the redirectUrl when the person is suspended, since the onboarding can be retried',
      { step: 'AWAITING_CHECKS', ...known },
      { type: 'PersonSuspended' },
      ['redirectUrl'],
    ],
    [
      'deletes all data when the person is rejected',
      { step: 'AWAITING_CHECKS', ...known },
      { type: 'PersonRejected' },
      [],
    ],
    [
      'deletes the redirectUrl when it fails after the person was identified',
      { step: 'AWAITING_VIDEO_CALL', ...known, isIdentified: true },
      { type: 'IdentificationFailed', reason },
      [],
    ],
  ])('%s', (_, state, input, kept) => {
    const { data } = sampleOnboarding('partner');
    const left = Object.fromEntries(Object.entries(data).filter(([field]) => kept.includes(field)));
    expect(changed(state, input).data).toEqual(left);
    const { digests } = sampleOnboarding('partner');
    // Each gives back the value of its field.
    expect(changed(state, input).digests).toEqual(left['person'] ? digests : { ...digests, fields: {} });
  });
});

describe('a retry', () => {
  const { data } = sampleOnboarding('partner');

  it.each<[string, Partial<OnboardingState>, OnboardingRow['data'], boolean]>([
    ['the identification was deleted', { mode: 'supplied' }, {}, true],
    ['the identification is kept', { mode: 'supplied' }, data, false],
    ['the person is identified', { mode: 'supplied', isIdentified: true }, {}, false],
    ['the person is identified by video call', { mode: 'video' }, {}, false],
  ])('says of an onboarding in which %s whether the identification is lacking', (_, state, kept, lacks) => {
    expect(lacksIdentification({ ...sampleOnboarding('partner', state), data: kept })).toBe(lacks);
  });
});

describe('the events of an onboarding', () => {
  it.each<[string, Partial<OnboardingState>, Input, string]>([
    ['publishes that it has progressed', {}, { type: 'CreationIntended' }, 'OnboardingProgressed'],
    [
      'publishes that it is accepted again when it is restarted',
      { step: 'CANCELED' },
      { type: 'Restarted' },
      'OnboardingAccepted',
    ],
    ['publishes that it has stalled, at the same step', {}, { type: 'Stalled' }, 'OnboardingStalled'],
    ['publishes that it has ended', {}, { type: 'Expired' }, 'OnboardingEnded'],
  ])('%s', (_, state, input, detailType) => {
    const { outbox } = changed(state, input);
    expect(outbox.map((event) => event.detailType)).toEqual(['OnboardingAccepted', detailType]);
  });

  it('publishes nothing while it stays at its step', () => {
    const row = changed({ step: 'CREATING_PERSON' }, { type: 'CallNotTaken' });
    expect([row.version, row.outbox]).toEqual([2, sampleOnboarding('partner').outbox]);
  });

  it('publishes its version, its step, and the ids and reasons that it has', () => {
    const ids = { naturalPersonId: 'p', identificationVerificationId: 'v' };
    const url = { identificationUrl: 'https://video.example/1' };
    const { onboardingId, outbox } = changed(
      { step: 'AWAITING_VIDEO_CALL', ...ids, ...url },
      { type: 'Stopped', reason },
    );
    const detail = {
      onboardingId,
      sequence: 2,
      step: 'STOPPED',
      since: later,
      mode: 'supplied',
      ...ids,
      reasons: [reason],
    };
    expect(outbox.at(-1)).toEqual({ detailType: 'OnboardingStopped', detail });
  });

  it('publishes that the identification is still open when the person is ACTIVE without it', () => {
    const detailAfter = (state: Partial<OnboardingState>) =>
      changed({ step: 'AWAITING_CHECKS', ...state }, { type: 'PersonActivated' }).outbox.at(-1)?.detail;
    expect(detailAfter({ isIdentified: false })).toMatchObject({ step: 'COMPLETED', isIdentificationOpen: true });
    expect(detailAfter({ isIdentified: true })).not.toHaveProperty('isIdentificationOpen');
  });

  it('publishes no field for an id or a reason that it does not have', () => {
    const detail = changed({}, { type: 'Stalled' }).outbox.at(-1)?.detail;
    expect(Object.keys(detail ?? {})).toEqual(['onboardingId', 'sequence', 'step', 'since', 'mode']);
    expect(detail).toMatchObject({ since: start });
  });
});

describe('codes of the platform that come after the end', () => {
  it('marks the codes as those of the platform, beside the reasons of older rows', () => {
    const row = sampleOnboarding('partner', { step: 'INVALID', reasons: [{ code: 'AGE' }] });
    const { state, outbox } = addReasons(row, ['AGE', 'FORBIDDEN'], later);
    const reasons = [{ code: 'AGE' }, { code: 'FORBIDDEN', source: 'platform' }];
    expect([state.reasons, outbox.at(-1)?.detail]).toEqual([reasons, expect.objectContaining({ reasons })]);
  });

  it('makes the onboarding due until they are published, if the run crashes', () => {
    const row = sampleOnboarding('partner', { step: 'INVALID', dueOn: undefined });
    expect(addReasons(row, ['AGE'], later)).toMatchObject({ version: 2, state: { dueOn: endOfRun(later) } });
  });

  it('keeps them without a second event if the person is ACTIVE', () => {
    const row = sampleOnboarding('partner', { step: 'COMPLETED', dueOn: undefined });
    const { state, outbox } = addReasons(row, ['AGE'], later);
    expect([state.reasons.length, state.dueOn, outbox]).toEqual([1, undefined, row.outbox]);
  });

  it('changes nothing if they are known, or if the onboarding goes on', () => {
    const ended = sampleOnboarding('partner', { step: 'INVALID', reasons: [{ code: 'AGE' }] });
    const open = sampleOnboarding('partner', { step: 'AWAITING_CHECKS' });
    expect([addReasons(ended, ['AGE'], later), addReasons(open, ['AGE'], later)]).toEqual([ended, open]);
  });
});
