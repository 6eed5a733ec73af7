import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { PlatformRequest } from '#shared/platform/client/check-input.ts';
import { PlatformHttpError, PlatformTokenError } from '#shared/platform/client/errors.ts';
import type { TokenSource } from '#shared/platform/token/token.ts';
import { createTokenCache, type StoredToken } from '#shared/platform/token/token-cache.ts';
import { empty, inTurn, json, platformOfFile, type Respond } from './platform-server.ts';
import { canaryToken, createTestClient, errorOf, saidBy } from './test-client.ts';

const server = platformOfFile();

const get: PlatformRequest = { operation: 'Get transfer', method: 'GET', path: '/transfers/1' };
const post: PlatformRequest = { operation: 'Create transfer', method: 'POST', path: '/transfers', body: {} };

/** Lets calls with this token in, and answers 401 to any other. */
function letIn(token: string): Respond {
  return (request, response) => {
    const isIn = request.headers['authorization'] === `Bearer ${token}`;
    return json(isIn ? 200 : 401, {})(request, response);
  };
}

/** Returns the first token, and the next one at each fresh read. */
function tokensInTurn(...all: readonly string[]) {
  let at = 0;
  const reported: string[] = [];
  const read = async ({ fresh = false } = {}) => {
    if (fresh) at = Math.min(at + 1, all.length - 1);
    return all[at] ?? '';
  };
  const reportRejected = async (token: string) => {
    reported.push(token);
  };
  return { read, reportRejected, reported };
}

describe('section 5.4: each call carries the token', () => {
  it('sends the token as a bearer token', async () => {
    server.answerWith(json(200, {}));
    const { client, tokens } = createTestClient(server.baseUrl);
    await client.send(get);
    expect(server.requests[0]?.headers['authorization']).toBe(`Bearer ${canaryToken}`);
    expect(tokens.reads).toEqual([false]);
  });

  it.each(['a\nb', 'a\r\nx-canary: b', 'cänary', 'canary canary', '', 'canary\u0000'])(
    'sends nothing with the malformed token %j, and does not quote it',
    async (token) => {
      server.answerWith(json(200, {}));
      const { client } = createTestClient(server.baseUrl, { tokens: { read: async () => token } });
      const error = await errorOf(PlatformTokenError, client.send(get));
      expect(error).toMatchObject({ isRetryable: true, operation: 'Get transfer' });
      expect(saidBy(error)).not.toMatch(/canary|cänary/i);
      expect(server.requests).toHaveLength(0);
    },
  );

  it.each([
    ['rejects', () => Promise.reject(new Error('The store is down.'))],
    [
      'throws',
      () => {
        throw new Error('The store is down.');
      },
    ],
  ])('sends nothing when the read of the token %s', async (_, read) => {
    server.answerWith(json(200, {}));
    const error = await errorOf(
      PlatformTokenError,
      createTestClient(server.baseUrl, { tokens: { read } }).client.send(get),
    );
    expect(error.cause).toMatchObject({ message: 'The store is down.' });
    expect(server.requests).toHaveLength(0);
  });

  it('sends nothing when the read of the token exceeds the deadline', async () => {
    server.answerWith(json(200, {}));
    const read = () => new Promise<never>(() => undefined);
    const { client } = createTestClient(server.baseUrl, { tokens: { read } });
    await errorOf(PlatformTokenError, client.send(get, { deadline: 50 }));
    expect(server.requests).toHaveLength(0);
  });

  it('does not retry with a token that has expired meanwhile (promise 7)', async () => {
    server.answerWith(empty(503));
    const tokens = ['valid', new Error('The stored token has expired.')];
    const read = async () => {
      const token = tokens.shift();
      if (typeof token !== 'string') throw token;
      return token;
    };
    await errorOf(PlatformTokenError, createTestClient(server.baseUrl, { tokens: { read } }).client.send(get));
    expect(server.requests).toHaveLength(1);
  });
});

describe('a call that is answered 401', () => {
  it.each([
    ['a GET', get],
    ['a create, which a 401 has not executed,', post],
  ])('repeats %s with the fresh token', async (_, call) => {
    server.answerWith(letIn('second'));
    const tokens = tokensInTurn('first', 'second');
    const { client, pauses } = createTestClient(server.baseUrl, { tokens });
    await client.send(call);
    expect(server.requests.map(({ headers }) => headers['authorization'])).toEqual(['Bearer first', 'Bearer second']);
    expect(tokens.reported).toEqual([]);
    expect(pauses).toEqual([]);
  });

  it('names the refused token to the source that is read again', async () => {
    server.answerWith(letIn('second'));
    const reads: unknown[] = [];
    const read: TokenSource['read'] = async (options) => {
      reads.push(options);
      return reads.length === 1 ? 'first' : 'second';
    };
    await createTestClient(server.baseUrl, { tokens: { read } }).client.send(get);
    expect(reads).toEqual([{ fresh: false }, { fresh: true, rejected: 'first' }]);
  });

  it('reports the token once, and sends no second call, when the store has no other', async () => {
    server.answerWith(empty(401));
    const { client, tokens } = createTestClient(server.baseUrl);
    const error = await errorOf(PlatformHttpError, client.send(get));
    expect(error).toMatchObject({ status: 401, isRetryable: true });
    expect(server.requests).toHaveLength(1);
    expect(tokens.reads).toEqual([false, true]);
    expect(tokens.reported).toEqual([canaryToken]);
  });

  it('reports the fresh token once when the platform rejects it as well', async () => {
    server.answerWith(empty(401));
    const tokens = tokensInTurn('first', 'second', 'third');
    const { client } = createTestClient(server.baseUrl, { tokens });
    await expect(client.send(get)).rejects.toMatchObject({ status: 401 });
    expect(server.requests).toHaveLength(2);
    expect(tokens.reported).toEqual(['second']);
  });

  it('repeats the call also after a retry, and retries it once more', async () => {
    const sent = () => server.requests.map(({ headers }) => headers['authorization']);
    const send = () => createTestClient(server.baseUrl, { tokens: tokensInTurn('first', 'second') }).client.send(get);
    server.answerWith(inTurn(empty(503), empty(401), json(200, {})));
    await send();
    expect(sent()).toEqual(['Bearer first', 'Bearer first', 'Bearer second']);
    server.answerWith(inTurn(empty(401), empty(503), json(200, {})));
    await send();
    expect(sent()).toEqual(['Bearer first', 'Bearer second', 'Bearer second']);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('The queue is down.'))],
    [
      'throws',
      () => {
        throw new Error('The queue is down.');
      },
    ],
    ['never ends', () => new Promise<never>(() => undefined)],
  ])('keeps the 401 when the report of the token %s', async (_, reportRejected) => {
    server.answerWith(empty(401));
    const { client } = createTestClient(server.baseUrl, { tokens: { reportRejected } });
    await expect(client.send(get, { deadline: 200 })).rejects.toMatchObject({ status: 401, isRetryable: true });
  });

  it('reports the token without waiting when the deadline has passed', async () => {
    const deadline = new AbortController();
    server.answerWith((request, response) => {
      deadline.abort();
      return empty(401)(request, response);
    });
    const reported: string[] = [];
    const reportRejected = (token: string) => {
      reported.push(token);
      return new Promise<never>(() => undefined);
    };
    const timeout = (milliseconds: number) =>
      milliseconds === 30_000 ? deadline.signal : AbortSignal.timeout(milliseconds);
    const { client } = createTestClient(server.baseUrl, { tokens: { reportRejected }, timeout });
    await expect(client.send(get)).rejects.toMatchObject({ status: 401 });
    expect(reported).toEqual([canaryToken]);
  });

  it('reports the rejected token also when no fresh one can be read', async () => {
    server.answerWith(empty(401));
    const reported: string[] = [];
    const read = async ({ fresh = false } = {}) => {
      if (fresh) throw new Error('The store is down.');
      return canaryToken;
    };
    const reportRejected = async (token: string) => {
      reported.push(token);
    };
    const { client } = createTestClient(server.baseUrl, { tokens: { read, reportRejected } });
    await expect(client.send(get)).rejects.toMatchObject({ status: 401, isRetryable: true });
    expect(reported).toEqual([canaryToken]);
  });
});

describe('section 5: ten calls with one cache, and a revoked token', () => {
  const expiresAt = new Date('2026-01-02T04:00:00Z');

  function cachedClient(stored: StoredToken) {
    const store = { stored, reads: 0, reported: [] as string[] };
    const now = () => new Date('2026-01-02T03:04:05.678Z');
    const tokens = createTokenCache({
      readStored: async () => {
        store.reads += 1;
        await sleep(20);
        return store.stored;
      },
      reportRejected: async (token) => {
        store.reported.push(token);
        await sleep(20);
      },
      now,
    });
    return { store, client: createTestClient(server.baseUrl, { tokens, now }).client };
  }

  it('adds at most two reads after ten answers of 401, and all callers succeed', async () => {
    const { store, client } = cachedClient({ accessToken: 'first', expiresAt });
    server.answerWith(letIn('first'));
    await client.send(get);
    store.stored = { accessToken: 'second', expiresAt };
    // Answers when all ten have been refused, so that they all want the fresh one at the same time.
    let refused = 0;
    const gate = Promise.withResolvers<void>();
    server.answerWith(async (request, response) => {
      if (request.headers['authorization'] === 'Bearer first') {
        refused += 1;
        if (refused === 10) gate.resolve();
        await gate.promise;
      }
      return letIn('second')(request, response);
    });
    await Promise.all(Array.from({ length: 10 }, () => client.send(post)));
    expect(store.reads).toBeLessThanOrEqual(3);
    expect(store.reported).toEqual([]);
  });
});
