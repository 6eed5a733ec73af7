import { describe, expect, it } from 'vitest';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import { fault } from '#sandbox/platform/faults/faults.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { startPlatform } from '#test/sandbox/platform/platform-fixture.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';

const eventType = 'IDENTIFICATION_VERIFICATION_NOTIFICATION';

/** A platform with these forms, which keeps the bodies that it delivers. */
function start(answerForms: object, profile: object = {}) {
  const delivered: unknown[] = [];
  const platform = startPlatform({
    settings: { answerForms },
    profile: platformProfile.parse(profile),
    fetch: async (_, init) => {
      delivered.push(JSON.parse(String(init?.body)));
      return new Response(null, { status: 200 });
    },
  });
  async function call(method: string, path: string, body?: unknown, requestorId = '') {
    const authorization = `Bearer ${platform.tokens.issue().accessToken}`;
    const headers = { authorization, 'requestor-id': requestorId };
    const answer = await platform.requestRaw(method, path, { body, headers });
    const type = answer.headers.get('content-type');
    return { ...answer, type, body: type?.includes('json') ? JSON.parse(answer.text) : answer.text };
  }
  return { ...platform, delivered, call };
}

const persons = '/entities/natural-persons';
const verifications = '/entities/identification-verifications';

describe('sandbox platform: the forms of answers', () => {
  it.each([
    ['UTC', {}, '2026-11-21T08:00:00Z'],
    ['LOCAL', {}, '2026-11-21T08:00:00'],
    ['LOCAL', { zone: 'Asia/Kolkata' }, '2026-11-21T13:30:00'],
    ['LOCAL_MINUTES', { zone: 'Asia/Kolkata' }, '2026-11-21T13:30'],
    ['NUMBERS', {}, 1_795_248_000],
    ['NUMBERS', { unit: 'milliseconds' }, 1_795_248_000_000],
  ] as const)('write times as %s with the profile %j: %j', async (times, ofProfile, expected) => {
    const { persons: made, call } = start({ times }, { times: ofProfile });
    made.create(samplePerson);
    expect((await call('GET', persons)).body.data).toMatchObject([
      { createdOn: expected, birthDay: samplePerson.birthDay },
    ]);
  });

  it('write a time that is not there as an empty text, also beside other forms of times', async () => {
    const { persons: made, call } = start({ times: 'NUMBERS', emptyTimes: true });
    made.create(samplePerson);
    expect((await call('GET', persons)).body.data).toMatchObject([{ verifiedOn: '' }]);
  });

  it('write numbers, truth values and statuses otherwise, expires_in and notifications among them', async () => {
    const platform = start({ numbers: 'TEXTS', booleans: 'TEXTS', statuses: 'OBJECTS', tokenType: false });
    platform.registrations.register({ eventType: 'NATURAL_PERSON_NOTIFICATION', url: 'https://partner.example/' });
    const { naturalPersonId } = makeReadyPerson(platform, { annualIncomeNet: 5.5 }, 'ACTIVE');
    const status = { code: 'ACTIVE', name: 'Active' };
    expect((await platform.call('GET', `${persons}/${naturalPersonId}`)).body).toMatchObject({
      annualIncomeNet: '5.5',
      isPep: 'false',
      naturalPersonStatus: status,
    });
    expect(platform.delivered.at(-1)).toMatchObject({ naturalPersonId, status, notificationType: 'UPDATED' });
    const { clientId, clientSecret } = defaultCredentials;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const { body } = await platform.call('POST', '/oauth2/token', new URLSearchParams(form));
    expect(body).toEqual({ access_token: expect.any(String), expires_in: '3600' });
  });

  it.each([
    [{}, { responseType: 'BAD_REQUEST', errorCode: 'VALIDATION_ERROR' }, 'application/json'],
    [
      { errors: 'NESTED' },
      {
        message: 'Bad Request',
        errorDetails: [{ errors: [{ code: 'VALIDATION_ERROR', message: expect.any(String) }] }],
      },
      'application/json',
    ],
    [
      { errors: 'PROBLEM' },
      { title: 'Bad Request', status: 400, detail: expect.stringContaining('VALIDATION_ERROR: ') },
      'application/problem+json',
    ],
  ])('write an error with %j', async (forms, expected, type) => {
    const { newId, call } = start(forms);
    const answer = await call('GET', verifications, undefined, newId());
    expect(answer).toMatchObject({ status: 400, body: expected, type });
    // RFC 6749 has the errors of the token service.
    expect((await call('POST', '/oauth2/token', new URLSearchParams())).body).toEqual({ error: 'invalid_request' });
  });

  it('name the ids of what a create answers id, and accept an update with a text', async () => {
    const platform = start({ createdIds: 'ID', acceptedText: true });
    const { naturalPersonId } = makeReadyPerson(platform, {}, 'CREATED');
    const created = await platform.call('POST', persons, samplePerson);
    expect(Object.keys(created.body)).toEqual(['id']);
    const means = { naturalPersonId, externalVerifier: 'EXTERNAL_VERIFIER_ID', identificationType: 'VIDEO_IDENT' };
    const verification = await platform.call('POST', verifications, means, naturalPersonId);
    expect(Object.keys(verification.body)).toEqual(['id']);
    const active = makeReadyPerson(platform, {}, 'ACTIVE').naturalPersonId;
    const update = { naturalPersonUpdateData: { profession: 'Cook' } };
    const updated = await platform.call('PATCH', `${persons}/${active}`, update, active);
    expect(updated).toMatchObject({ status: 202, text: 'Accepted', type: 'text/plain' });
  });

  it.each([
    ['TEXTS', ['USER_NOTIFICATION']],
    ['PAGE', { data: ['USER_NOTIFICATION'], pagination: { cursor: '', limit: 1_000 } }],
  ])('list missing webhooks as %s', async (missingWebhooks, expected) => {
    const { call } = start({ missingWebhooks }, { eventTypes: ['USER_NOTIFICATION'] });
    expect((await call('GET', '/webhooks-missing')).body).toEqual(expected);
  });

  it.each([
    ['NULL', { limit: 2, cursor: null }],
    ['ABSENT', { limit: 2 }],
  ])('have cursors that are numbers, pages of two at most, and a last cursor that is %s', async (lastCursor, last) => {
    const { persons: made, call } = start({ cursors: 'NUMBERS', lastCursor, pageSize: 2 });
    const ids = ['a', 'b', 'c'].map((externalId) => made.create({ ...samplePerson, externalId }).naturalPersonId);
    const first = (await call('GET', `${persons}?limit=100`)).body;
    expect(first).toMatchObject({ pagination: { cursor: expect.any(Number), limit: 2 } });
    const { cursor } = first.pagination;
    const second = (await call('GET', `${persons}?cursor=${cursor}`)).body;
    expect([...first.data, ...second.data].map(({ naturalPersonId }) => naturalPersonId)).toEqual(ids);
    expect(second.pagination).toEqual(last);
    expect((await call('GET', `${persons}?cursor=${cursor + 1}`)).status).toBe(400);
    expect((await call('GET', '/webhooks-undelivered?cursor=1')).status).toBe(400);
    const logged = (await call('GET', '/control/requests')).body.data;
    expect(logged).toContainEqual(expect.objectContaining({ query: `?cursor=${cursor}` }));
  });

  it.each(['0', '-1', '5.5', 'many'])('accept the limit %s as little as without other forms', async (limit) => {
    const { call } = start({ pageSize: 2, numbers: 'TEXTS' });
    expect((await call('GET', `${persons}?limit=${limit}`)).status).toBe(400);
  });

  it.each([
    ['getToken', 'POST', '/oauth2/token'],
    ['createNaturalPerson', 'POST', persons],
    ['listMissingWebhooks', 'GET', '/webhooks-missing'],
  ])('leave what a fault answers in place of %s as it is', async (operation, method, path) => {
    const { faults, call } = start({ createdIds: 'ID', missingWebhooks: 'PAGE', tokenType: false });
    faults.place(fault.parse({ effect: 'ANSWER', operation, status: 200, body: '[7, "<html>"]' }));
    expect(await call(method, path)).toMatchObject({ status: 200, body: [7, '<html>'] });
  });

  it('have the words of the profile for the statuses of a verification', async () => {
    const platform = start({}, { verificationWords: { success: ['COMPLETED'], waiting: ['OPEN', 'PENDING'] } });
    platform.registrations.register({ eventType, url: 'https://partner.example/' });
    const { naturalPersonId } = makeReadyPerson(platform, {}, 'CREATED');
    const means = { externalVerifier: 'EXTERNAL_VERIFIER_ID', identificationType: 'VIDEO_IDENT' } as const;
    const { identificationVerificationId: id } = platform.verifications.create({ naturalPersonId, ...means });
    const status = async () =>
      (await platform.call('GET', `${verifications}/${id}`, undefined, naturalPersonId)).body.status;
    expect(await status()).toBe('OPEN');
    await platform.clock.advance(5);
    expect(await status()).toBe('PENDING');
    platform.verifications.endVideoCall(id, 'APPROVED');
    expect(await status()).toBe('COMPLETED');
    expect(platform.delivered.at(-1)).toMatchObject({ identificationVerificationId: id, status: 'COMPLETED' });
  });

  it('are written in a triggered webhook and in a made-up undelivered one', async () => {
    const platform = start({ numbers: 'TEXTS' });
    await platform.call('POST', '/webhooks', { eventType: 'TRANSFER_NOTIFICATION', url: 'https://partner.example/' });
    await platform.call('POST', '/control/triggers', { type: 'TRANSFER_NOTIFICATION', set: { amount: 12.5 } });
    expect(platform.delivered).toMatchObject([{ amount: '12.5' }]);
    const madeUp = { count: 1, eventType: 'TRANSFER_NOTIFICATION', status: 'PROCESSED', fields: { amount: 7 } };
    platform.madeUpDeliveries.add({ ...madeUp, malformed: 0 });
    const { body } = await platform.call('GET', '/webhooks-undelivered');
    expect(JSON.parse(body.data[0].body)).toMatchObject({ amount: '7' });
  });
});
