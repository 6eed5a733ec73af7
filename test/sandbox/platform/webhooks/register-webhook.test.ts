import { beforeEach, describe, expect, it } from 'vitest';
import { eventTypes } from '#shared/platform/profile/event-type.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { refusal, startPlatform, type TestPlatform } from '#test/sandbox/platform/platform-fixture.ts';

const eventType = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
const url = 'https://partner.example/webhooks/TRADITIONAL_ASSET_ORDER_NOTIFICATION';
const headers = [{ name: 'x-secret', value: 'abc' }];

let platform: TestPlatform;
beforeEach(() => {
  platform = startPlatform();
});

const register = (data: unknown) => platform.send('POST', '/webhooks', data);
const registered = () => platform.send('GET', `/webhooks/${eventType}`);
const badRequest = (field: string) => refusal(400, 'BAD_REQUEST', expect.stringContaining(field));

describe('sandbox platform: registering a webhook (section 2.1)', () => {
  it('answers with 200 without a body', async () => {
    expect(await register({ eventType, url, headers })).toEqual({ status: 200, body: undefined });
  });

  it('returns the registration with its time', async () => {
    await register({ eventType, url, headers });
    const { body: webhook } = await registered();
    expect(webhook).toEqual({
      eventType,
      url,
      headers,
      createdOn: '2026-11-21T08:00:00Z',
      modifiedOn: '2026-11-21T08:00:00Z',
    });
    expect(await platform.send('GET', '/webhooks')).toEqual({ status: 200, body: [webhook] });
  });

  it.each([undefined, []])('registers without headers (%j) and then returns no headers field', async (none) => {
    await register({ eventType, url, headers: none });
    expect((await registered()).body).not.toHaveProperty('headers');
  });

  it('replaces an earlier registration and keeps its creation time', async () => {
    await register({ eventType, url, headers });
    await platform.clock.advance(60);
    await register({ eventType, url: `${url}/new` });
    expect(await platform.send('GET', '/webhooks')).toEqual({
      status: 200,
      body: [{ eventType, url: `${url}/new`, createdOn: '2026-11-21T08:00:00Z', modifiedOn: '2026-11-21T08:01:00Z' }],
    });
  });

  it('accepts a missing Requestor-ID and ignores a given one', async () => {
    const { status } = await platform.send('POST', '/webhooks', { eventType, url }, { 'requestor-id': 'nobody' });
    expect(status).toBe(200);
  });
});

describe('sandbox platform: the url of a webhook (section 2.1)', () => {
  it.each([
    'https://partner.example',
    'HTTPS://partner.example:8443/a/b?c=d&e=%C3%A4#f',
    'http://localhost:3000/hook',
    'http://127.0.0.1:3000/hook',
    'http://[::1]:3000/',
  ])('accepts plain http on this machine: %s', async (allowed) => {
    expect((await register({ eventType, url: allowed })).status).toBe(200);
    expect((await registered()).body).toMatchObject({ url: allowed });
  });

  it.each([
    'http://partner.example/hook',
    'http://localhost.partner.example/hook',
    'http://localhost@partner.example/hook',
    'https://user:password@partner.example/hook',
    'ftp://localhost/hook',
    'javascript:alert(1)',
    'https:partner.example',
    'https:/partner.example',
    'https://partner.example/two words',
    'https://partner.example/ä',
    'https://partner.example\\hook',
    'https://partner.example/\nhook',
    'partner.example/hook',
    'not a url',
    'https://',
    '',
    7,
    null,
    undefined,
  ])('rejects the url %j', async (other) => {
    expect(await register({ eventType, url: other })).toEqual(badRequest('url'));
    expect((await registered()).status).toBe(404);
  });
});

describe('sandbox platform: the headers of a webhook (section 2.1)', () => {
  const header = (index: number) => ({ name: `x-header-${index}`, value: 'a' });
  const some = (count: number) => Array.from({ length: count }, (_, index) => header(index));

  it('accepts at most five headers', async () => {
    expect((await register({ eventType, url, headers: some(5) })).status).toBe(200);
    expect(await register({ eventType, url, headers: some(6) })).toEqual(badRequest('headers'));
  });

  it.each(['', 'two words', ' x', 'x\n', '\t', 'x:', 'ä'])('rejects the header name %j', async (name) => {
    expect(await register({ eventType, url, headers: [{ name, value: 'a' }] })).toEqual(badRequest('headers.0.name'));
  });

  it('rejects a header without a value', async () => {
    expect(await register({ eventType, url, headers: [{ name: 'x' }] })).toEqual(badRequest('headers.0.value'));
  });

  it.each(['a\r\nx-injected: 1', 'a\n', 'a\0', '€'])('rejects the header value %j', async (value) => {
    expect(await register({ eventType, url, headers: [{ name: 'x', value }] })).toEqual(badRequest('headers.0.value'));
  });

  it.each(['', ' a b\t', 'ÿ', 'a'.repeat(4_000)])('accepts the header value %j', async (value) => {
    expect((await register({ eventType, url, headers: [{ name: 'x', value }] })).status).toBe(200);
  });
});

describe('sandbox platform: EventTypeEnum (section 2.1)', () => {
  it('accepts each event type of section 2.1', async () => {
    for (const each of eventTypes) expect((await register({ eventType: each, url })).status).toBe(200);
    expect((await platform.send('GET', '/webhooks')).body).toMatchObject(
      eventTypes.map((eventType) => ({ eventType })),
    );
  });

  it.each(['WEATHER_NOTIFICATION', 'transfer_notification', '', 7, null])(
    'rejects the event type %j',
    async (other) => {
      expect(await register({ eventType: other, url })).toEqual(badRequest('eventType'));
      expect((await platform.send('GET', '/webhooks')).body).toEqual([]);
    },
  );

  it('accepts further event types of a newer platform', async () => {
    const known = 'TRANSFER_NOTIFICATION';
    platform = startPlatform({ newEventTypes: ['WEATHER_NOTIFICATION', known] });
    expect((await register({ eventType: 'WEATHER_NOTIFICATION', url })).status).toBe(200);
    expect((await platform.send('GET', '/webhooks-missing')).body).toEqual(
      eventTypes.map((each) => ({ eventType: each })),
    );
  });
});

describe('sandbox platform: invalid WebhookData (section 2.1)', () => {
  it.each(['', '{"eventType":', 'null', '[]', '"text"', '7'])('rejects a body that is %s', async (body) => {
    expect(await register(body)).toEqual(refusal(400, 'BAD_REQUEST', expect.any(String)));
  });

  it('rejects unknown and read-only fields', async () => {
    expect(await register({ eventType, url, secret: 'a' })).toEqual(badRequest('secret'));
    expect(await register({ eventType, url, createdOn: '2026-11-21T08:00:00Z' })).toEqual(badRequest('createdOn'));
  });

  it('names each invalid field in errorDetails', async () => {
    const { body } = await register({ url: 7, extra: true });
    expect(body).toMatchObject({
      errorDetails: [
        { field: 'eventType', errors: [{ code: 'MISSING' }] },
        { field: 'url', errors: [{ code: 'INVALID' }] },
        { field: 'extra', errors: [{ code: 'UNKNOWN_FIELD' }] },
      ],
    });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'rejects the Content-Type %s (section 4)',
    async (contentType) => {
      const answer = await platform.send('POST', '/webhooks', { eventType, url }, { 'content-type': contentType });
      expect(answer).toEqual(badRequest('Content-Type: application/json'));
      expect(platform.registrations.list()).toEqual([]);
    },
  );
});

describe('sandbox platform: missing webhooks (section 2.1)', () => {
  it('answers with 404 for a webhook that is not registered', async () => {
    expect(await registered()).toEqual(refusal(404, 'NOT_FOUND', expect.any(String)));
  });

  it('lists missing webhooks in the order of the specification', async () => {
    await register({ eventType, url });
    expect(await platform.send('GET', '/webhooks-missing')).toEqual({
      status: 200,
      body: eventTypes.filter((each) => each !== eventType).map((each) => ({ eventType: each })),
    });
  });

  it('lists a deleted webhook as missing, and accepts a second delete', async () => {
    await register({ eventType, url });
    for (let time = 0; time < 2; time += 1)
      expect(await platform.send('DELETE', `/webhooks/${eventType}`)).toEqual({ status: 200, body: undefined });
    expect((await registered()).status).toBe(404);
    expect((await platform.send('GET', '/webhooks-missing')).body).toContainEqual({ eventType });
  });
});

describe('sandbox platform: webhook paths of the platform profile', () => {
  it('serves configured paths even if one is below another', async () => {
    const webhookPaths = {
      webhooks: '/hooks',
      missing: '/hooks/missing',
      undelivered: '/hooks/undelivered',
      markDelivered: '/hooks/undelivered/done',
    };
    platform = startPlatform({ profile: platformProfile.parse({ webhookPaths, eventTypes: [eventType] }) });
    expect((await platform.send('POST', '/hooks', { eventType, url })).status).toBe(200);
    expect((await platform.send('GET', '/hooks/missing')).body).toEqual([]);
    expect((await platform.send('GET', '/hooks/undelivered')).body).toMatchObject({ data: [] });
    expect((await platform.send('POST', '/hooks/undelivered/done', {})).status).toBe(400);
    expect((await platform.send('GET', `/hooks/${eventType}`)).body).toMatchObject({ url });
    expect((await platform.send('GET', '/webhooks')).status).toBe(404);
  });
});

describe('sandbox platform: unknown operations', () => {
  it.each([
    ['GET', '/elsewhere'],
    ['PATCH', '/webhooks'],
    ['GET', '/webhooks/'],
    ['GET', '/webhooks/a/b'],
  ])('answers %s %s with 404', async (method, path) => {
    expect(await platform.send(method, path)).toEqual(refusal(404, 'NOT_FOUND', 'There is no such operation.'));
  });
});
