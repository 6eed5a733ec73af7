import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nextVersion } from '#shared/aws/dynamodb.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { type AdvanceWorld, createAdvanceWorld } from '#test/functions/onboarding/advance/advance-world.ts';
import { byVideo, notAtAll, sampleRequest, supplied } from '#test/functions/onboarding/requests.ts';

const externalId = 'partner 1@example';
const onboardingId = onboardingIdOf(externalId);
const request = sampleRequest({ externalId, identification: byVideo });
const otherPerson = { ...request, person: { ...request.person, firstName: 'Erna', title: 'DR' } };
let world: AdvanceWorld;

beforeEach(() => {
  world = createAdvanceWorld({ fails: {} });
});
/** The personal data of a request is neither logged nor sent to the queue, in any of these tests (promise 8). */
afterEach(() => {
  const said = world.written() + JSON.stringify(world.messages());
  for (const canary of ['Erika', 'Erna', 'Mustermann', '1990-02-03', '@example']) expect(said).not.toContain(canary);
  world.close();
});

const firstSequence = nextVersion(undefined, new Date('2026-11-21T08:00:00Z'));
const post = (body: unknown, isBase64Encoded = false) => world.ask('POST /onboardings', { body, isBase64Encoded });
const queued = () => world.messages().map(({ body }) => JSON.parse(body));

describe('POST /onboardings', () => {
  it('answers 202 with the onboarding once it is durable, and hands over only its id', async () => {
    expect(await post(request)).toEqual({
      status: 202,
      body: {
        onboardingId,
        sequence: firstSequence,
        step: 'REQUESTED',
        since: '2026-11-21T08:00:00.000Z',
        acceptedOn: '2026-11-21T08:00:00.000Z',
        mode: 'video',
        reasons: [],
      },
    });
    expect((await world.load(externalId)).data).toEqual({
      person: { ...request.person, externalId },
      redirectUrl: byVideo.redirectUrl,
    });
    expect(queued()).toEqual([{ onboardingId }]);
  });

  it.each([
    ['it creates the onboarding', 'save REQUESTED'],
    ['it sends the message', 'send'],
  ])('answers 503 when AWS fails as %s, and accepts the same request then', async (_, failing) => {
    world.watch((io) => {
      if (io === failing) throw new Error('AWS does not answer.');
    });
    expect(await post(request)).toMatchObject({ status: 503 });
    world.watch(() => undefined);
    expect(await post(request)).toMatchObject({ status: 202 });
    expect(queued()).toEqual([{ onboardingId }]);
  });

  it('reads a body that a gateway hands over as base64, in UTF-8 only', async () => {
    const named = { ...request, person: { ...request.person, lastName: 'Müstermann' } };
    const body = Buffer.from(JSON.stringify(named), 'latin1').toString('base64');
    const answer = await world.api({ routeKey: 'POST /onboardings', isBase64Encoded: true, body });
    expect([answer.statusCode, JSON.parse(answer.body ?? '').errors]).toEqual([
      400,
      [{ pointer: '#', detail: 'must be JSON' }],
    ]);
    expect(await post(named, true)).toMatchObject({ status: 202 });
    expect((await world.load(externalId)).data.person).toMatchObject({ lastName: 'Müstermann' });
  });

  it('takes null for a field that a gateway leaves out', async () => {
    const absent = { routeKey: 'POST /onboardings', isBase64Encoded: null, pathParameters: null };
    expect(await world.api({ ...absent, queryStringParameters: null, body: null })).toMatchObject({ statusCode: 400 });
    expect(await world.api({ ...absent, body: JSON.stringify(request) })).toMatchObject({ statusCode: 202 });
  });

  it.each([
    ['no JSON', '{"externalId": "Erika', [{ pointer: '#', detail: 'must be JSON' }]],
    ['no body', undefined, [{ pointer: '#', detail: 'must be JSON' }]],
    ['an invalid field', { ...request, externalId: 5 }, [{ pointer: '#/externalId', detail: 'must be text' }]],
    [
      'a field that does not exist, by a name that may be a value',
      { ...request, 'Erika Mustermann': true },
      [{ pointer: '#', detail: 'has a field that does not exist' }],
    ],
  ])('answers 400 with each field and what is wrong with it: %s', async (_, body, errors) => {
    const type = 'urn:drawbridge:problem:invalid-request';
    expect(await post(body)).toMatchObject({ status: 400, body: { type, status: 400, errors } });
    expect(queued()).toEqual([]);
  });

  it('answers 400 to a request for a video call when the environment has no vendor for it, and takes other modes', async () => {
    world.close();
    world = createAdvanceWorld({ fails: {}, settings: { externalVerifier: 'NONE' } });
    const detail = expect.stringContaining('Send supplied or none');
    expect(await post(request)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '#/identification/mode', detail }] },
    });
    expect(queued()).toEqual([]);
    expect(await post({ ...request, identification: notAtAll })).toMatchObject({ status: 202 });
  });

  it('answers 400 when the request is too large for a row', async () => {
    const nationalities = Array.from({ length: 20_000 }, () => ({ countryCode: 'DE' }));
    const large = { ...request, person: { ...request.person, nationalities } };
    expect(await post(large)).toMatchObject({ status: 400, body: { errors: [{ pointer: '#' }] } });
  });

  it('answers the same request again with the same onboarding, and hands it over once more', async () => {
    const { body } = await post(request);
    expect(await post(JSON.parse(JSON.stringify(request)))).toEqual({ status: 202, body });
    expect(queued()).toEqual([{ onboardingId }, { onboardingId }]);
  });

  it('answers 409 to other data with the fields that differ and no value', async () => {
    await post(request);
    const { version } = await world.load(externalId);
    const answer = await post({ ...otherPerson, identification: notAtAll });
    expect(answer).toMatchObject({ status: 409 });
    expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
      '#/identification/mode',
      '#/identification/redirectUrl',
      '#/person/firstName',
      '#/person/title',
    ]);
    expect(JSON.stringify(answer)).not.toMatch(/Erika|Erna/);
    expect((await world.load(externalId)).version).toBe(version);
  });

  it('answers 409 to other data without the fields once the platform has the person', async () => {
    await post(request);
    await world.run(60);
    const { data, digests } = await world.load(externalId);
    expect(data).not.toHaveProperty('person');
    expect(digests.fields).toEqual({});
    expect(await post(otherPerson)).toMatchObject({
      status: 409,
      body: { errors: [{ pointer: '#', detail: 'differs from the earlier request' }] },
    });
    expect(await post(request)).toMatchObject({ status: 202 });
  });

  it('restarts a canceled onboarding with a corrected request, to which later requests are compared', async () => {
    await post(request);
    await world.operate('cancel', onboardingId);
    const corrected = { ...otherPerson, identification: { ...supplied, identificationDate: '2026-10-01' } };
    expect(await post(corrected)).toMatchObject({ status: 202, body: { step: 'REQUESTED', mode: 'supplied' } });
    expect((await world.load(externalId)).data).toMatchObject({
      person: { firstName: 'Erna' },
      identification: { documentNumber: supplied.documentNumber },
    });
    expect(await post(request)).toMatchObject({ status: 409 });
  });
});

describe('GET /onboardings/{externalId}', () => {
  it('says where the onboarding is, since when, what happens next, nothing of the person, and below /progress no link of the video call', async () => {
    await post(request);
    await world.run(600);
    const { status, body } = await world.ask('GET /onboardings/{externalId}', { externalId });
    expect({ status, ...body }).toEqual({
      status: 200,
      onboardingId,
      sequence: expect.any(Number),
      step: 'AWAITING_VIDEO_CALL',
      since: expect.any(String),
      acceptedOn: '2026-11-21T08:00:00.000Z',
      mode: 'video',
      naturalPersonId: expect.any(String),
      identificationVerificationId: expect.any(String),
      identificationUrl: expect.stringContaining(body.identificationVerificationId),
      reasons: [],
    });
    const { identificationUrl: _, ...withoutLink } = body;
    expect(await world.ask('GET /onboardings/{externalId}/progress', { externalId })).toEqual({
      status: 200,
      body: { ...withoutLink, hasIdentificationUrl: true },
    });
  });
});

describe('the cancellation of an onboarding', () => {
  const cancel = () => world.ask('POST /onboardings/{externalId}/cancel', { externalId });

  it('answers 202, also once more, and is logged as part of the history', async () => {
    await post(request);
    expect(await cancel()).toMatchObject({ status: 202, body: { step: 'CANCELED', sequence: firstSequence + 1 } });
    expect(await cancel()).toMatchObject({ status: 202, body: { step: 'CANCELED', sequence: firstSequence + 1 } });
    const logged = world.written().split('\n');
    expect(logged.filter((line) => line.includes('onboarding advanced')).map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ onboardingId, step: 'CANCELED', reason: 'Canceled' }),
    ]);
  });

  it('answers 409 when the onboarding has ended otherwise', async () => {
    await post(request);
    const row = await world.load(externalId);
    await world.store.save({ ...row, version: row.version + 1, state: { ...row.state, step: 'FAILED' } });
    expect(await cancel()).toMatchObject({ status: 409, body: { step: 'FAILED' } });
  });
});

describe('an externalId without an onboarding', () => {
  it.each([
    'GET /onboardings/{externalId}',
    'GET /onboardings/{externalId}/progress',
    'POST /onboardings/{externalId}/cancel',
    'POST /onboardings/{externalId}/retry',
  ])('is answered 404: %s', async (routeKey) => {
    expect(await world.ask(routeKey, { externalId: 'nobody' })).toMatchObject({ status: 404 });
  });
});
