import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OnboardingRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { createRequestEvent } from '#functions/onboarding/request-event/request-event.ts';
import { type OnboardingEvent, onboardingEvent } from '#shared/onboarding/onboarding-event.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import {
  type OnboardingStep,
  onboardingSteps,
  onboardingStepWords,
  stepRow,
} from '#shared/onboarding/onboarding-steps.ts';
import { createOnboardingWorld, type World } from '#test/functions/onboarding/onboarding-world.ts';
import { byVideo, sampleRequest } from '#test/functions/onboarding/requests.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';

let emulators: Emulators;
let tableName: string;
let world: World;
let serial = 0;
let request: OnboardingRequest;
let published: OnboardingEvent[];

beforeAll(async () => {
  emulators = await startEmulators();
  tableName = await emulators.createTable('onboardings', 'onboardings');
});
afterAll(() => emulators.close());
beforeEach(async () => {
  serial += 1;
  request = sampleRequest({ externalId: `again-${serial}`, identification: byVideo });
  world = await createOnboardingWorld({ emulators, tableName, platform: { videoCallsAfter: null } });
  published = [];
});
afterEach(() => world.close());

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

async function ask(routeKey: string, body?: unknown): Promise<Answer> {
  const { externalId } = request;
  const pathParameters = { externalId };
  const event = { routeKey, isBase64Encoded: false, pathParameters, body: JSON.stringify(body) };
  const answer = await world.api(event);
  return { status: answer.statusCode, body: JSON.parse(answer.body ?? 'null') };
}

const post = (body: unknown) => ask('POST /onboardings', body);
const retry = () => ask('POST /onboardings/{externalId}/retry');
const get = () => ask('GET /onboardings/{externalId}');
const different = () => ({ ...request, person: { ...request.person, profession: 'Baker' } });

const publishRequest = (detail: unknown, more: object = {}) =>
  createRequestEvent({
    request: world.request,
    publish: async (events) => {
      published.push(...events.map((event) => onboardingEvent.parse(event)));
    },
  })({ id: 'event-1', 'detail-type': 'OnboardingRequested', detail, ...more });

/** An onboarding of the request, as it is at this step. */
async function bring(step: OnboardingStep, { hasPerson = true } = {}): Promise<void> {
  await post(request);
  const row = await world.load(request.externalId);
  const state = { ...row.state, step, ...(hasPerson && { naturalPersonId: `person-${serial}` }) };
  const data = stepRow(step).final ? {} : row.data;
  await world.store.save({ ...row, version: row.version + 1, state, data });
}

const stepNow = async () => (await world.load(request.externalId)).state.step;

type Expected = {
  readonly same: 'no change' | 'restarts' | 'ENDED';
  readonly different: 'CONFLICT' | 'restarts' | 'ENDED';
  /** The step after a retry, with a person and without one; undefined where the retry is refused. */
  readonly retry: readonly [withPerson: OnboardingStep | undefined, withoutPerson: OnboardingStep | undefined];
  /** What the remedy says; undefined where the onboarding is under way. */
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

const finalSteps = onboardingSteps.filter(({ final }) => final).map(({ step }) => step);
const what = ['same', 'different'] as const;
const bodyOf = (which: (typeof what)[number]) => (which === 'same' ? request : different());

describe.each(onboardingStepWords)('an onboarding that is %s', (step) => {
  it.each(what)('answers the %s request by its rule', async (which) => {
    await bring(step);
    const answer = await post(bodyOf(which));
    const rule = expected[step][which];
    if (rule === 'no change') expect(answer).toMatchObject({ status: 202, body: { step } });
    if (rule === 'restarts') expect(answer).toMatchObject({ status: 202, body: { step: 'REQUESTED' } });
    if (rule === 'CONFLICT')
      expect(answer).toMatchObject({ status: 409, body: { step, errors: [{ pointer: '#/person/profession' }] } });
    if (rule === 'ENDED')
      expect(answer).toMatchObject({ status: 409, body: { step, type: 'urn:drawbridge:problem:onboarding-ended' } });
    if (answer.status === 409) expect(answer.body['remedy']).toMatch(expected[step].remedy ?? /cancel it first/);
    expect(await stepNow()).toBe(rule === 'restarts' ? 'REQUESTED' : step);
  });

  it.each(what)('answers the %s request on the bus as it answers the API', async (which) => {
    await bring(step);
    await publishRequest(bodyOf(which));
    const rule = expected[step][which];
    expect(await stepNow()).toBe(rule === 'restarts' ? 'REQUESTED' : step);
    if (rule === 'no change' || rule === 'restarts') expect(published).toEqual([]);
    else
      expect(published).toMatchObject([
        { detailType: 'OnboardingRejected', detail: { outcome: rule, step, remedy: expect.any(String) } },
      ]);
  });

  it.each(['with', 'without'] as const)('takes or refuses a retry, %s a person', async (person) => {
    await bring(step, { hasPerson: person === 'with' });
    const next = expected[step].retry[person === 'with' ? 0 : 1];
    expect(await retry()).toMatchObject({ status: next === undefined ? 409 : 202, body: { step: next ?? step } });
    expect(await stepNow()).toBe(next ?? step);
  });

  it('says in GET what can be done next, if it has ended', async () => {
    await bring(step);
    const { body } = await get();
    const { remedy } = expected[step];
    if (remedy === undefined) expect(body).not.toHaveProperty('remedy');
    else expect(body['remedy']).toMatch(remedy);
  });
});

describe('an onboarding whose person was erased', () => {
  it('answers each request and each operation with 410', async () => {
    await bring('CANCELED');
    await world.store.erase(onboardingIdOf(request.externalId), await world.load(request.externalId));
    for (const answer of [await post(request), await post(different()), await retry(), await get()])
      expect(answer.status).toBe(410);
    await publishRequest(request);
    expect(published).toMatchObject([{ detail: { outcome: 'ERASED' } }]);
  });
});

describe('a request that restarts an ended onboarding', () => {
  it.each(['CANCELED', 'EXPIRED'] as const)(
    'leads to COMPLETED after %s, with the person that is there',
    async (end) => {
      await post(request);
      await world.runTo(request.externalId, 'AWAITING_VIDEO_CALL');
      if (end === 'CANCELED') await ask('POST /onboardings/{externalId}/cancel');
      else await world.platform.clock.advance(91 * 86_400);
      await world.runToEnd(request.externalId);
      expect(await stepNow()).toBe(end);
      await world.platform.clock.advance(1);
      world.platform.settings.change({ videoCallsAfter: 1 });
      expect(await post(request)).toMatchObject({ status: 202, body: { step: 'REQUESTED' } });
      await world.runTo(request.externalId, 'AWAITING_VIDEO_CALL');
      const { naturalPersonId = '' } = (await world.load(request.externalId)).state;
      const [verification, ...others] = world.platform.verifications.of(naturalPersonId);
      expect(others).toEqual([]);
      world.platform.verifications.endVideoCall(verification?.identificationVerificationId ?? '', 'APPROVED');
      await world.runToEnd(request.externalId);
      expect(await stepNow()).toBe('COMPLETED');
      expect(world.persons()).toHaveLength(1);
    },
  );

  it.each(finalSteps)('is none that was made before the onboarding came to %s', async (step) => {
    await bring(step);
    await publishRequest(request, { time: '2026-11-21T07:59:58Z' });
    expect(await stepNow()).toBe(step);
    await publishRequest(request, { time: '2026-11-21T08:00:00Z' });
    expect(await stepNow()).toBe(expected[step].same === 'restarts' ? 'REQUESTED' : step);
  });

  it('is taken where EventBridge gives no time that can be read', async () => {
    await bring('CANCELED');
    await publishRequest(request, { time: 'yesterday' });
    expect(await stepNow()).toBe('REQUESTED');
  });
});
