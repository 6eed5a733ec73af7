import { describe, expect, it } from 'vitest';
import { createTokenCache, type StoredToken, TokenExpiredError } from '#shared/platform/token/token-cache.ts';
import { failureOf } from '#test/shared/platform/client/test-client.ts';

const start = Date.parse('2026-01-02T03:00:00Z');
const lifetime = 3_600_000;

function setUp() {
  const state = {
    time: start,
    stored: { accessToken: 'first', expiresAt: new Date(start + lifetime) } as StoredToken,
    reads: 0,
    reported: [] as string[],
    failure: undefined as Error | undefined,
  };
  const cache = createTokenCache({
    readStored: async () => {
      state.reads += 1;
      if (state.failure !== undefined) throw state.failure;
      return state.stored;
    },
    reportRejected: async (token) => {
      state.reported.push(token);
      if (state.failure !== undefined) throw state.failure;
    },
    now: () => new Date(state.time),
  });
  return { cache, state };
}

describe('section 8, access token lifetime: the cache of a token', () => {
  it('reads the token once until a minute before it expires', async () => {
    const { cache, state } = setUp();
    await cache.read();
    state.time = start + lifetime - 60_001;
    expect(await cache.read()).toBe('first');
    expect(state.reads).toBe(1);
  });

  it('reads the token again in the last minute', async () => {
    const { cache, state } = setUp();
    await cache.read();
    state.time = start + lifetime - 60_000;
    state.stored = { accessToken: 'second', expiresAt: new Date(start + 2 * lifetime) };
    expect(await cache.read()).toBe('second');
    expect(await cache.read()).toBe('second');
    expect(state.reads).toBe(2);
  });

  it('keeps the old token to its last millisecond when there is no other', async () => {
    const { cache, state } = setUp();
    state.time = start + lifetime - 1;
    expect(await cache.read()).toBe('first');
  });

  it.each([0, 1, lifetime])('returns no token that expired %d ms ago (promise 7)', async (ago) => {
    const { cache, state } = setUp();
    await cache.read();
    state.time = start + lifetime + ago;
    const error = await failureOf(cache.read());
    expect(error).toBeInstanceOf(TokenExpiredError);
    expect(String(error)).not.toContain('first');
    await expect(cache.read({ fresh: true })).rejects.toBeInstanceOf(TokenExpiredError);
  });

  it('reports an expired token once, and again only where the report failed', async () => {
    const { cache, state } = setUp();
    state.time = start + lifetime;
    await Promise.all([failureOf(cache.read()), failureOf(cache.read())]);
    await failureOf(cache.read());
    expect(state.reported).toEqual(['first']);
    state.stored = { accessToken: 'second', expiresAt: new Date(start) };
    state.failure = new Error('SQS is down.');
    const { failure } = state;
    state.failure = undefined;
    const report = cache.read();
    state.failure = failure;
    expect(await failureOf(report)).toBeInstanceOf(TokenExpiredError);
    state.failure = undefined;
    await failureOf(cache.read());
    expect(state.reported).toEqual(['first', 'second', 'second']);
  });

  it('returns no token without a valid time of expiry', async () => {
    const { cache, state } = setUp();
    state.stored = { accessToken: 'first', expiresAt: new Date(Number.NaN) };
    await expect(cache.read()).rejects.toBeInstanceOf(TokenExpiredError);
  });

  it('returns a token again when the store has one', async () => {
    const { cache, state } = setUp();
    state.time = start + lifetime;
    await failureOf(cache.read());
    state.stored = { accessToken: 'second', expiresAt: new Date(start + 2 * lifetime) };
    expect(await cache.read()).toBe('second');
  });
});

describe('promise 7: one read per need', () => {
  it('shares one read among concurrent callers', async () => {
    const { cache, state } = setUp();
    expect(await Promise.all([cache.read(), cache.read(), cache.read({ fresh: true })])).toEqual([
      'first',
      'first',
      'first',
    ]);
    expect(state.reads).toBe(1);
  });

  it('shares a failed read, and reads again for the next caller', async () => {
    const { cache, state } = setUp();
    state.failure = new Error('The store is down.');
    const results = await Promise.allSettled([cache.read(), cache.read()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(state.reads).toBe(1);
    state.failure = undefined;
    expect(await cache.read()).toBe('first');
  });

  it('reads past the cache when asked for a fresh token, and caches it', async () => {
    const { cache, state } = setUp();
    await cache.read();
    state.stored = { accessToken: 'second', expiresAt: new Date(start + lifetime) };
    expect(await cache.read()).toBe('first');
    expect(await cache.read({ fresh: true })).toBe('second');
    expect(await cache.read()).toBe('second');
    expect(state.reads).toBe(2);
  });
});

describe('the report of a rejected token', () => {
  it('reports a token once for concurrent callers, and again for later ones', async () => {
    const { cache, state } = setUp();
    await Promise.all([cache.reportRejected('first'), cache.reportRejected('first')]);
    expect(state.reported).toEqual(['first']);
    await cache.reportRejected('first');
    expect(state.reported).toEqual(['first', 'first']);
  });

  it('reports each rejected token separately', async () => {
    const { cache, state } = setUp();
    await Promise.all([cache.reportRejected('first'), cache.reportRejected('second')]);
    expect(state.reported).toEqual(['first', 'second']);
  });

  it('throws the failure of a report to its caller', async () => {
    const { cache, state } = setUp();
    state.failure = new Error('The queue is down.');
    await expect(cache.reportRejected('first')).rejects.toThrow('The queue is down.');
  });
});
