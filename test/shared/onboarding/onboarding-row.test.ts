import { describe, expect, it } from 'vitest';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import {
  type ErasedOnboarding,
  isErased,
  readOnboarding,
  writeErased,
  writeOnboarding,
} from '#shared/onboarding/onboarding-row.ts';
import { readReleaseData } from '#test/upgrades/release-data.ts';
import { toJson } from '#test/upgrades/stored-json.ts';
import { sampleOnboarding } from './sample-onboarding.ts';

const row = sampleOnboarding('partner-1', { naturalPersonId: 'person', identificationVerificationId: 'verification' });
const at = new Date('2026-01-02T03:04:05.678Z');
const erased: ErasedOnboarding = {
  onboardingId: row.onboardingId,
  version: 5,
  erasedOn: '2026-01-02T03:04:05.678Z',
  acceptedOn: undefined,
  step: undefined,
};

describe('the id of an onboarding', () => {
  it('is the SHA-256 of the externalId in hex', () => {
    // printf 'Erika Mustermann' | sha256sum
    expect(onboardingIdOf('Erika Mustermann')).toBe('dc3fe7d962a7d94af458e52e7b7e50491d10727a32d5ee11d30c30b5a82d7ea2');
  });
});

describe('the onboardings table', () => {
  it('gives an onboarding as it was written', () => {
    expect(readOnboarding(writeOnboarding(row, at))).toEqual(row);
  });

  it('gives an onboarding that holds nothing but its state as it was written', () => {
    const bare = { ...sampleOnboarding('partner-1'), data: {}, outbox: [] };
    expect(readOnboarding(writeOnboarding(bare, at))).toEqual(bare);
  });

  it('leaves out the URL of a video call that an earlier release wrote into the outbox', () => {
    const { onboardingId, version, state } = row;
    const { step, since, mode } = state;
    const detail = { onboardingId, sequence: version, step, since, mode };
    const earlier = {
      detailType: 'OnboardingIdentificationReady',
      detail: { ...detail, identificationUrl: 'https://v' },
    };
    const read = readOnboarding({ ...writeOnboarding(row, at), outbox: { S: JSON.stringify([earlier]) } });
    expect(read).toMatchObject({ outbox: [{ detailType: 'OnboardingIdentificationReady' }] });
    expect(read).toHaveProperty('outbox.0.detail', detail);
  });

  it.each([
    ['backs off', '2026-01-02T04:00:00.000Z', '2026-01-02T04:00:00.000Z'],
    ['a run is at work on', '2026-01-02T03:06:05.678Z', '2026-01-02T03:06:05.678Z'],
    ['has not been due for long', '2026-01-01T00:00:00.000Z', '2026-01-02T03:04:05.678Z'],
  ])('reads an onboarding of 0.2.0 that %s as paced', (_, quietUntil, dueOn) => {
    const failing = { since: at.toISOString(), times: 3, why: 'HTTP_500', isEarlyUsed: true };
    const former = { ...row.state, dueOn: at.toISOString(), quietUntil, failing };
    const read = readOnboarding({ ...writeOnboarding(row, at), state: { S: JSON.stringify(former) } });
    expect(read).toMatchObject({ state: { isPaced: true, dueOn } });
    expect(read).not.toHaveProperty('state.quietUntil');
  });

  it('is written so that 0.2.0 reads a failing step, as after a rollback', async () => {
    const failing = { since: at.toISOString(), times: 3, why: 'HTTP_500' };
    const stored = writeOnboarding({ ...row, state: { ...row.state, isPaced: true, failing } }, at);
    const former = readReleaseData().find(({ version }) => version === '0.2.0');
    const read = await former?.read({ kind: 'table onboardings', stored: JSON.parse(toJson(stored)) });
    expect(read).toMatchObject({ state: { failing: { ...failing, isEarlyUsed: true } } });
  });

  it.each([{}, { acceptedOn: '2026-01-01T00:00:00Z', step: 'COMPLETED' }])(
    'gives an erased onboarding as it was written: %j',
    (more) => {
      const read = readOnboarding(writeErased({ ...erased, ...more }));
      expect(read).toEqual({ ...erased, ...more });
      expect(isErased(read)).toBe(true);
      expect(isErased(row)).toBe(false);
      expect(writeErased(erased)).not.toHaveProperty('listLane');
    },
  );
});

describe('an index of the onboardings table', () => {
  it('holds each onboarding by what it is found by', () => {
    expect(writeOnboarding(row, at)).toMatchObject({
      dueShard: { S: '0' },
      dueOn: { S: row.state.dueOn },
      naturalPersonId: { S: 'person' },
      identificationVerificationId: { S: 'verification' },
      updatedOn: { S: at.toISOString() },
    });
  });

  it('holds no onboarding that is not due and none without a person', () => {
    const keys = Object.keys(writeOnboarding(sampleOnboarding('partner-1', { dueOn: undefined }), at));
    for (const key of ['dueShard', 'dueOn', 'naturalPersonId', 'identificationVerificationId'])
      expect(keys).not.toContain(key);
  });
});

describe('a row that another program wrote', () => {
  const item = writeOnboarding(row, at);
  const personal = { B: Buffer.from('{"person": "Erika"}') };

  it.each([
    ['no state', { ...item, state: undefined }, 'state'],
    ['a state that is not JSON', { ...item, state: { S: 'Erika' } }, 'state'],
    ['a step that is none', { ...item, state: { S: '{"step": "Erika"}' } }, 'state.step'],
    ['data that is not deflated', { ...item, data: personal }, 'data'],
    ['an event that is none', { ...item, outbox: { S: '[{"detailType": "Erika"}]' } }, 'outbox.0.detailType'],
    ['a version that is no number', { ...item, version: { N: 'Erika' } }, 'version'],
    ['an erasure without a time', { ...item, erasedOn: { S: 'Erika' } }, 'erasedOn'],
  ])('is refused with %s, by the names of its fields', (_, broken, field) => {
    const attributes = Object.fromEntries(Object.entries(broken).filter(([, value]) => value !== undefined));
    const read = () => readOnboarding(attributes as Parameters<typeof readOnboarding>[0]);
    expect(read).toThrow(expect.objectContaining({ code: 'OnboardingRowError' }));
    expect(read).toThrow(field);
    expect(read).not.toThrow('Erika');
  });
});
