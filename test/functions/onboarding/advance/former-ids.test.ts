import { describe, expect, it } from 'vitest';
import { evolve, settledBy } from '#functions/onboarding/state-machine/evolve.ts';
import { newOnboarding } from '#shared/onboarding/onboarding-state.ts';

const at = '2026-01-02T03:04:05.678Z';
const failed = {
  ...newOnboarding('video', at),
  step: 'FAILED',
  naturalPersonId: 'p-1',
  identificationVerificationId: 'v-1',
} as const;

describe('a retried onboarding remembers its former persons and verifications', () => {
  it('the verification, each time that it is retried, and each once', () => {
    const once = evolve(failed, { type: 'Retried' }, at);
    expect(once).toMatchObject({ naturalPersonId: 'p-1', formerVerificationIds: ['v-1'] });
    expect(once).toMatchObject({ identificationVerificationId: undefined, formerPersonIds: undefined });
    const again = { ...once, step: 'FAILED' } as const;
    const twice = evolve({ ...again, identificationVerificationId: 'v-2' }, { type: 'Retried' }, at);
    expect(twice.formerVerificationIds).toEqual(['v-1', 'v-2']);
    const adopted = evolve({ ...again, identificationVerificationId: 'v-1' }, { type: 'Retried' }, at);
    expect(adopted.formerVerificationIds).toEqual(['v-1']);
  });

  it('remembers the person, too, when it is restarted', () => {
    expect(evolve(failed, { type: 'Restarted' }, at)).toMatchObject({
      naturalPersonId: undefined,
      formerPersonIds: ['p-1'],
      formerVerificationIds: ['v-1'],
    });
  });
});

describe('promise 6: only where the outcome of a call is unknown the next one waits', () => {
  const sent = { ...failed, step: 'CREATING_VERIFICATION', intentOn: at } as const;

  it('a refusal is an answer', () => {
    const reason = { code: 'REQUESTOR_ID_INVALID' };
    for (const type of ['Stopped', 'RequestorNotActive'] as const)
      expect(settledBy(sent, { type, reason })).toEqual({ ...sent, intentOn: undefined });
  });

  it('what may have happened is not', () => {
    expect(settledBy(sent, { type: 'OutcomeUnknown' }).intentOn).toBe(at);
  });

  it('keeps the answer to another create of a restarted onboarding unsettled until it knows its person again', () => {
    const anew = { ...sent, step: 'CREATING_PERSON', mustSeek: true } as const;
    expect(settledBy({ ...anew, naturalPersonId: undefined }, { type: 'ConflictMet' }).intentOn).toBe(at);
    expect(settledBy({ ...anew, naturalPersonId: 'p-1' }, { type: 'ConflictMet' }).intentOn).toBeUndefined();
  });
});
