import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlatformError, PlatformNetworkError } from '#shared/platform/client/errors.ts';
import type { PlatformRequest } from '#shared/platform/client/platform-request.ts';
import { destroy, empty, inTurn, json, type PlatformServer, startPlatformServer } from './platform-server.ts';
import { createTestClient, errorOf } from './test-client.ts';

let server: PlatformServer;
beforeAll(async () => {
  server = await startPlatformServer();
});
afterAll(() => server.close());

const get: PlatformRequest = { operation: 'Get transfer', method: 'GET', path: '/transfers/1' };
const post: PlatformRequest = { operation: 'Create transfer', method: 'POST', path: '/transfers', body: {} };

/** A client that has made so many calls with success: it may retry. */
async function warmClient(options: Parameters<typeof createTestClient>[1] = {}, calls = 100) {
  server.answerWith(json(200, {}));
  const test = createTestClient(server.baseUrl, options);
  for (let count = 0; count < calls; count += 1) await test.client.send(get);
  return test;
}

describe('retries: idempotent calls only', () => {
  it.each([408, 425, 429, 500, 502, 503, 504, 599])('a GET that got %d goes out again', async (status) => {
    server.answerWith(inTurn(empty(status), json(200, {})));
    await createTestClient(server.baseUrl).client.send(get);
    expect(server.requests).toHaveLength(2);
  });

  it.each([300, 302, 400, 403, 404, 405, 409, 410, 422, 501])('a GET that got %d does not', async (status) => {
    server.answerWith(inTurn(empty(status), json(200, {})));
    const error = await errorOf(PlatformError, createTestClient(server.baseUrl).client.send(get));
    expect(error).toMatchObject({ status, isRetryable: false });
    expect(server.requests).toHaveLength(1);
  });

  it('a DELETE goes out again, and what is said to be idempotent', async () => {
    const { client } = await warmClient();
    for (const call of [
      { ...get, method: 'DELETE' as const },
      { ...post, isIdempotent: true },
    ]) {
      server.answerWith(inTurn(empty(503), json(200, {})));
      await client.send(call);
      expect(server.requests).toHaveLength(2);
    }
  });

  it.each([
    ['POST, 503', post, empty(503)],
    ['POST, 429 with Retry-After', post, empty(429, { 'retry-after': '0' })],
    ['POST, a broken connection', post, destroy],
    ['PATCH, 500', { ...post, method: 'PATCH' as const }, empty(500)],
    ['a GET that is said to change something', { ...get, isIdempotent: false }, destroy],
  ])('nothing else does: %s', async (_, call, respond) => {
    const { client, pauses } = await warmClient();
    server.answerWith(respond);
    const error = await errorOf(PlatformError, client.send(call));
    expect(error.isRetryable).toBe(true);
    expect(server.requests).toHaveLength(1);
    expect(pauses).toEqual([]);
  });

  it('four times at the most, then fails with the last answer', async () => {
    const { client } = await warmClient();
    server.answerWith(inTurn(empty(503), empty(503), empty(503), empty(503), empty(500)));
    await expect(client.send(get)).rejects.toMatchObject({ status: 500 });
    expect(server.requests).toHaveLength(5);
  });

  it('after an attempt that took too long', async () => {
    server.answerWith(inTurn(() => undefined, json(200, {})));
    await createTestClient(server.baseUrl, { profile: { deadlines: { attempt: 50 } } }).client.send(get);
    expect(server.requests).toHaveLength(2);
  });
});

describe('retries: full jitter over an exponential backoff', () => {
  it('anywhere between nothing and 250 ms, doubled each time', async () => {
    for (const share of [0, 0.25, 0.999]) {
      const { client, pauses } = await warmClient({ random: () => share });
      server.answerWith(empty(503));
      await expect(client.send(get)).rejects.toMatchObject({ status: 503 });
      expect(pauses).toEqual([250, 500, 1_000, 2_000].map((most) => share * most));
    }
  });

  it('for any random number', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), async (share) => {
        server.answerWith(inTurn(empty(503), json(200, {})));
        const { client, pauses } = createTestClient(server.baseUrl, { random: () => share });
        await client.send(get);
        expect(pauses).toHaveLength(1);
        expect(pauses[0]).toBeGreaterThanOrEqual(0);
        expect(pauses[0]).toBeLessThan(250);
      }),
      { numRuns: 50 },
    );
  });
});

describe('retries: Retry-After is obeyed, without jitter', () => {
  it.each([
    ['seconds', '7', 7_000],
    ['no time', '0', 0],
    ['a date', 'Fri, 02 Jan 2026 03:04:12 GMT', 6_322],
    ['a date that has passed', 'Fri, 02 Jan 2026 03:04:05 GMT', 0],
  ])('%s', async (_, header, pause) => {
    server.answerWith(inTurn(empty(429, { 'retry-after': header }), json(200, {})));
    const { client, pauses } = createTestClient(server.baseUrl);
    await client.send(get);
    expect(pauses).toEqual([pause]);
  });

  it.each(['', '-5', '1.5', 'soon 1', '2026-01-02', 'Infinity', '0x10', '1e3', 'Fri, 99 Jan 2026 03:04:12 GMT'])(
    '%j is none: full jitter',
    async (header) => {
      server.answerWith(inTurn(empty(429, { 'retry-after': header }), json(200, {})));
      const { client, pauses } = createTestClient(server.baseUrl);
      await client.send(get);
      expect(pauses).toEqual([125]);
    },
  );

  it.each([
    ['30', 30_000],
    ['3600', 3_600_000],
    // A year: no date can hold the sum of a later time.
    ['9'.repeat(400), 31_536_000_000],
  ])('%s seconds are beyond the deadline: fails at once', async (header, retryAfter) => {
    server.answerWith(empty(503, { 'retry-after': header }));
    const { client, pauses } = createTestClient(server.baseUrl);
    await expect(client.send(get)).rejects.toMatchObject({ status: 503, retryAfter });
    expect(server.requests).toHaveLength(1);
    expect(pauses).toEqual([]);
  });
});

describe('retries: a budget of at most 10% more calls when the platform is down', () => {
  it.each([
    ['answers 503', empty(503)],
    ['answers 429', empty(429, { 'retry-after': '0' })],
    ['breaks every connection', destroy],
  ])('1,000 calls make at most 1,100 requests where it always %s', async (_, respond) => {
    server.answerWith(respond);
    const { client } = createTestClient(server.baseUrl);
    const call = async () => {
      for (let count = 0; count < 250; count += 1) await errorOf(PlatformError, client.send(get));
    };
    await Promise.all([call(), call(), call(), call()]);
    expect(server.requests.length).toBeGreaterThan(1_050);
    expect(server.requests.length).toBeLessThanOrEqual(1_100);
  });

  it('and hardly more where it goes down after good times', async () => {
    const { client } = await warmClient({}, 300);
    server.answerWith(destroy);
    for (let count = 0; count < 200; count += 1) await errorOf(PlatformError, client.send(get));
    // 20 for 200 calls, and what good times saved: 10 retries and 10 connections.
    expect(server.requests.length).toBeLessThanOrEqual(200 + 20 + 20);
  });
});

describe('failure modes: a socket reset after a frozen Lambda thaws. A stale keep-alive socket is retried once', () => {
  /** Breaks a connection on its second call, as a platform that has closed it meanwhile. */
  function startStaleServer() {
    return startPlatformServer();
  }

  it('at once, with no pause, and without a retry of the budget', async () => {
    const { client, pauses } = await warmClient({}, 1);
    server.answerWith(inTurn(destroy, json(200, {})));
    await client.send(get);
    expect(server.requests).toHaveLength(2);
    expect(pauses).toEqual([]);
    // The budget's only retry is still there.
    server.answerWith(inTurn(empty(503), json(200, {})));
    await client.send(get);
    expect(pauses).toHaveLength(1);
  });

  it('once: a second break is a failure as any other', async () => {
    const { client, pauses } = await warmClient();
    server.answerWith(destroy);
    await errorOf(PlatformNetworkError, client.send(get));
    expect(server.requests).toHaveLength(1 + 1 + 4);
    expect(pauses).toHaveLength(4);
  });

  it('not for a create', async () => {
    const { client } = await warmClient();
    server.answerWith(destroy);
    await errorOf(PlatformNetworkError, client.send(post));
    expect(server.requests).toHaveLength(1);
  });

  it('an idle connection that the platform has closed costs nothing', async () => {
    const stale = await startStaleServer();
    const { client, pauses } = createTestClient(stale.baseUrl);
    stale.answerWith(json(200, {}));
    await client.send(get);
    stale.closeIdleConnections();
    await client.send(get);
    await client.send(post);
    expect(stale.requests).toHaveLength(3);
    expect(pauses).toEqual([]);
    await stale.close();
  });
});
