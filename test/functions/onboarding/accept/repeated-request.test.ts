import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OnboardingRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { newNaturalPerson } from '#sandbox/platform/persons/natural-person-schema.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { type OnboardingStep, onboardingStepWords, stepRow } from '#shared/onboarding/onboarding-steps.ts';
import type { NaturalPersonStatus } from '#shared/platform/resources/natural-person.ts';
import { type AdvanceWorld, createAdvanceWorld } from '#test/functions/onboarding/advance/advance-world.ts';
import { byVideo, sampleRequest, supplied } from '#test/functions/onboarding/requests.ts';

const person = { naturalPersonId: 'person' };
let world: AdvanceWorld;
let serial = 0;
/** A request that no other test knows. */
let request: OnboardingRequest;

beforeAll(() => {
  world = createAdvanceWorld({ fails: {} });
});
afterAll(() => world.close());
beforeEach(() => {
  serial += 1;
  request = sampleRequest({ externalId: `partner-${serial}`, identification: byVideo });
});

const onboardingId = () => onboardingIdOf(request.externalId);
const load = () => world.load(request.externalId);
const different = () => ({ ...request, person: { ...request.person, profession: 'Baker' } });
const post = (body: object) => world.ask('POST /onboardings', { body });
const retry = () => world.ask('POST /onboardings/{externalId}/retry', { externalId: request.externalId });
const get = () => world.ask('GET /onboardings/{externalId}', { externalId: request.externalId });
const stepNow = async () => (await load()).state.step;

/** An onboarding of the request, as it is at this step. */
async function bring(step: OnboardingStep, more: Partial<OnboardingState> = person): Promise<void> {
  await post(request);
  const row = await load();
  const data = stepRow(step).final ? {} : row.data;
  await world.store.save({ ...row, version: row.version + 1, state: { ...row.state, step, ...more }, data });
}

type Expected = {
  readonly same: 'no change' | 'restarts' | 'ENDED';
  readonly different: 'CONFLICT' | 'restarts' | 'ENDED';
  /** The step after a retry, with a person and without one; undefined if the retry is refused. */
  readonly retry: readonly [withPerson: OnboardingStep | undefined, withoutPerson: OnboardingStep | undefined];
  /** What the remedy says; undefined if the onboarding is under way. */
  readonly remedy?: RegExp;
};

const open = (step: OnboardingStep): Expected => ({ same: 'no change', different: 'CONFLICT', retry: [step, step] });
const again = /Send the request again/;

/** What every step must do. A new step does not compile until it is decided here. */
const expected: Readonly<Record<OnboardingStep, Expected>> = {
  REQUESTED: open('REQUESTED'),
  CREATING_PERSON: open('CREATING_PERSON'),
  FINDING_PERSON: open('FINDING_PERSON'),
  AWAITING_CHECKS: open('AWAITING_CHECKS'),
  CREATING_VERIFICATION: open('CREATING_VERIFICATION'),
  AWAITING_REQUESTOR: { ...open('AWAITING_REQUESTOR'), retry: ['AWAITING_CHECKS', undefined] },
  AWAITING_IDENTIFICATION_URL: open('AWAITING_IDENTIFICATION_URL'),
  AWAITING_VIDEO_CALL: open('AWAITING_VIDEO_CALL'),
  SENDING_IDENTIFICATION: open('SENDING_IDENTIFICATION'),
  AWAITING_ACTIVATION: open('AWAITING_ACTIVATION'),
  STOPPED: { ...open('STOPPED'), retry: ['AWAITING_CHECKS', 'REQUESTED'] },
  COMPLETED: {
    same: 'no change',
    different: 'CONFLICT',
    retry: [undefined, undefined],
    remedy: /PATCH \/onboardings\/\{externalId\}\/person/,
  },
  SUSPENDED: { same: 'ENDED', different: 'ENDED', retry: ['AWAITING_CHECKS', undefined], remedy: /\/retry/ },
  BLOCKED: { same: 'ENDED', different: 'ENDED', retry: ['AWAITING_CHECKS', undefined], remedy: /\/retry/ },
  REJECTED: { same: 'ENDED', different: 'ENDED', retry: [undefined, undefined], remedy: /another externalId/ },
  INVALID: { same: 'ENDED', different: 'ENDED', retry: [undefined, undefined], remedy: /another externalId/ },
  DECEASED: { same: 'ENDED', different: 'ENDED', retry: [undefined, undefined], remedy: /nothing is left to do/ },
  FAILED: { same: 'restarts', different: 'restarts', retry: ['AWAITING_CHECKS', undefined], remedy: again },
  CANCELED: { same: 'restarts', different: 'restarts', retry: [undefined, undefined], remedy: again },
  EXPIRED: { same: 'restarts', different: 'restarts', retry: [undefined, undefined], remedy: again },
};

describe.each(onboardingStepWords)('an onboarding that is %s', (step) => {
  it.each(['same', 'different'] as const)('answers the %s request by its rule', async (which) => {
    await bring(step);
    const answer = await post(which === 'same' ? request : different());
    const rule = expected[step][which];
    if (rule === 'no change') expect(answer).toMatchObject({ status: 202, body: { step } });
    if (rule === 'restarts') expect(answer).toMatchObject({ status: 202, body: { step: 'REQUESTED' } });
    if (rule === 'CONFLICT')
      expect(answer).toMatchObject({ status: 409, body: { step, errors: [{ pointer: '#/person/profession' }] } });
    if (rule === 'ENDED')
      expect(answer).toMatchObject({ status: 409, body: { step, type: 'urn:drawbridge:problem:onboarding-ended' } });
    if (answer.status === 409) expect(answer.body.remedy).toMatch(expected[step].remedy ?? /cancel it first/);
    expect(await stepNow()).toBe(rule === 'restarts' ? 'REQUESTED' : step);
  });

  it.each([
    ['with', person, 0],
    ['without', {}, 1],
  ] as const)('takes or refuses a retry, %s a person', async (_, more, place) => {
    await bring(step, more);
    const next = expected[step].retry[place];
    expect(await retry()).toMatchObject({ status: next === undefined ? 409 : 202, body: { step: next ?? step } });
    expect(await stepNow()).toBe(next ?? step);
  });

  it('says in GET what can be done next, if it has ended', async () => {
    await bring(step);
    const { body } = await get();
    const { remedy } = expected[step];
    if (remedy === undefined) expect(body).not.toHaveProperty('remedy');
    else expect(body.remedy).toMatch(remedy);
  });
});

describe('a retry', () => {
  it('is refused when the identification that it would need was deleted', async () => {
    await bring('FAILED', { ...person, mode: 'supplied' });
    expect(await retry()).toMatchObject({ status: 409, body: { step: 'FAILED' } });
  });

  it('hands the onboarding over', async () => {
    await bring('FAILED');
    const before = world.messages().length;
    await retry();
    expect(world.messages()).toHaveLength(before + 1);
  });
});

describe('an onboarding whose person was erased', () => {
  it('answers each request and each operation with 410', async () => {
    await bring('CANCELED');
    await world.store.erase(onboardingId(), await load());
    for (const answer of [await post(request), await post(different()), await retry(), await get()])
      expect(answer).toMatchObject({ status: 410, body: { type: 'urn:drawbridge:problem:person-erased' } });
  });
});

describe('a request that restarts an ended onboarding', () => {
  it.each(['SUSPENDED', 'BLOCKED'] as const)(
    'completes an onboarding whose person was %s, and whose identification was deleted since',
    async (status) => {
      world.close();
      world = createAdvanceWorld({ fails: {} });
      request = { ...request, identification: supplied };
      const { externalId } = request;
      const { naturalPersonId } = world.platform.persons.create({
        ...newNaturalPerson.parse(request.person),
        externalId,
      });
      const become = (...next: readonly NaturalPersonStatus[]) => {
        for (const one of next) world.platform.persons.changeStatus(naturalPersonId, one);
      };
      become('CREATED', 'PENDING', 'ACTIVE', status);
      await post(request);
      await world.run(3_600);
      expect(await stepNow()).toBe(status);
      become('ACTIVE');
      expect(await retry()).toMatchObject({
        status: 409,
        body: { step: status, remedy: expect.stringMatching(/Send the request again/) },
      });
      expect(await post(request)).toMatchObject({ status: 202, body: { step: 'REQUESTED' } });
      await world.run(3_600);
      expect(await load()).toMatchObject({ state: { step: 'COMPLETED', naturalPersonId }, data: {} });
    },
  );

  it.each(['CANCELED', 'EXPIRED'] as const)(
    'leads to COMPLETED after %s, with the person and the verification that are there',
    async (end) => {
      // Time passes: the onboardings of the other tests would go on, too.
      world.close();
      world = createAdvanceWorld({ fails: {} });
      await post(request);
      await world.run(3_600);
      if (end === 'CANCELED') await world.operate('cancel', onboardingId());
      else await world.platform.clock.advance(91 * 86_400);
      await world.run(3_600);
      expect(await stepNow()).toBe(end);
      expect(await post(request)).toMatchObject({ status: 202, body: { step: 'REQUESTED' } });
      await world.run(3_600);
      expect(await stepNow()).toBe('AWAITING_VIDEO_CALL');
      const { naturalPersonId = '' } = (await load()).state;
      const [verification, ...others] = world.platform.verifications.of(naturalPersonId);
      expect(others).toEqual([]);
      world.platform.verifications.endVideoCall(verification?.identificationVerificationId ?? '', 'APPROVED');
      await world.run(3_600);
      expect(await stepNow()).toBe('COMPLETED');
      expect(world.platform.persons.list({ limit: 100 }).data).toHaveLength(1);
    },
  );
});
