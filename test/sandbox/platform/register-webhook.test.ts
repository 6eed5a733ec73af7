import { beforeEach, describe, expect, it } from 'vitest';
import { type Platform, refusal, startPlatform } from './platform-fixture.ts';

const eventType = 'ORDER_NOTIFICATION';
const url = 'https://partner.example/webhooks/ORDER_NOTIFICATION';
const headers = [{ name: 'x-secret', value: 'abc' }];

let platform: Platform;
beforeEach(() => {
  platform = startPlatform();
});

const register = (data: unknown) => platform.send('POST', '/webhooks', data);
const registered = () => platform.send('GET', `/webhooks/${eventType}`);

describe('registering a webhook', () => {
  it('is answered with 200 and no body', async () => {
    expect(await register({ eventType, url, headers })).toEqual({ status: 200, body: undefined });
  });

  it('shows it with what was given, and when', async () => {
    await register({ eventType, url, headers });
    const webhook = {
      eventType,
      url,
      headers,
      createdOn: '2026-11-21T08:00:00.000Z',
      modifiedOn: '2026-11-21T08:00:00.000Z',
    };
    expect(await registered()).toEqual({ status: 200, body: webhook });
    expect(await platform.send('GET', '/webhooks')).toEqual({ status: 200, body: [webhook] });
  });

  it('needs no headers, and shows none then', async () => {
    await register({ eventType, url });
    expect((await registered()).body).not.toHaveProperty('headers');
  });

  it('again replaces it, and keeps when it was created', async () => {
    await register({ eventType, url, headers });
    platform.pass(60_000);
    await register({ eventType, url: `${url}/new` });
    expect(await platform.send('GET', '/webhooks')).toEqual({
      status: 200,
      body: [
        {
          eventType,
          url: `${url}/new`,
          createdOn: '2026-11-21T08:00:00.000Z',
          modifiedOn: '2026-11-21T08:01:00.000Z',
        },
      ],
    });
  });
});

describe('the URL of a webhook', () => {
  it.each([
    'https://partner.example',
    'http://localhost:3000/hook',
    'http://127.0.0.1:3000/hook',
    'http://[::1]:3000/',
  ])('is HTTPS, or in the sandbox on this machine: %s', async (local) => {
    expect((await register({ eventType, url: local })).status).toBe(200);
  });

  it.each([
    'http://partner.example/hook',
    'http://localhost.partner.example/hook',
    'ftp://localhost/hook',
    'partner.example/hook',
    'not a url',
    '',
    7,
    undefined,
  ])('is nothing else: %s', async (other) => {
    expect(await register({ eventType, url: other })).toEqual(
      refusal(400, 'BAD_REQUEST', expect.stringContaining('url')),
    );
    expect((await registered()).status).toBe(404);
  });
});

describe('the headers of a webhook', () => {
  const header = (index: number) => ({ name: `x-header-${index}`, value: 'a' });
  const some = (count: number) => Array.from({ length: count }, (_, index) => header(index));

  it('are five at the most', async () => {
    expect((await register({ eventType, url, headers: some(5) })).status).toBe(200);
    expect(await register({ eventType, url, headers: some(6) })).toEqual(
      refusal(400, 'BAD_REQUEST', expect.stringContaining('headers')),
    );
  });

  it.each(['', 'two words', ' x', 'x\n', '\t'])('have names without white space: %j', async (name) => {
    expect(await register({ eventType, url, headers: [{ name, value: 'a' }] })).toEqual(
      refusal(400, 'BAD_REQUEST', expect.stringContaining('headers.0.name')),
    );
  });

  it('have a value', async () => {
    expect(await register({ eventType, url, headers: [{ name: 'x' }] })).toEqual(
      refusal(400, 'BAD_REQUEST', expect.stringContaining('headers.0.value')),
    );
  });
});

describe('the event type of a webhook', () => {
  it.each(['WEATHER_NOTIFICATION', 'order_notification', '', 7])(
    'is one that the platform knows: not %s',
    async (other) => {
      expect(await register({ eventType: other, url })).toEqual(
        refusal(400, 'BAD_REQUEST', expect.stringContaining('eventType')),
      );
      expect((await platform.send('GET', '/webhooks')).body).toEqual([]);
    },
  );
});

describe('a body that is no registration', () => {
  it.each(['', '{"eventType":', 'null', '[]', '"text"'])('is refused: %s', async (body) => {
    expect(await register(body)).toEqual(refusal(400, 'BAD_REQUEST', expect.any(String)));
  });

  it('is one with a field that there is not', async () => {
    expect((await register({ eventType, url, secret: 'a' })).status).toBe(400);
  });
});

describe('a webhook that is not registered', () => {
  it('is not found', async () => {
    expect(await registered()).toEqual(refusal(404, 'NOT_FOUND', expect.any(String)));
  });

  it('is listed as missing, in the order of the specification', async () => {
    await register({ eventType, url });
    expect(await platform.send('GET', '/webhooks-missing')).toEqual({
      status: 200,
      body: [{ eventType: 'TRANSFER_NOTIFICATION' }, { eventType: 'PROXY_NOTIFICATION' }],
    });
  });
});

describe('deleting a webhook', () => {
  it('makes it missing again', async () => {
    await register({ eventType, url });
    expect((await platform.send('DELETE', `/webhooks/${eventType}`)).status).toBe(200);
    expect((await registered()).status).toBe(404);
    expect((await platform.send('GET', '/webhooks-missing')).body).toContainEqual({ eventType });
  });
});

describe('an operation that there is not', () => {
  it.each([
    ['GET', '/elsewhere'],
    ['PATCH', '/webhooks'],
  ])('is not found: %s %s', async (method, path) => {
    expect(await platform.send(method, path)).toEqual(refusal(404, 'NOT_FOUND', 'There is no such operation.'));
  });
});
