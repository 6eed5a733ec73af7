import { afterEach, describe, expect, it } from 'vitest';
import type { OnboardingRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { createOnboardingApi } from '#functions/onboarding/api/routes.ts';
import { capitalized } from '#shared/platform/profile/profile.ts';
import type { NaturalPersonStatus } from '#shared/platform/resources/natural-person.ts';
import { byVideo, notAtAll, sampleRequest, supplied } from '#test/functions/onboarding/requests.ts';
import { type AdvanceWorld, type AdvanceWorldOptions, createAdvanceWorld } from './advance-world.ts';

/** The first day with a platform whose words and error bodies are others than those of the sandbox. */

const externalId = 'partner-1';
const hour = 3_600;
let world: AdvanceWorld;

afterEach(() => world.close());

async function accept(
  identification: OnboardingRequest['identification'] = byVideo,
  options: Partial<AdvanceWorldOptions> = {},
) {
  world = createAdvanceWorld({ fails: {}, ...options });
  const request = sampleRequest({ externalId, identification });
  await world.accept(request);
  return request;
}

/** What the API answers. */
async function view() {
  const never = async () => expect.unreachable();
  const api = createOnboardingApi({ request: never, operate: never, list: never, store: world.store });
  const pathParameters = { externalId };
  const { body = '' } = await api({ routeKey: 'GET /onboardings/{externalId}', pathParameters });
  return JSON.parse(body);
}

async function personBecomes(...statuses: readonly NaturalPersonStatus[]): Promise<void> {
  const { naturalPersonId = '' } = (await world.load(externalId)).state;
  for (const status of statuses) world.platform.persons.changeStatus(naturalPersonId, status);
}

const answer = (body: object) => ({ status: 200, body: JSON.stringify(body) });
const identificationVerificationId = '0190a6f0-1234-7abc-8def-00000000000c';
const verificationWith = (status: string) => ({
  'get verification': answer({
    identificationVerificationId,
    status,
    identificationUrl: 'https://video.example/1',
  }),
});

describe('a verification with a word that the specification does not have', () => {
  const unknown = { kind: 'identification-verification', status: 'COMPLETED', remedy: expect.any(String) };
  const declared = { verificationWords: { success: ['COMPLETED'] } };

  it.each<[Readonly<Record<string, unknown>>, readonly NaturalPersonStatus[], object]>([
    [{}, [], { step: 'AWAITING_VIDEO_CALL', unknownStatus: unknown }],
    [{}, ['PENDING', 'ACTIVE'], { step: 'COMPLETED', isIdentificationOpen: true }],
    [declared, ['PENDING', 'ACTIVE'], { step: 'COMPLETED' }],
  ])('decides the step by the profile %j and a person that becomes %j', async (profile, statuses, shown) => {
    await accept(byVideo, { profile, fails: verificationWith('PENDING') });
    await world.run(hour);
    expect(await view()).toMatchObject({ step: 'AWAITING_VIDEO_CALL' });
    world.failWith(verificationWith('COMPLETED'));
    await personBecomes(...statuses);
    // As a webhook about the verification does.
    world.wake(externalId);
    await world.work();
    const { unknownStatus, isIdentificationOpen, step } = await view();
    expect({ step, unknownStatus, isIdentificationOpen }).toEqual(shown);
    // The alarm goes off also if the person completes the onboarding: the word should be declared.
    expect(world.written().includes('"UnknownStatuses":1')).toBe(profile !== declared);
  });

  it('is shown as unknown, without its value, where it is no word', async () => {
    const status = { id: 3, label: 'Erika Mustermann' };
    const verification = { identificationVerificationId, status, identificationUrl: 'https://video.example/1' };
    await accept(byVideo, { fails: { 'get verification': answer(verification) } });
    await world.run(hour);
    const remedy = expect.any(String);
    expect((await view()).unknownStatus).toEqual({ kind: 'identification-verification', remedy });
    expect(world.written()).toContain('"UnknownStatuses":1');
    expect(world.written()).not.toContain('Mustermann');
  });

  it('is no unknown status any more once the platform shows a known one', async () => {
    await accept(byVideo, { fails: verificationWith('COMPLETED') });
    await world.run(hour);
    expect(await view()).toHaveProperty('unknownStatus');
    world.failWith(verificationWith('PENDING'));
    await world.run(2 * hour);
    expect(await view()).not.toHaveProperty('unknownStatus');
  });
});

describe('a person that the platform makes ACTIVE', () => {
  it.each([
    [
      'the verification cannot be read',
      byVideo,
      { 'get verification': { status: 503 } },
      'AWAITING_IDENTIFICATION_URL',
    ],
    [
      'the identification cannot be sent',
      { ...supplied, identificationDate: '2026-10-01' },
      { 'send identification': { status: 503 } },
      'SENDING_IDENTIFICATION',
    ],
  ] as const)('completes the onboarding although %s', async (_, identification, fails, step) => {
    await accept(identification, { fails });
    await world.run(hour);
    expect(await view()).toMatchObject({ step });
    await personBecomes('PENDING', 'ACTIVE');
    await world.run(2 * hour);
    expect(await view()).toMatchObject({ step: 'COMPLETED', isIdentificationOpen: true });
    expect(world.published().at(-1)).toMatchObject({ detailType: 'OnboardingCompleted' });
    expect(JSON.parse(world.published().at(-1)?.detail ?? '')).toMatchObject({ isIdentificationOpen: true });
  });
});

describe('an error of the platform to a call', () => {
  it.each([
    ['create verification', { code: 'VALIDATION_ERROR' }, 'AWAITING_REQUESTOR', 'REQUESTOR_NOT_ACTIVE'],
    ['create verification', 'No ACTIVE proxy for the person', 'STOPPED', 'CALLER_REFUSED'],
    ['create person', { error: 'insufficient_scope' }, 'STOPPED', 'CALLER_REFUSED'],
    ['create person', { code: 'VALIDATION_ERROR', message: 'birthDay' }, 'FAILED', 'BAD_REQUEST'],
  ] as const)(
    'is about the caller, or about the data: %s, answered 400 %j, leads to %s (%s)',
    async (call, body, step, code) => {
      await accept(byVideo, { fails: { [call]: { status: 400, body: JSON.stringify(body) } } });
      await world.run(hour);
      expect(await view()).toMatchObject({ step, reasons: [{ code }] });
    },
  );
});

describe('an onboarding that the platform ends', () => {
  const codes = ['AGE', 'NAME_INVALID'];

  /** As `store` does with a webhook that says why. */
  function report(kind: 'natural-person' | 'identification-verification', id: string, status: string) {
    const known = { seen: { [status]: [] }, reasonCodes: { [status]: codes } };
    return world.putEntity({ kind, id }, { version: 1, known, latest: [] });
  }
  const ends = () => world.published().filter(({ detailType }) => detailType === 'OnboardingEnded');
  const personId = async () => (await world.load(externalId)).state.naturalPersonId ?? '';

  it.each(['before', 'after'])('has the codes of the person that webhooks report %s its end', async (when) => {
    await accept(notAtAll);
    await world.work();
    if (when === 'before') await report('natural-person', await personId(), 'INVALID');
    await personBecomes('INVALID');
    await world.run(hour);
    if (when === 'after') {
      expect(await view()).toMatchObject({ step: 'INVALID', reasons: [] });
      await report('natural-person', await personId(), 'INVALID');
      world.wake(externalId);
      await world.work();
    }
    const reasons = codes.map((code) => ({ code, source: 'platform' }));
    expect(await view()).toMatchObject({ step: 'INVALID', reasons });
    expect(ends()).toHaveLength(when === 'after' ? 2 : 1);
    expect(JSON.parse(ends().at(-1)?.detail ?? '')).toMatchObject({ step: 'INVALID', reasons });
    expect((await world.load(externalId)).outbox).toEqual([]);
  });

  const timedOut = { verificationWords: { failure: ['TIMED_OUT'] } };

  it.each<[string, string, object, readonly NaturalPersonStatus[], string]>([
    ['FAILED', 'REJECTED', {}, [], 'retry for another one'],
    ['FAILED', 'timed-out', timedOut, [], 'retry for another one'],
    ['COMPLETED', 'REJECTED', {}, ['PENDING', 'ACTIVE'], 'but the platform has made the person ACTIVE'],
  ])('has the codes that webhooks report after its end: %s, %s', async (step, status, profile, statuses, remedy) => {
    await accept(byVideo, { fails: verificationWith('PENDING'), profile: { ...profile } });
    await world.run(hour);
    const { identificationVerificationId: id = '' } = (await world.load(externalId)).state;
    world.failWith(verificationWith(status));
    await personBecomes(...statuses);
    await world.run(2 * hour);
    const failed = { code: `IDENTIFICATION_${capitalized(status)}`, remedy: expect.stringContaining(remedy) };
    expect(await view()).toMatchObject({ step, reasons: [failed] });
    await report('identification-verification', id, status);
    world.wake(externalId);
    await world.work();
    const reasons = [failed, ...codes.map((code) => ({ code, source: 'platform' }))];
    expect(await view()).toMatchObject({ step, reasons });
  });
});
