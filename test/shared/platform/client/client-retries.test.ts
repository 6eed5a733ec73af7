import { describe, expect, it } from 'vitest';
import type { PlatformRequest } from '#shared/platform/client/check-input.ts';
import { PlatformError, PlatformNetworkError } from '#shared/platform/client/errors.ts';
import { size } from '#test/full-size.ts';
import { destroy, empty, inTurn, json, platformOfFile, startPlatformServer } from './platform-server.ts';
import { createTestClient, errorOf } from './test-client.ts';

const server = platformOfFile();

const get: PlatformRequest = { operation: 'Get transfer', method: 'GET', path: '/transfers/1' };
const post: PlatformRequest = { operation: 'Create transfer', method: 'POST', path: '/transfers', body: {} };

/** A client that has made so many calls with success: it may retry. */
async function warmClient(options: Parameters<typeof createTestClient>[1] = {}, calls = 50) {
  server.answerWith(json(200, {}));
  const test = createTestClient(server.baseUrl, options);
  for (let count = 0; count < calls; count += 1) await test.client.send(get);
  return test;
}

describe('the retries of idempotent calls', () => {
  it('retries a GET that is answered 503', async () => {
    server.answerWith(inTurn(empty(503), json(200, {})));
    await createTestClient(server.baseUrl).client.send(get);
    expect(server.requests).toHaveLength(2);
  });

  it('does not retry a GET that is answered 501', async () => {
    server.answerWith(inTurn(empty(501), json(200, {})));
    const error = await errorOf(PlatformError, createTestClient(server.baseUrl).client.send(get));
    expect(error).toMatchObject({ status: 501, isRetryable: false });
    expect(server.requests).toHaveLength(1);
  });

  it('retries a DELETE, and a call that is declared idempotent', async () => {
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
  ])('never retries a call that is not idempotent: %s', async (_, call, respond) => {
    const { client, pauses } = await warmClient();
    server.answerWith(respond);
    const error = await errorOf(PlatformError, client.send(call));
    expect(error.isRetryable).toBe(true);
    expect(server.requests).toHaveLength(1);
    expect(pauses).toEqual([]);
  });

  it('makes at most four retries, and fails with the last answer', async () => {
    const { client } = await warmClient();
    server.answerWith(inTurn(empty(503), empty(503), empty(503), empty(503), empty(500)));
    await expect(client.send(get)).rejects.toMatchObject({ status: 500 });
    expect(server.requests).toHaveLength(5);
  });

  it('retries an attempt that exceeds its deadline', async () => {
    server.answerWith(inTurn(() => undefined, json(200, {})));
    await createTestClient(server.baseUrl, { profile: { deadlines: { attempt: 50 } } }).client.send(get);
    // On a busy machine an answered attempt can exceed 50 ms too, and is retried as well.
    expect(server.requests.length).toBeGreaterThanOrEqual(2);
  });
});

describe('retries: full jitter over an exponential backoff', () => {
  it('waits from 0 to 250 ms, doubled at each attempt', async () => {
    for (const share of [0, 0.25, 0.999]) {
      const { client, pauses } = await warmClient({ random: () => share });
      server.answerWith(empty(503));
      await expect(client.send(get)).rejects.toMatchObject({ status: 503 });
      expect(pauses).toEqual([250, 500, 1_000, 2_000].map((most) => share * most));
    }
  });
});

describe('retries: Retry-After is obeyed, without jitter', () => {
  it.each([
    ['seconds', '7', 7_000],
    ['no time', '0', 0],
    ['a date', 'Fri, 02 Jan 2026 03:04:12 GMT', 6_322],
    ['a date that has passed', 'Fri, 02 Jan 2026 03:04:05 GMT', 0],
  ])('obeys Retry-After with %s', async (_, header, pause) => {
    server.answerWith(inTurn(empty(429, { 'retry-after': header }), json(200, {})));
    const { client, pauses } = createTestClient(server.baseUrl);
    await client.send(get);
    expect(pauses).toEqual([pause]);
  });

  it.each([
    ['30', 30_000],
    ['3600', 3_600_000],
  ])('fails immediately when Retry-After of %s seconds exceeds the deadline', async (header, retryAfter) => {
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
  ])('sends at most a tenth more requests than calls to a platform that always %s', async (_, respond) => {
    const calls = size(200, 1_000);
    server.answerWith(respond);
    const { client } = createTestClient(server.baseUrl);
    const call = async () => {
      for (let count = 0; count < calls / 4; count += 1) await errorOf(PlatformError, client.send(get));
    };
    await Promise.all([call(), call(), call(), call()]);
    expect(server.requests.length).toBeGreaterThan(calls * 1.05);
    expect(server.requests.length).toBeLessThanOrEqual(calls * 1.1);
  });
});

describe('a stale keep-alive connection, such as after a frozen Lambda thaws', () => {
  it('retries immediately, without a pause, and outside of the retry budget, and reports no failure', async () => {
    const failures: PlatformError[] = [];
    const { client, pauses } = await warmClient({ onFailure: (error) => failures.push(error) }, 1);
    server.answerWith(inTurn(destroy, json(200, {})));
    await client.send(get);
    expect(server.requests).toHaveLength(2);
    expect([pauses, failures]).toEqual([[], []]);
    // The budget's only retry is still there.
    server.answerWith(inTurn(empty(503), json(200, {})));
    await client.send(get);
    expect(pauses).toHaveLength(1);
  });

  it('fails when the second connection breaks as well', async () => {
    const { client, pauses } = await warmClient();
    server.answerWith(destroy);
    await errorOf(PlatformNetworkError, client.send(get));
    expect(server.requests).toHaveLength(1 + 1 + 4);
    expect(pauses).toHaveLength(4);
  });

  it('does not retry a create on a stale connection, and reports its failure', async () => {
    const failures: PlatformError[] = [];
    const { client } = await warmClient({ onFailure: (error) => failures.push(error) });
    server.answerWith(destroy);
    const error = await errorOf(PlatformNetworkError, client.send(post));
    expect(server.requests).toHaveLength(1);
    expect(failures).toEqual([error]);
  });

  it('makes no extra call when the platform has closed an idle connection', async () => {
    const stale = await startPlatformServer();
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
