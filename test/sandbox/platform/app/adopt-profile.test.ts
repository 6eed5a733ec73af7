import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import { type PlatformServer, startPlatformServer } from '#sandbox/platform/app/serve.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { keepSent, type Sent } from '#test/sandbox/platform/platform-fixture.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';

const profile = platformProfile.parse({
  eventTypes: ['TRANSFER_NOTIFICATION', 'WALLET_NOTIFICATION'],
  places: { TRANSFER_NOTIFICATION: { kind: 'transfer', wrappers: ['payment'], id: ['paymentId'], status: ['state'] } },
  token: { path: '/connect/token', scope: 'partner' },
  webhookPaths: { webhooks: '/hooks', missing: '/hooks-missing', undelivered: '/lost', markDelivered: '/lost/mark' },
  transfersPath: '/payments',
  naturalPersonStatusParameter: 'state',
  additionalFields: {
    person: { nickname: { type: 'text' } },
    address: { floor: { type: 'number', maximum: 99, requiredIn: ['DE'] } },
  },
  sentFields: {
    zip: { minLength: 2, maxLength: 12 },
    phone: { maxLength: 30 },
    maxTextLength: 300,
    hasCapitalEnums: false,
  },
  statuses: {
    'natural-person': [
      { status: 'FROZEN', after: 'ACTIVE', final: false, resting: true, from: ['ACTIVE'], to: ['BLOCKED'] },
    ],
  },
  isExternalIdUnique: false,
});

let server: PlatformServer;
let sent: readonly Sent[];
beforeEach(async () => {
  const kept = keepSent();
  sent = kept.sent;
  server = await startPlatformServer({
    settings: { acceptRedirectUrl: false },
    fetch: kept.fetch,
    now: () => new Date(),
    onError: (error) => expect(error).toBeUndefined(),
  });
});
afterEach(() => server.close());

async function call(method: string, path: string, body?: unknown, requestorId = '') {
  const answer = await fetch(`${server.origin}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${server.platform.tokens.issue().accessToken}`,
      'requestor-id': requestorId,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
}

const webhook = { eventType: 'TRANSFER_NOTIFICATION', url: 'https://partner.example/TRANSFER_NOTIFICATION' };

describe('sandbox platform: adopt', () => {
  it('moves each operation to the path of the profile', async () => {
    server.adopt(profile);
    const { clientId, clientSecret } = defaultCredentials;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const getToken = async (path: string, scope: string) =>
      (await fetch(`${server.origin}${path}`, { method: 'POST', body: new URLSearchParams({ ...form, scope }) }))
        .status;
    expect(await getToken('/connect/token', 'partner')).toBe(200);
    expect(await getToken('/connect/token', 'another')).toBe(400);
    expect(await call('POST', '/hooks', webhook)).toMatchObject({ status: 200 });
    expect(await call('GET', '/hooks-missing')).toEqual({ status: 200, body: [{ eventType: 'WALLET_NOTIFICATION' }] });
    expect(await call('GET', '/lost')).toMatchObject({ status: 200, body: { data: [] } });
    expect(await call('POST', '/lost/mark', {})).toMatchObject({ status: 400 });
    for (const path of ['/webhooks', '/webhooks-missing', '/webhooks-undelivered'])
      expect((await call('GET', path)).status).toBe(404);
  });

  it('filters persons by the parameter, takes the fields, and an externalId twice', async () => {
    server.adopt(profile);
    const create = (more: object = {}) =>
      call('POST', '/entities/natural-persons', { ...samplePerson, nickname: 'Eri', ...more });
    const ids = [await create(), await create()].map(({ body }) => body.naturalPersonId);
    expect(new Set(ids).size).toBe(2);
    const { body } = await call('GET', '/entities/natural-persons?state=RECEIVED');
    expect(body.data).toMatchObject([{ nickname: 'Eri' }, { nickname: 'Eri' }]);
    expect((await call('GET', '/entities/natural-persons?state=ACTIVE')).body.data).toEqual([]);
    const refused = { status: 400, body: { errorDetails: [{ field: 'mainAddress.floor' }] } };
    for (const address of [{ country: 'DE' }, { floor: 100 }, { floor: 'first' }])
      expect(await create({ mainAddress: address })).toMatchObject(refused);
    expect(await create({ mainAddress: { country: 'DE', floor: 4 } })).toMatchObject({ status: 200 });
  });

  it('takes the texts, words and headers that the profile allows, and checks what the profile leaves open', async () => {
    server.adopt(profile);
    const create = (more: object) => call('POST', '/entities/natural-persons', { ...samplePerson, ...more });
    const long = { gender: 'female', birthPlace: 'x'.repeat(300), mainAddress: { zip: '12' }, contact: { phone: '1' } };
    expect(await create(long)).toMatchObject({ status: 200 });
    const fieldsOf = async (more: object) => {
      const { body } = await create(more);
      return body.errorDetails.map(({ field }: { readonly field: string }) => field);
    };
    const zip = '1'.repeat(13);
    expect(await fieldsOf({ birthPlace: 'x'.repeat(301), mainAddress: { zip } })).toEqual([
      'birthPlace',
      'mainAddress.zip',
    ]);
    server.adopt(platformProfile.parse({}));
    const taxDetails = [{ taxId: 'x'.repeat(256) }];
    expect(await fieldsOf({ gender: 'female', sourceOfIncome: ['rent'], taxDetails })).toEqual([
      'gender',
      'sourceOfIncome.0',
      'taxDetails.0.taxId',
    ]);
    const headers = [{ name: 'X-Name', value: 'Jürgen' }];
    expect(await call('POST', '/webhooks', { ...webhook, headers })).toMatchObject({
      status: 400,
      body: { errorDetails: [{ field: 'headers.0.value' }] },
    });
  });

  it('moves persons to the statuses that the profile declares', async () => {
    server.adopt(profile);
    const { body: person } = await call('POST', '/control/natural-persons', { status: 'FROZEN' });
    expect((await call('GET', '/entities/natural-persons?state=FROZEN')).body.data).toMatchObject([person]);
    const become = (naturalPersonStatus: string) =>
      call('POST', `/control/natural-persons/${person.naturalPersonId}/status`, { naturalPersonStatus });
    expect((await become('ACTIVE')).status).toBe(409);
    expect((await become('BLOCKED')).body.history).toMatchObject([
      ...[{ status: 'RECEIVED' }, { status: 'CREATED' }, { status: 'PENDING' }, { status: 'ACTIVE' }],
      ...[{ status: 'FROZEN' }, { status: 'BLOCKED' }],
    ]);
    expect((await become('THAWED')).status).toBe(400);
    expect((await call('GET', '/entities/natural-persons?state=THAWED')).status).toBe(400);
  });

  it('reads transfers at the path, and notifies of them at the place of the profile', async () => {
    server.adopt(profile);
    await call('POST', '/hooks', webhook);
    const { body: person } = await call('POST', '/control/natural-persons', {});
    const { naturalPersonId } = person;
    const { body: made } = await call('POST', '/control/transfers', { naturalPersonId, direction: 'IN', amount: 5 });
    const paymentId = made.transferId;
    expect(await call('GET', `/payments/${paymentId}`, undefined, naturalPersonId)).toMatchObject({ status: 200 });
    await expect.poll(() => sent).toMatchObject([{ body: { payment: { paymentId, state: 'PROCESSED' } } }]);
  });

  it('keeps the settings of the start above those of the environment, also after a reset', async () => {
    server.adopt(profile, { acceptRedirectUrl: true, externalVerifier: 'ANOTHER_VENDOR' });
    const expected = { acceptRedirectUrl: false, externalVerifier: 'ANOTHER_VENDOR', isExternalIdUnique: false };
    expect(server.platform.settings.read()).toMatchObject(expected);
    server.platform.settings.change({ externalVerifier: 'A_THIRD_VENDOR' });
    await call('POST', '/control/reset');
    expect(server.platform.settings.read()).toMatchObject(expected);
  });
});
