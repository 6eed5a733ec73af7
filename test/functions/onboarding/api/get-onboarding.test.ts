import { describe, expect, it } from 'vitest';
import { createOnboardingApi } from '#functions/onboarding/api/routes.ts';
import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import type { PlatformCondition } from '#shared/platform/client/errors.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';

const [since, dueOn] = ['2026-01-02T03:04:05.678Z', '2026-01-02T04:04:05.678Z'];
const failing = { since, times: 3, why: 'HTTP_503' };

async function get(state: Partial<OnboardingState>) {
  const never = async () => expect.unreachable();
  const store = { load: async () => sampleOnboarding('partner-1', { dueOn, ...state }) };
  const api = createOnboardingApi({ request: never, operate: never, list: never, store });
  const pathParameters = { externalId: 'partner-1' };
  const { body = '' } = await api({ routeKey: 'GET /onboardings/{externalId}', pathParameters });
  return JSON.parse(body);
}

describe('GET /onboardings/{externalId} of a status that no setting explains', () => {
  it.each([
    ['identification-verification', 'platformProfile.verificationWords'],
    ['natural-person', 'platformProfile.statuses'],
  ] as const)('shows the status of the %s, and the setting that declares it', async (kind, setting) => {
    const shown = { kind, status: 'VETTED', remedy: expect.stringContaining(setting) };
    expect(await get({ unknownStatus: { kind, status: 'VETTED' } })).toMatchObject({ unknownStatus: shown });
  });
});

describe('GET /onboardings/{externalId} of a code that we and the platform have', () => {
  it.each([
    ['REQUESTOR_NOT_ACTIVE', 'Set onboarding.requestor in the settings file to an ACTIVE person'],
    ['VALIDATION_ERROR', 'the requestor was ACTIVE, so another requestor does not help'],
    ['FORBIDDEN', 'ask its support about the credentials'],
    ['IDENTIFICATION_DOCUMENT_EXPIRED', 'retry for another one'],
    ['HTTP_401', 'refused the token'],
    ['HTTP_404', 'answered 404 for hours'],
    ['HTTP_409', 'answered 409 for hours'],
    ['HTTP_418', 'answers with this status'],
  ])('gives our remedy only for our code: %s', async (code, own) => {
    const reasons = [{ code }, { code, source: 'platform' as const }];
    expect((await get({ step: 'REJECTED', reasons })).reasons).toEqual([
      { code, remedy: expect.stringContaining(own) },
      { code, source: 'platform', remedy: expect.stringContaining('The platform gave this code.') },
    ]);
  });
});

describe('GET /onboardings/{externalId} of what the platform can answer to the calls of an onboarding', () => {
  const conditions: Readonly<Record<Exclude<PlatformCondition, 'PURGED' | 'CONFLICT'>, true>> = {
    BAD_REQUEST: true,
    FORBIDDEN: true,
    VALIDATION_ERROR: true,
    REQUESTOR_ID_INVALID: true,
    NOT_IMPLEMENTED: true,
    NOT_FOUND: true,
  };

  it.each(Object.keys(conditions))('has a remedy of our own: %s', async (code) => {
    const [{ remedy }] = (await get({ step: 'STOPPED', reasons: [{ code }] })).reasons;
    expect(remedy).not.toContain('The platform gave this code.');
  });
});

describe('GET /onboardings/{externalId} of a person that is ACTIVE', () => {
  it.each<[Partial<OnboardingState>, boolean | undefined]>([
    [{ mode: 'video', isIdentified: false }, true],
    [{ mode: 'supplied', isIdentified: false }, true],
    [{ mode: 'video', isIdentified: true }, undefined],
    [{ mode: 'none', isIdentified: false }, undefined],
  ])('says whether the identification is open: %j', async (state, isOpen) => {
    expect((await get({ step: 'COMPLETED', ...state })).isIdentificationOpen).toBe(isOpen);
  });
});

describe('GET /onboardings/{externalId} of a person that waits to become ACTIVE', () => {
  it.each<[OnboardingState['mode'], object]>([
    ['none', { remedy: expect.stringContaining('your system identifies the person') }],
    ['video', { remedy: undefined }],
  ])('says with the mode %s what the caller does', async (mode, expected) => {
    const { remedy } = await get({ step: 'AWAITING_ACTIVATION', mode });
    expect({ remedy }).toEqual(expected);
  });
});

describe('GET /onboardings/{externalId} of a step that takes longer than its deadline', () => {
  it('says since when the step has stalled', async () => {
    expect(await get({ stalledOn: since })).toMatchObject({ stalledOn: since });
  });
});

describe('GET /onboardings/{externalId} of a step that the platform fails', () => {
  it('shows the failure, its attempts, the time of the next one and the remedy', async () => {
    expect((await get({ step: 'CREATING_PERSON', failing })).failing).toEqual({
      code: 'HTTP_503',
      since,
      attempts: 3,
      nextAttemptOn: dueOn,
      remedy: expect.stringContaining('/retry'),
    });
  });

  it.each<[string, Partial<OnboardingState>]>([
    ['the platform works again', { step: 'AWAITING_ACTIVATION' }],
    ['the onboarding is STOPPED, where the reasons have the failure', { step: 'STOPPED', failing }],
    ['the onboarding has ended', { step: 'CANCELED', failing }],
  ])('shows no failure once %s', async (_, state) => {
    expect(await get(state)).not.toHaveProperty('failing');
  });
});
