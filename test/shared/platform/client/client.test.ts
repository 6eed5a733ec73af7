import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { PlatformRequest } from '#shared/platform/client/check-input.ts';
import {
  PlatformError,
  PlatformHttpError,
  PlatformInputError,
  PlatformNetworkError,
  PlatformSchemaError,
  PlatformTimeoutError,
} from '#shared/platform/client/errors.ts';
import { destroy, empty, inTurn, json, platformOfFile } from './platform-server.ts';
import { canaryToken, createTestClient, errorOf, failureOf, requestor, saidBy } from './test-client.ts';

const server = platformOfFile();

const get: PlatformRequest = { operation: 'Get transfer', method: 'GET', path: '/transfers/1' };
const post: PlatformRequest = { operation: 'Create transfer', method: 'POST', path: '/transfers', body: { a: 1 } };
const anything = z.unknown();

describe('section 4: request makes any call, and reads its answer with a schema', () => {
  it('sends method, path, query and JSON body, and returns what the schema keeps', async () => {
    server.answerWith(json(201, { transfer: { transferId: 't', more: 1 } }));
    const { client } = createTestClient(server.baseUrl);
    const schema = z.object({ transfer: z.looseObject({ transferId: z.string() }) });
    const answer = await client.request(schema, { ...post, query: { a: 'x y&z', limit: 5, none: undefined } });
    expect(answer).toEqual({ transfer: { transferId: 't', more: 1 } });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/transfers?a=x+y%26z&limit=5', body: '{"a":1}' });
    expect(server.requests[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json',
    });
  });

  it('sends no body and no content type without a body', async () => {
    server.answerWith(json(200, {}));
    await createTestClient(server.baseUrl).client.request(anything, get);
    expect(server.requests[0]?.body).toBe('');
    expect(server.requests[0]?.headers).not.toHaveProperty('content-type');
  });

  it.each([
    ['another host', '@elsewhere.example/x'],
    ['no slash', 'transfers'],
    ['an empty path', ''],
    ['a line break', '/transfers\r\nx: y'],
    ['a space', '/a b'],
    ['a fragment', '/a#b'],
    ['a backslash', '/a\\b'],
    ['the folder above', '/transfers/../webhooks'],
    ['the folder above, encoded', '/transfers/%2e%2E'],
    ['the same folder', '/transfers/./x'],
  ])('sends nothing to a path with %s', async (_, path) => {
    server.answerWith(json(200, {}));
    const error = await errorOf(PlatformInputError, createTestClient(server.baseUrl).client.send({ ...get, path }));
    expect(error.message).toMatch(/path: must .*\(section 4\)/);
    expect(server.requests).toHaveLength(0);
  });

  it('sends nothing when the body cannot be written as JSON', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    server.answerWith(json(200, {}));
    const { client } = createTestClient(server.baseUrl);
    for (const body of [circular, { a: 1n }])
      await expect(client.send({ ...post, body })).rejects.toBeInstanceOf(PlatformInputError);
    expect(server.requests).toHaveLength(0);
  });

  it('names the fields of an answer that break the schema', async () => {
    server.answerWith(json(200, { transfer: { transferId: 7, names: { 'Erika Mustermann': 'x' } } }));
    const names = z.record(z.string(), z.number());
    const schema = z.object({ transfer: z.object({ transferId: z.string(), names }), other: z.string() });
    const error = await errorOf(PlatformSchemaError, createTestClient(server.baseUrl).client.request(schema, get));
    expect(error.fields).toEqual(['transfer.transferId', 'transfer.names.?', 'other']);
    expect(error.isRetryable).toBe(false);
    expect(saidBy(error)).not.toMatch(/Erika/);
  });

  it.each([
    ['no body', Buffer.alloc(0)],
    ['HTML', Buffer.from('<html>Erika</html>')],
    ['JSON that breaks off', Buffer.from('{"name":"Erika')],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])],
  ])('refuses %s when the caller expects JSON', async (_, bytes) => {
    server.answerWith((__, response) => response.end(bytes));
    const { client } = createTestClient(server.baseUrl);
    const error = await errorOf(PlatformSchemaError, client.request(z.object({}), get));
    expect(error.fields).toEqual(['the body']);
    expect(saidBy(error)).not.toContain('Erika');
  });

  it('returns the answer of send byte for byte', async () => {
    const bytes = Buffer.from([0xff, 0x00, 0x0d, 0x0a, 0x80]);
    server.answerWith((_, response) => response.writeHead(202, { 'x-a': 'b' }).end(bytes));
    const answer = await createTestClient(server.baseUrl).client.send(get);
    expect(answer.status).toBe(202);
    expect(answer.headers.get('x-a')).toBe('b');
    expect(Buffer.from(answer.body)).toEqual(bytes);
  });

  it('follows no redirect, which would receive the token', async () => {
    server.answerWith(empty(302, { location: `${server.baseUrl}/elsewhere` }));
    // Ours follows none, whatever it is asked.
    const { client } = createTestClient(server.baseUrl, { fetch });
    const error = await errorOf(PlatformHttpError, client.send(get));
    expect(error).toMatchObject({ status: 302, isRetryable: false });
    expect(server.requests).toHaveLength(1);
  });
});

describe('section 5, Requestor-ID header: a UUID, checked before anything is sent', () => {
  it('sends the Requestor-ID unchanged', async () => {
    server.answerWith(json(200, {}));
    await createTestClient(server.baseUrl).client.send({ ...get, requestorId: requestor });
    expect(server.requests[0]?.headers['requestor-id']).toBe(requestor);
  });

  it('sends no Requestor-ID when none is given', async () => {
    server.answerWith(json(200, {}));
    await createTestClient(server.baseUrl).client.send(get);
    expect(server.requests[0]?.headers).not.toHaveProperty('requestor-id');
  });

  it.each(['', 'Erika', `${requestor} `, `${requestor}\r\nx: y`, requestor.slice(1), `{${requestor}}`])(
    'refuses the Requestor-ID %j before any call',
    async (requestorId) => {
      server.answerWith(json(200, {}));
      const { client, tokens } = createTestClient(server.baseUrl);
      const error = await errorOf(PlatformInputError, client.send({ ...get, requestorId }));
      expect(error.message).toMatch(/^Get transfer: .*Requestor-ID: must be the UUID .*\(section 5\)/);
      expect(error.operation).toBe('Get transfer');
      if (requestorId !== '') expect(saidBy(error)).not.toContain(requestorId);
      expect(server.requests).toHaveLength(0);
      expect(tokens.reads).toHaveLength(0);
    },
  );

  it('accepts a UUID of every version', async () => {
    server.answerWith(json(200, {}));
    for (const requestorId of ['11111111-1111-1111-1111-111111111111', requestor.toUpperCase()])
      await createTestClient(server.baseUrl).client.send({ ...get, requestorId });
    expect(server.requests).toHaveLength(2);
  });
});

describe('the texts of errors', () => {
  const body = { lastName: 'Mustermann-Canary', taxId: 'CANARY 12 345' };
  const quoting = {
    message: `Invalid: ${JSON.stringify(body)} for ${canaryToken}`,
    responseType: 'Mustermann-Canary is no type',
    errorDetails: [{ field: 'of Mustermann-Canary', errors: [{ code: 'is Mustermann', message: 'Mustermann' }] }],
    validationString: 'Mustermann',
    requestId: 'for Mustermann-Canary',
    errorCode: 'of Mustermann-Canary',
  };

  it.each([
    ['400 that quotes the request', json(400, quoting)],
    ['401 that quotes the request', json(401, quoting)],
    ['500 that quotes the request', json(500, quoting)],
    ['200, of another shape', json(200, quoting)],
    ['text', (_: unknown, response: { end: (text: string) => unknown }) => response.end(JSON.stringify(quoting))],
    ['a broken connection', destroy],
  ])('quotes no token and no body after %s', async (_, respond) => {
    server.answerWith(respond);
    const { client } = createTestClient(server.baseUrl);
    const schema = z.object({ id: z.string() });
    const error = await errorOf(PlatformError, client.request(schema, { ...post, body, requestorId: requestor }));
    expect(server.requests[0]?.headers['authorization']).toBe(`Bearer ${canaryToken}`);
    expect(saidBy(error)).not.toMatch(/canary|mustermann/i);
  });

  it('quotes no token and no body after a timeout', async () => {
    server.answerWith(() => undefined);
    const { client } = createTestClient(server.baseUrl, { profile: { deadlines: { attempt: 50 } } });
    const error = await errorOf(PlatformTimeoutError, client.send({ ...post, body }));
    expect(error).toMatchObject({ isRetryable: true, operation: 'Create transfer' });
    expect(error.message).toContain('50 ms');
    expect(saidBy(error)).not.toMatch(/canary|mustermann/i);
  });

  it('quotes no token and no body when no server listens', async () => {
    const { client } = createTestClient('http://127.0.0.1:1');
    const error = await errorOf(PlatformNetworkError, client.send({ ...post, body }));
    expect(error.isRetryable).toBe(true);
    expect(saidBy(error)).not.toMatch(/canary|mustermann/i);
  });
});

describe('the deadline of a call with all its attempts', () => {
  it('limits each attempt to the rest of the deadline', async () => {
    const limits: number[] = [];
    const timeout = (milliseconds: number) => {
      limits.push(milliseconds);
      return AbortSignal.timeout(milliseconds);
    };
    server.answerWith(inTurn(empty(503), json(200, {})));
    const { client } = createTestClient(server.baseUrl, { timeout, random: () => 0.8 });
    await client.send(get, { deadline: 1_000 });
    expect(limits).toEqual([1_000, 1_000, 800]);
  });

  it('ends an attempt that hangs, at any stage of the answer', async () => {
    const { client } = createTestClient(server.baseUrl);
    for (const written of ['', '{"a":']) {
      server.answerWith((_, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.flushHeaders();
        response.write(written);
      });
      await expect(client.send(post, { deadline: 50 })).rejects.toBeInstanceOf(PlatformTimeoutError);
    }
  });

  it('starts no retry after the deadline', async () => {
    server.answerWith(empty(503));
    const { client, pauses } = createTestClient(server.baseUrl, { random: () => 1 });
    await expect(client.send(get, { deadline: 250 })).rejects.toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(1);
    expect(pauses).toEqual([]);
  });

  it.each([0, -1, 0.4, Number.NaN, Number.NEGATIVE_INFINITY])(
    'sends nothing with a deadline of %d ms',
    async (deadline) => {
      server.answerWith(json(200, {}));
      const failure = createTestClient(server.baseUrl).client.send(get, { deadline });
      await expect(failure).rejects.toBeInstanceOf(PlatformTimeoutError);
      expect(server.requests).toHaveLength(0);
    },
  );

  it.each([1_500.5, Number.POSITIVE_INFINITY, 2 ** 40])('accepts a deadline of %d ms', async (deadline) => {
    server.answerWith(json(200, {}));
    await createTestClient(server.baseUrl).client.send(get, { deadline });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a call whose signal aborts, which ends with the reason of the signal', () => {
  const reason = new Error('The caller has left.');

  it('ends before the call, with nothing sent and no token read', async () => {
    server.answerWith(json(200, {}));
    const { client, tokens } = createTestClient(server.baseUrl);
    expect(await failureOf(client.send(get, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(server.requests).toHaveLength(0);
    expect(tokens.reads).toHaveLength(0);
  });

  it('ends while the client reads its token', async () => {
    const controller = new AbortController();
    const read = () => {
      setTimeout(() => controller.abort(reason));
      return new Promise<never>(() => undefined);
    };
    const { client } = createTestClient(server.baseUrl, { tokens: { read } });
    expect(await failureOf(client.send(get, { signal: controller.signal }))).toBe(reason);
  });

  it('ends in the middle of an attempt', async () => {
    const controller = new AbortController();
    server.answerWith(() => controller.abort(reason));
    const { client } = createTestClient(server.baseUrl);
    expect(await failureOf(client.send(get, { signal: controller.signal }))).toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  it('ends in the middle of an answer', async () => {
    const controller = new AbortController();
    server.answerWith((_, response) => {
      response.write('{');
      setTimeout(() => controller.abort(reason), 20);
    });
    const { client } = createTestClient(server.baseUrl);
    expect(await failureOf(client.send(get, { signal: controller.signal }))).toBe(reason);
  });

  it.each([
    ['rejects with the reason', () => reason],
    ['rejects with an error of its own, as node:timers does', () => new Error('aborted', { cause: reason })],
  ])('ends during the wait for a retry, which %s', async (_, error) => {
    const controller = new AbortController();
    server.answerWith(empty(503));
    const wait = async () => {
      controller.abort(reason);
      throw error();
    };
    const { client } = createTestClient(server.baseUrl, { wait });
    expect(await failureOf(client.send(get, { signal: controller.signal }))).toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  it('removes every listener from the signal', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    Object.assign(signal, {
      addEventListener: (...parameters: Parameters<typeof add>) => {
        listeners += 1;
        add(...parameters);
      },
      removeEventListener: (...parameters: Parameters<typeof remove>) => {
        listeners -= 1;
        remove(...parameters);
      },
    });
    server.answerWith(json(200, {}));
    await createTestClient(server.baseUrl).client.send(get, { signal });
    expect(listeners).toBe(0);
  });
});
