import { Hono } from 'hono';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyFaults } from '#sandbox/platform/faults/apply-faults.ts';
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
const broken = refusal(500, 'INTERNAL_SERVER_ERROR', 'A fault answers in place of the platform.');

/** How many of the calls the fault matched. */
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

describe('sandbox platform: the fault ANSWER', () => {
  it('answers with an error body until the fault is removed', async () => {
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

  it('answers with 429 and Retry-After', async () => {
    await place({ effect: 'ANSWER', status: 429, retryAfter: '7' });
    const { status, headers } = await sendRaw('GET', '/webhooks');
    expect([status, headers.get('retry-after')]).toEqual([429, '7']);
    expect(await list()).toEqual(refusal(429, 'TOO_MANY_REQUESTS', expect.any(String)));
  });

  it('answers with the configured body, byte for byte', async () => {
    await place({ effect: 'ANSWER', status: 200, body: '<html>not what you think' });
    expect(await sendRaw('GET', '/webhooks')).toMatchObject({ status: 200, text: '<html>not what you think' });
  });
});

describe('sandbox platform: the fault ANSWER with commits', () => {
  it('carries out the call although it answers with an error', async () => {
    await place({ effect: 'ANSWER', status: 500, operation: 'registerWebhook', commits: true });
    expect(await register()).toEqual(broken);
    expect(platform.registrations.get(webhook.eventType)).toMatchObject(webhook);
  });
});

describe('sandbox platform: the fault LATENCY', () => {
  it('delays each call by its own real time', async () => {
    const { faults, newId } = platform;
    const waited: number[] = [];
    const wait = async (milliseconds: number) => void waited.push(milliseconds);
    const app = new Hono().use(applyFaults({ faults, newId, wait, operationOf: () => 'listWebhooks' }));
    app.get('/', (context) => context.text('the true answer'));
    for (const milliseconds of [120_000, 0, 7]) await place({ effect: 'LATENCY', milliseconds });
    expect(await (await app.request('/')).text()).toBe('the true answer');
    expect(waited).toEqual([120_000, 0, 7]);
  });
});

describe('sandbox platform: the calls that a fault matches', () => {
  it('matches the calls of one operation', async () => {
    await place({ effect: 'ANSWER', status: 500, operation: 'getWebhook' });
    expect((await list()).status).toBe(200);
    expect((await platform.send('GET', '/webhooks/TRANSFER_NOTIFICATION')).status).toBe(500);
    expect((await platform.send('DELETE', '/webhooks/TRANSFER_NOTIFICATION')).status).toBe(200);
  });

  it('matches every operation including Get Token, but no control call and no unknown path', async () => {
    const { accessToken } = platform.tokens.issue();
    const headers = { authorization: `Bearer ${accessToken}` };
    await place({ effect: 'ANSWER', status: 503 });
    expect((await platform.request('GET', '/webhooks', { headers })).status).toBe(503);
    expect((await platform.requestRaw('POST', '/oauth2/token')).status).toBe(503);
    expect((await platform.request('GET', '/control/clock')).status).toBe(200);
    expect((await platform.request('GET', '/elsewhere', { headers })).status).toBe(404);
    expect((await platform.requestRaw('GET', '/openapi.json')).status).toBe(200);
  });

  it('matches the same share of calls for the same seed', async () => {
    await place({ effect: 'ANSWER', status: 500, share: 0.3 });
    const failures = await failuresOf(200);
    expect(failures).toBeGreaterThan(40);
    expect(failures).toBeLessThan(80);
    expect(await happened()).toEqual([failures]);
    platform = startPlatform();
    await place({ effect: 'ANSWER', status: 500, share: 0.3 });
    expect(await failuresOf(200)).toBe(failures);
  });

  it('matches a number of calls and then no more', async () => {
    await place({ effect: 'ANSWER', status: 500, times: 3 });
    await list();
    expect(await failuresOf(10)).toBe(2);
    expect(await happened()).toEqual([3]);
  });

  it("matches calls for a time of the platform's clock and then no more", async () => {
    await place({ effect: 'ANSWER', status: 500, seconds: 60 });
    await platform.clock.advance(59.999);
    expect((await list()).status).toBe(500);
    await platform.clock.advance(0.001);
    expect((await list()).status).toBe(200);
    expect(await happened()).toEqual([1]);
  });
});
