import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OnboardingRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { createRequestEvent, RequestEventError } from '#functions/onboarding/request-event/request-event.ts';
import { type OnboardingEvent, onboardingEvent } from '#shared/onboarding/onboarding-event.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { readOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import { notAllowed } from '#shared/platform/profile/allow-fields.ts';
import { CrashError, createOnboardingWorld, type World } from '#test/functions/onboarding/onboarding-world.ts';
import { byVideo, notAtAll, sampleRequest, supplied } from '#test/functions/onboarding/requests.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { saidBy } from '#test/shared/platform/client/test-client.ts';

let emulators: Emulators;
let tableName: string;
let world: World;
let serial = 0;
/** A request for a person that no other test uses. */
let request: OnboardingRequest;

beforeAll(async () => {
  emulators = await startEmulators();
  tableName = await emulators.createTable('onboardings', 'onboardings');
});
afterAll(() => emulators.close());
beforeEach(async () => {
  serial += 1;
  request = sampleRequest({ externalId: `partner ${serial}@example`, identification: byVideo });
  world = await createOnboardingWorld({ emulators, tableName });
});
afterEach(async () => {
  await world.close();
  const said = [world.lines.text(), JSON.stringify(world.messages()), ...world.failures.map(saidBy)].join();
  for (const canary of ['Erika', 'Erna', 'Mustermann', '1990-02-03', '@example']) expect(said).not.toContain(canary);
});

type Asked = { readonly body?: unknown; readonly externalId?: string; readonly isBase64Encoded?: boolean };

/** A call of the API as API Gateway hands it over. */
async function ask(routeKey: string, { body, externalId, isBase64Encoded = false }: Asked = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await world.api({
    version: '2.0',
    routeKey,
    isBase64Encoded,
    ...(text !== undefined && { body: isBase64Encoded ? Buffer.from(text).toString('base64') : text }),
    ...(externalId !== undefined && { pathParameters: { externalId } }),
  });
  return { status: answer.statusCode, body: JSON.parse(answer.body ?? 'null') };
}

const post = (body: unknown, more: Asked = {}) => ask('POST /onboardings', { body, ...more });
const get = (externalId = request.externalId) => ask('GET /onboardings/{externalId}', { externalId });
const operate = (what: 'cancel' | 'retry', externalId = request.externalId) =>
  ask(`POST /onboardings/{externalId}/${what}`, { externalId });
/** The platform answers VALIDATION_ERROR, for every requestor. */
function refuseVerifications(): void {
  const body = JSON.stringify({ message: 'No.', errorCode: 'VALIDATION_ERROR' });
  const answer = { effect: 'ANSWER', status: 400, body, share: 1, commits: false } as const;
  world.platform.faults.place({ ...answer, operation: 'createIdentificationVerification' });
}
const queued = () => world.messages().map(({ text }) => readOnboardingMessage(text).onboardingId);
const onboardingId = () => onboardingIdOf(request.externalId);
const otherPerson = () => ({ ...request, person: { ...request.person, firstName: 'Erna', title: 'DR' } });

describe('a gateway that sends null where API Gateway leaves a field out', () => {
  it('creates an onboarding when pathParameters and further fields are null', async () => {
    const absent = { pathParameters: null, queryStringParameters: null, cookies: null };
    const event = { routeKey: 'POST /onboardings', isBase64Encoded: null, body: JSON.stringify(request), ...absent };
    expect((await world.api(event)).statusCode).toBe(202);
    expect(queued()).toEqual([onboardingId()]);
  });

  it('answers 400 when the body is null, as when the body is absent', async () => {
    const event = { routeKey: 'POST /onboardings', pathParameters: null, body: null, isBase64Encoded: false };
    const { body: _, ...without } = event;
    expect(await world.api(event)).toMatchObject({ statusCode: 400 });
    expect(await world.api(event)).toEqual(await world.api(without));
  });
});

describe('POST /onboardings', () => {
  it('is answered 202 with the onboarding, which is durable, and handed over by its id alone', async () => {
    expect(await post(request)).toEqual({
      status: 202,
      body: {
        onboardingId: onboardingId(),
        sequence: 1,
        step: 'REQUESTED',
        since: '2026-11-21T08:00:00.000Z',
        acceptedOn: '2026-11-21T08:00:00.000Z',
        mode: 'video',
        reasons: [],
      },
    });
    expect((await world.load(request.externalId)).data).toEqual({
      person: { ...request.person, externalId: request.externalId },
      redirectUrl: byVideo.redirectUrl,
    });
    expect(world.messages().map(({ text }) => JSON.parse(text))).toEqual([{ onboardingId: onboardingId() }]);
  });

  it('rejects the request, so that it is sent again, when the queue does not confirm the message', async () => {
    const unconfirmed = await createOnboardingWorld({ emulators, tableName, crash: { at: 2, when: 'before' } });
    await expect(unconfirmed.request(request)).rejects.toThrow(CrashError);
    expect(await unconfirmed.load(request.externalId)).toMatchObject({ state: { step: 'REQUESTED' } });
    await unconfirmed.close();
  });

  it('takes a body that API Gateway hands over as base64', async () => {
    expect(await post(request, { isBase64Encoded: true })).toMatchObject({ status: 202 });
  });

  it('400 for bytes that are no UTF-8: a name in another encoding would be a wrong one', async () => {
    const named = { ...request, person: { ...request.person, lastName: 'Müstermann' } };
    const bytes = Buffer.from(JSON.stringify(named), 'latin1');
    const asked = { routeKey: 'POST /onboardings', isBase64Encoded: true, body: bytes.toString('base64') };
    const answer = await world.api(asked);
    expect([answer.statusCode, JSON.parse(answer.body ?? '').errors]).toEqual([
      400,
      [{ pointer: '#', detail: 'must be JSON' }],
    ]);
    expect(await post(named, { isBase64Encoded: true })).toMatchObject({ status: 202 });
    expect((await world.load(request.externalId)).data.person).toMatchObject({ lastName: 'Müstermann' });
  });

  it.each([
    ['no JSON', '{"externalId": "Erika', [{ pointer: '#', detail: 'must be JSON' }]],
    ['no body', undefined, [{ pointer: '#', detail: 'must be JSON' }]],
    ['an invalid field', { ...sampleRequest(), externalId: 5 }, [{ pointer: '#/externalId', detail: 'must be text' }]],
    [
      'a field that does not exist, by a name that may be a value',
      { ...sampleRequest(), 'Erika Mustermann': true },
      [{ pointer: '#', detail: 'has a field that does not exist' }],
    ],
  ])('400 with each field and what is wrong with it: %s', async (_, body, errors) => {
    const type = 'urn:drawbridge:problem:invalid-request';
    expect(await post(body)).toMatchObject({ status: 400, body: { type, status: 400, errors } });
    expect(queued()).toEqual([]);
  });

  it('400 for what could not be kept, and no more than 100 problems', async () => {
    const nationalities = Array.from({ length: 20_000 }, () => ({ countryCode: 'DE' }));
    const large = { ...request, person: { ...request.person, nationalities } };
    expect(await post(large)).toMatchObject({ status: 400, body: { errors: [{ pointer: '#' }] } });
    const wrong = { ...request, person: { ...request.person, sourceOfIncome: nationalities } };
    expect((await post(wrong)).body.errors).toHaveLength(100);
  });

  it('the same twice is the same onboarding, handed over once more', async () => {
    const { body } = await post(request);
    expect(await post(JSON.parse(JSON.stringify(request)))).toEqual({ status: 202, body });
    expect(queued()).toEqual([onboardingId(), onboardingId()]);
  });

  it('creates one onboarding from ten concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(request)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(await world.load(request.externalId)).toMatchObject({ version: 1 });
  });

  it('409 for other data: the fields that differ, and no value', async () => {
    await post(request);
    const answer = await post({ ...otherPerson(), identification: notAtAll });
    expect(answer).toMatchObject({ status: 409 });
    expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
      '#/identification/mode',
      '#/identification/redirectUrl',
      '#/person/firstName',
      '#/person/title',
    ]);
    expect(JSON.stringify(answer)).not.toMatch(/Erika|Erna/);
    expect((await world.load(request.externalId)).version).toBe(1);
  });

  it('409 also when nothing is left of the data', async () => {
    await post(request);
    await world.workOff();
    expect((await world.load(request.externalId)).data).not.toHaveProperty('person');
    expect(await post(otherPerson())).toMatchObject({ status: 409 });
    expect(await post(request)).toMatchObject({ status: 202 });
  });

  it('restarts a canceled onboarding by the same request, and by a corrected one', async () => {
    await post(request);
    await operate('cancel');
    expect(await post(request)).toMatchObject({ status: 202, body: { step: 'REQUESTED' } });
    await operate('cancel');
    const corrected = { ...otherPerson(), identification: { ...supplied, identificationDate: '2026-10-01' } };
    expect(await post(corrected)).toMatchObject({ status: 202, body: { step: 'REQUESTED', mode: 'supplied' } });
    expect((await world.load(request.externalId)).data).toMatchObject({
      person: { firstName: 'Erna' },
      identification: { documentNumber: supplied.documentNumber },
    });
    expect(await post(request)).toMatchObject({ status: 409 });
  });

  it('410 where the person was erased', async () => {
    await post(request);
    await world.erase(request.externalId);
    expect(await post(request)).toMatchObject({ status: 410, body: { type: 'urn:drawbridge:problem:person-erased' } });
    expect(await get()).toMatchObject({ status: 410 });
  });

  it.each(['before', 'after'] as const)(
    'is accepted once it is sent again, after any break %s the I/O',
    async (when) => {
      for (const at of [1, 2]) {
        const externalId = `${request.externalId} ${at} ${when}`;
        const broken = await createOnboardingWorld({ emulators, tableName, crash: { at, when } });
        await broken.accept({ ...request, externalId });
        await broken.runTo(externalId, 'AWAITING_VIDEO_CALL');
        expect(broken.persons()).toHaveLength(1);
        await broken.close();
      }
    },
  );
});

describe('GET /onboardings/{externalId}', () => {
  it('says where it is, since when, what happens next, and nothing of the person', async () => {
    world.platform.settings.change({ acceptSelfBeforeActive: true });
    await post(request);
    await world.runTo(request.externalId, 'AWAITING_VIDEO_CALL');
    const { status, body } = await get();
    expect([status, Object.keys(body).toSorted()]).toEqual([
      200,
      [
        'acceptedOn',
        'identificationUrl',
        'identificationVerificationId',
        'mode',
        'naturalPersonId',
        'onboardingId',
        'reasons',
        'sequence',
        'since',
        'step',
      ],
    ]);
    expect(body.identificationUrl).toContain(body.identificationVerificationId);
    expect(JSON.stringify(body)).not.toMatch(/Erika|Mustermann|1990-02-03|example\/done/);
  });

  it('says why the onboarding does not continue, and which requestor to configure when the person itself is refused', async () => {
    world.platform.settings.change({ acceptSelfBeforeActive: false });
    await post(request);
    await world.runTo(request.externalId, 'AWAITING_REQUESTOR');
    expect((await get()).body.reasons).toEqual([
      {
        code: 'REQUESTOR_NOT_ACTIVE',
        remedy: expect.stringMatching(/Set onboarding\.requestor in the settings file .* retry/),
      },
    ]);
  });

  it('says another remedy where the requestor was ACTIVE and is refused', async () => {
    await world.close();
    const representative = { status: 'ACTIVE', hasProxies: true } as const;
    world = await createOnboardingWorld({ emulators, tableName, representative });
    refuseVerifications();
    await post(request);
    await world.runTo(request.externalId, 'STOPPED');
    const [reason] = (await get()).body.reasons;
    expect(reason).toEqual({ code: 'VALIDATION_ERROR', remedy: expect.stringContaining('the requestor was ACTIVE') });
    expect(reason.remedy).not.toContain('settings file');
  });

  it('returns 404 for an unknown onboarding', async () => {
    expect(await get('nobody')).toMatchObject({ status: 404 });
  });

  it.each(['DELETE /onboardings', 'constructor'])(
    'fails for the route %s, which API Gateway never sends',
    async (key) => {
      await expect(ask(key)).rejects.toThrow('routeKey');
    },
  );
});

describe('an operator cancels or retries an onboarding', () => {
  it('cancel is answered 202, also once more', async () => {
    await post(request);
    expect(await operate('cancel')).toMatchObject({ status: 202, body: { step: 'CANCELED', sequence: 2 } });
    expect(await operate('cancel')).toMatchObject({ status: 202, body: { step: 'CANCELED', sequence: 2 } });
    expect(await operate('retry')).toMatchObject({ status: 409, body: { step: 'CANCELED' } });
    const logged = world.lines
      .text()
      .split('\n')
      .filter((line) => line.includes('onboarding advanced'));
    expect(logged.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ onboardingId: onboardingId(), step: 'CANCELED', reason: 'Canceled' }),
    ]);
  });

  it('retry gives a step its whole time again', async () => {
    await post(request);
    await world.runTo(request.externalId, 'AWAITING_VIDEO_CALL');
    await world.platform.clock.advance(8 * 86_400);
    await world.runUntil(async () => (await get()).body.stalledOn !== undefined);
    expect(await operate('retry')).toMatchObject({ status: 202, body: { step: 'AWAITING_VIDEO_CALL' } });
    expect((await get()).body).not.toHaveProperty('stalledOn');
  });

  it.each([
    ['video', byVideo, 'AWAITING_IDENTIFICATION_URL'],
    ['supplied', { ...supplied, identificationDate: '2026-10-01' }, 'AWAITING_ACTIVATION'],
  ] as const)(
    'calls the platform again immediately on a retry when the platform refused the requestor: %s',
    async (_, identification, next) => {
      world.platform.settings.change({ acceptSelfBeforeActive: false });
      await post({ ...request, identification });
      await world.runTo(request.externalId, 'AWAITING_REQUESTOR');
      // By then the onboarding has backed off to an hour.
      await world.platform.clock.advance(2 * 86_400);
      await world.runUntil(async () => (await get()).body.stalledOn !== undefined);
      world.platform.settings.change({ acceptSelfBeforeActive: true });
      const retriedAt = world.platform.clock.now().getTime();
      expect(await operate('retry')).toMatchObject({ status: 202, body: { step: 'AWAITING_CHECKS' } });
      await world.workOff();
      expect(await get()).toMatchObject({ body: { step: next } });
      expect(world.platform.clock.now().getTime()).toBe(retriedAt);
      await operate('cancel');
    },
  );

  it('retry where the platform still refuses the requestor waits again, with the same remedy', async () => {
    world.platform.settings.change({ acceptSelfBeforeActive: false });
    await post(request);
    await world.runTo(request.externalId, 'AWAITING_REQUESTOR');
    const calls = world.calls.length;
    await operate('retry');
    await world.workOff();
    expect(world.calls.length).toBeGreaterThan(calls);
    expect(await get()).toMatchObject({
      body: { step: 'AWAITING_REQUESTOR', reasons: [{ code: 'REQUESTOR_NOT_ACTIVE' }] },
    });
  });

  it('404 for one that there is not', async () => {
    for (const what of ['cancel', 'retry'] as const)
      expect(await operate(what, 'nobody')).toMatchObject({ status: 404 });
  });

  it('retry is 409 where what it would need was deleted', async () => {
    const body = JSON.stringify({ message: 'No.' });
    world.platform.faults.place({
      operation: 'createNaturalPerson',
      effect: 'ANSWER',
      status: 400,
      body,
      share: 1,
      commits: false,
    });
    await post(request);
    await world.runToEnd(request.externalId);
    expect(await operate('retry')).toMatchObject({ status: 409, body: { step: 'FAILED' } });
    expect(await operate('cancel')).toMatchObject({ status: 409, body: { step: 'FAILED' } });
  });
});

describe('OnboardingRequested on the bus', () => {
  let published: OnboardingEvent[];
  beforeEach(() => {
    published = [];
  });

  const take = (detail: unknown, more: object = {}) =>
    createRequestEvent({
      request: world.request,
      publish: async (events) => {
        published.push(...events.map((event) => onboardingEvent.parse(event)));
      },
    })({ id: 'event-1', source: 'partner', 'detail-type': 'OnboardingRequested', detail, ...more });

  it('is accepted as by the API', async () => {
    await take(request);
    await take(request);
    expect(await world.load(request.externalId)).toMatchObject({ version: 1, state: { step: 'REQUESTED' } });
    expect(published).toEqual([]);
  });

  it('is published as rejected, with each field and without a name that is none', async () => {
    const { gender, ...person } = request.person;
    await take({ ...request, person: { ...person, Mustermann: 1 }, Erika: 1 });
    expect(published).toEqual([
      {
        detailType: 'OnboardingRejected',
        detail: {
          requestEventId: 'event-1',
          onboardingId: onboardingId(),
          outcome: 'INVALID',
          problems: [
            { field: 'person.gender', reason: 'must be text' },
            { field: 'person.?', reason: notAllowed },
            { field: '?', reason: 'is no field' },
          ],
        },
      },
    ]);
  });

  it('is published as rejected where there is one with other data, and where the person was erased', async () => {
    await take(request);
    await take(otherPerson());
    await world.erase(request.externalId);
    await take(request);
    await take({});
    expect(published.map(({ detail }) => ('outcome' in detail ? detail.outcome : undefined))).toEqual([
      'CONFLICT',
      'ERASED',
      'INVALID',
    ]);
    expect(JSON.stringify(published)).not.toMatch(/Erika|Erna|@example/);
  });

  it('publishes at most 100 problems of a rejected request, in less than a tenth of what an entry may hold', async () => {
    const name = (index: number) => `${'n'.repeat(58)}${index}`;
    const mainAddress = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [name(index), 1]));
    await take({ ...request, person: { ...request.person, mainAddress } });
    const [event] = published;
    expect(event?.detail).toMatchObject({ outcome: 'INVALID', problems: { length: 100 } });
    expect(JSON.stringify(event).length).toBeLessThan(25_600);
  });

  it('throws for what is no such event: it is not lost', async () => {
    await expect(take(request, { 'detail-type': 'Erika' })).rejects.toThrow(RequestEventError);
  });
});
