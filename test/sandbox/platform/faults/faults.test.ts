import { Hono } from 'hono';
import { beforeEach, describe, expect, it } from 'vitest';
import { commitFaults } from '#sandbox/platform/faults/commit-faults.ts';
import { refusal, startPlatform, type TestPlatform } from '#test/sandbox/platform/platform-fixture.ts';

let platform: TestPlatform;
beforeEach(() => {
  platform = startPlatform();
});

const webhook = { eventType: 'TRANSFER_NOTIFICATION', url: 'https://partner.example/hook' };
const place = (fault: unknown) => platform.request('POST', '/control/faults', { body: fault });
const register = () => platform.send('POST', '/webhooks', webhook);
const list = () => platform.send('GET', '/webhooks');
const placed = async () => (await platform.request('GET', '/control/faults')).body;
const happened = async () => ((await placed()) as { happened: number }[]).map((fault) => fault.happened);
const broken = refusal(500, 'INTERNAL_SERVER_ERROR', 'A fault was placed here.');

/** How often it befell so many calls. */
async function failuresOf(calls: number): Promise<number> {
  let failures = 0;
  for (let call = 0; call < calls; call += 1) if ((await list()).status !== 200) failures += 1;
  return failures;
}

/** With a token, and held against no OpenAPI. */
async function sendRaw(method: string, path: string, body?: unknown) {
  const { accessToken } = platform.tokens.issue();
  return platform.requestRaw(method, path, { body, headers: { authorization: `Bearer ${accessToken}` } });
}

describe('design, faults: ANSWER answers in place of the platform', () => {
  it('with an error body, until it is removed', async () => {
    const { status, body } = await place({ effect: 'ANSWER', status: 500, operation: 'listWebhooks' });
    const fault = { effect: 'ANSWER', status: 500, operation: 'listWebhooks', share: 1, commits: false };
    expect({ status, body }).toEqual({ status: 200, body: { id: expect.any(String), fault, happened: 0 } });
    expect(await list()).toEqual(broken);
    expect(await list()).toEqual(broken);
    expect(await happened()).toEqual([2]);
    const { id } = body as { id: string };
    expect(await platform.request('DELETE', `/control/faults/${id}`)).toEqual({ status: 200, body: undefined });
    expect((await list()).status).toBe(200);
    expect(await placed()).toEqual([]);
  });

  it('with 429 and Retry-After', async () => {
    await place({ effect: 'ANSWER', status: 429, retryAfter: '7' });
    const { status, headers } = await sendRaw('GET', '/webhooks');
    expect([status, headers.get('retry-after')]).toEqual([429, '7']);
    expect(await list()).toEqual(refusal(429, 'TOO_MANY_REQUESTS', expect.any(String)));
  });

  it('with any body, as it is', async () => {
    await place({ effect: 'ANSWER', status: 200, body: '<html>not what you think' });
    expect(await sendRaw('GET', '/webhooks')).toMatchObject({ status: 200, text: '<html>not what you think' });
  });

  it.each([204, 205, 304])('with %i, which has no body', async (status) => {
    await place({ effect: 'ANSWER', status, body: 'not sent' });
    expect(await sendRaw('GET', '/webhooks')).toMatchObject({ status, text: '' });
  });

  it('to somebody without a token, too: it is the way to the platform that is broken', async () => {
    await place({ effect: 'ANSWER', status: 503, operation: 'listWebhooks' });
    expect((await platform.request('GET', '/webhooks')).status).toBe(503);
  });
});

describe('design, faults: “commit, then answer 500”', () => {
  it('does what was asked for, although the answer says otherwise', async () => {
    await place({ effect: 'ANSWER', status: 500, operation: 'registerWebhook', commits: true });
    expect(await register()).toEqual(broken);
    expect(platform.registrations.get(webhook.eventType)).toMatchObject(webhook);
  });

  it('and unless told so does nothing', async () => {
    await place({ effect: 'ANSWER', status: 500, operation: 'registerWebhook' });
    expect(await register()).toEqual(broken);
    expect(platform.registrations.list()).toEqual([]);
  });

  it('carries nothing of the true answer over', async () => {
    await place({ effect: 'ANSWER', status: 500, operation: 'getToken', commits: true });
    const { headers, text } = await platform.requestRaw('POST', '/oauth2/token', {
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'sandbox',
        client_secret: 'sandbox-secret',
      }),
    });
    expect(platform.tokens.issued()).toBe(1);
    expect(headers.get('cache-control')).toBeNull();
    expect(JSON.parse(text)).toMatchObject({ message: 'A fault was placed here.' });
  });

  it('does nothing that the platform refuses', async () => {
    await place({ effect: 'ANSWER', status: 500, commits: true });
    expect((await platform.send('POST', '/webhooks', { ...webhook, url: 'http://partner.example' })).status).toBe(500);
    expect(platform.registrations.list()).toEqual([]);
    expect(platform.errors).toEqual([]);
  });
});

describe('design, faults: NO_ANSWER without a socket is an answer that says so', () => {
  it.each([true, false])('commits: %s', async (commits) => {
    await place({ effect: 'NO_ANSWER', operation: 'registerWebhook', commits });
    expect(await register()).toEqual(refusal(500, 'INTERNAL_SERVER_ERROR', 'A fault breaks the connection here.'));
    expect(platform.registrations.list()).toHaveLength(commits ? 1 : 0);
    expect(platform.errors).toEqual([]);
  });
});

describe('design, faults: LATENCY answers late, as the platform would', () => {
  it('and happens together with another fault', async () => {
    await place({ effect: 'LATENCY', milliseconds: 5 });
    await place({ effect: 'LATENCY', milliseconds: 5 });
    expect(await list()).toEqual({ status: 200, body: [] });
    await place({ effect: 'ANSWER', status: 500 });
    expect(await list()).toEqual(broken);
    expect(await happened()).toEqual([2, 2, 1]);
  });

  it('each of them by the time that it says, of real time', async () => {
    const { faults, newId } = platform;
    const waited: number[] = [];
    const wait = async (milliseconds: number) => void waited.push(milliseconds);
    const app = new Hono().use(commitFaults({ faults, newId, wait, operationOf: () => 'listWebhooks' }));
    app.get('/', (context) => context.text('the true answer'));
    for (const milliseconds of [120_000, 0, 7]) await place({ effect: 'LATENCY', milliseconds });
    expect(await (await app.request('/')).text()).toBe('the true answer');
    expect(waited).toEqual([120_000, 0, 7]);
  });
});

describe('design, faults: which calls they befall', () => {
  it('those of one operation', async () => {
    await place({ effect: 'ANSWER', status: 500, operation: 'getWebhook' });
    expect((await list()).status).toBe(200);
    expect((await platform.send('GET', '/webhooks/TRANSFER_NOTIFICATION')).status).toBe(500);
    expect((await platform.send('DELETE', '/webhooks/TRANSFER_NOTIFICATION')).status).toBe(200);
  });

  it('those of all, Get Token included, but never those of the control API, nor what is no operation', async () => {
    const { accessToken } = platform.tokens.issue();
    const headers = { authorization: `Bearer ${accessToken}` };
    await place({ effect: 'ANSWER', status: 503 });
    expect((await platform.request('GET', '/webhooks', { headers })).status).toBe(503);
    expect((await platform.requestRaw('POST', '/oauth2/token')).status).toBe(503);
    expect((await platform.request('GET', '/control/clock')).status).toBe(200);
    expect((await platform.request('GET', '/elsewhere', { headers })).status).toBe(404);
    expect((await platform.requestRaw('GET', '/openapi.json')).status).toBe(200);
  });

  it('a HEAD as the GET that it stands for', async () => {
    await place({ effect: 'ANSWER', status: 503, operation: 'listWebhooks' });
    expect((await platform.requestRaw('HEAD', '/webhooks')).status).toBe(503);
  });

  it('a share of them, the same calls for the same seed', async () => {
    await place({ effect: 'ANSWER', status: 500, share: 0.3 });
    const failures = await failuresOf(200);
    expect(failures).toBeGreaterThan(40);
    expect(failures).toBeLessThan(80);
    expect(await happened()).toEqual([failures]);
    platform = startPlatform();
    await place({ effect: 'ANSWER', status: 500, share: 0.3 });
    expect(await failuresOf(200)).toBe(failures);
  });

  it('so many, and then no more', async () => {
    await place({ effect: 'ANSWER', status: 500, times: 3 });
    await list();
    expect(await failuresOf(10)).toBe(2);
    expect(await happened()).toEqual([3]);
  });

  it('for so long by the clock of the platform, and then no more', async () => {
    await place({ effect: 'ANSWER', status: 500, seconds: 60 });
    await platform.clock.advance(59.999);
    expect((await list()).status).toBe(500);
    await platform.clock.advance(0.001);
    expect((await list()).status).toBe(200);
    expect(await happened()).toEqual([1]);
  });

  it('the first that was placed answers; the next one when it is over', async () => {
    await place({ effect: 'ANSWER', status: 503, times: 1 });
    await place({ effect: 'ANSWER', status: 429, times: 1 });
    expect([(await list()).status, (await list()).status, (await list()).status]).toEqual([503, 429, 200]);
  });
});

describe('design, faults: the control API', () => {
  it('removes all at once', async () => {
    await place({ effect: 'ANSWER', status: 500 });
    await place({ effect: 'NO_ANSWER' });
    expect(await platform.request('DELETE', '/control/faults')).toEqual({ status: 200, body: undefined });
    expect(await placed()).toEqual([]);
    expect((await list()).status).toBe(200);
  });

  it('says when there is none of this id', async () => {
    expect(await platform.request('DELETE', '/control/faults/a5c1e0f4-1c7b-4e62-9d3a-0b8f6d2c7e91')).toEqual(
      refusal(404, 'NOT_FOUND', 'There is no such fault.'),
    );
  });

  it.each([
    ['effect', {}],
    ['effect', { effect: 'EXPLODE' }],
    ['status', { effect: 'ANSWER' }],
    ['status', { effect: 'ANSWER', status: 199 }],
    ['status', { effect: 'ANSWER', status: 600 }],
    ['retryAfter', { effect: 'ANSWER', status: 429, retryAfter: '7\r\nx-injected: 1' }],
    ['share', { effect: 'NO_ANSWER', share: 0 }],
    ['share', { effect: 'NO_ANSWER', share: 1.5 }],
    ['times', { effect: 'NO_ANSWER', times: 0 }],
    ['seconds', { effect: 'NO_ANSWER', seconds: -1 }],
    ['milliseconds', { effect: 'LATENCY' }],
    ['status', { effect: 'LATENCY', milliseconds: 1, status: 500 }],
    ['operation', { effect: 'NO_ANSWER', operation: 'listWebhook' }],
  ])('refuses what is no fault, and names the field: %s of %j', async (field, fault) => {
    expect(await place(fault)).toEqual(refusal(400, 'BAD_REQUEST', expect.stringContaining(field)));
    expect(await placed()).toEqual([]);
  });

  it('tells which operations there are when it is given another', async () => {
    const { body } = await place({ effect: 'NO_ANSWER', operation: 'listWebhook' });
    expect((body as { message: string }).message).toMatch(/getToken, .*listWebhooks/);
  });
});
