import { describe, expect, it } from 'vitest';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { keepSent, startPlatform } from '#test/sandbox/platform/platform-fixture.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';

/** A platform with these forms. */
function start(answerForms: object, profile: object = {}) {
  const { sent, fetch } = keepSent();
  const platform = startPlatform({ settings: { answerForms }, profile: platformProfile.parse(profile), fetch });
  async function call(method: string, path: string, body?: unknown, requestorId = '') {
    const authorization = `Bearer ${platform.tokens.issue().accessToken}`;
    const headers = { authorization, 'requestor-id': requestorId };
    const answer = await platform.requestRaw(method, path, { body, headers });
    const type = answer.headers.get('content-type');
    return { ...answer, type, body: type?.includes('json') ? JSON.parse(answer.text) : answer.text };
  }
  return { ...platform, sent, call };
}

const persons = '/entities/natural-persons';
const verifications = '/entities/identification-verifications';

describe('sandbox platform: the form of an answer', () => {
  it.each([
    ['UTC', {}, '2026-11-21T08:00:00Z'],
    ['LOCAL', {}, '2026-11-21T08:00:00'],
    ['LOCAL', { zone: 'Asia/Kolkata' }, '2026-11-21T13:30:00'],
    ['LOCAL_MINUTES', { zone: 'Asia/Kolkata' }, '2026-11-21T13:30'],
    ['NUMBERS', {}, 1_795_248_000],
    ['NUMBERS', { unit: 'milliseconds' }, 1_795_248_000_000],
  ] as const)('has times as %s with the profile %j: %j', async (times, ofProfile, expected) => {
    const { persons: made, call } = start({ times }, { times: ofProfile });
    made.create(samplePerson);
    expect((await call('GET', persons)).body.data).toMatchObject([
      { createdOn: expected, birthDay: samplePerson.birthDay },
    ]);
  });

  it('is not that of the body of a fault, which is sent unchanged', async () => {
    const { faults, call } = start({ times: 'LOCAL' });
    const body = '{ "createdOn": "2026-11-21T08:00:00Z", "number": 12345678901234567890 }';
    faults.place({ effect: 'ANSWER', operation: 'listNaturalPersons', status: 200, share: 1, commits: false, body });
    expect((await call('GET', persons)).text).toBe(body);
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
  ])('has an error with %j', async (forms, expected, type) => {
    const { newId, call } = start(forms);
    const answer = await call('GET', verifications, undefined, newId());
    expect(answer).toMatchObject({ status: 400, body: expected, type });
    // RFC 6749 has the errors of the token service.
    expect((await call('POST', '/oauth2/token', new URLSearchParams())).body).toEqual({ error: 'invalid_request' });
  });

  it.each([
    ['NULL', { limit: 2, cursor: null }],
    ['ABSENT', { limit: 2 }],
  ])('has cursors that are numbers, pages of two at most, and a last cursor that is %s', async (lastCursor, last) => {
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

  it('applies to a triggered webhook and to a made-up undelivered one', async () => {
    const platform = start({ numbers: 'TEXTS' });
    await platform.call('POST', '/webhooks', { eventType: 'TRANSFER_NOTIFICATION', url: 'https://partner.example/' });
    await platform.call('POST', '/control/triggers', { type: 'TRANSFER_NOTIFICATION', set: { amount: 12.5 } });
    expect(platform.sent).toMatchObject([{ body: { amount: '12.5' } }]);
    const madeUp = { count: 1, eventType: 'TRANSFER_NOTIFICATION', status: 'PROCESSED', fields: { amount: 7 } };
    platform.madeUpDeliveries.add({ ...madeUp, malformed: 0 });
    const { body } = await platform.call('GET', '/webhooks-undelivered');
    expect(JSON.parse(body.data[0].body)).toMatchObject({ amount: '7' });
  });
});
