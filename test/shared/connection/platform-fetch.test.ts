import { getEventListeners } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import type { PlatformFetch } from '#shared/platform/client/http.ts';
import { version } from '#shared/version.ts';
import { json, platformOfFile } from '#test/shared/platform/client/platform-server.ts';

const server = platformOfFile();

const never = new AbortController().signal;
const get = { method: 'GET', headers: {}, redirect: 'manual', signal: never } as const;

async function read(url: string, request: Partial<Parameters<PlatformFetch>[1]> = {}) {
  const answer = await createPlatformFetch()(url, { ...get, ...request });
  return { status: answer.status, body: Buffer.from(await answer.bytes()).toString() };
}

/** Tells what comes over a bare socket, byte for byte, and answers with it what a test says. */
async function startSocketServer(answer: (socket: Socket, data: Buffer) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const bare: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('data', (data) => answer(socket, data));
  });
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    bare.close();
  });
  const address = bare.address();
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

describe('section 4: a call and its answer pass unchanged', () => {
  it('has the method, path, query, headers and body', async () => {
    server.answerWith(json(201, { a: 1 }));
    const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
    const url = `${server.baseUrl}/persons/a%20b?cursor=x%26y&limit=5`;
    expect(await read(url, { method: 'POST', headers, body: '{"b":"é"}' })).toEqual({ status: 201, body: '{"a":1}' });
    expect(server.requests).toMatchObject([
      { method: 'POST', url: '/persons/a%20b?cursor=x%26y&limit=5', body: '{"b":"é"}' },
    ]);
    expect(server.requests[0]?.headers).toMatchObject({
      ...headers,
      host: server.baseUrl.slice('http://'.length),
      'content-length': '10',
    });
  });

  it('sends no body when the request has none', async () => {
    server.answerWith(json(200, {}));
    await read(server.baseUrl, { method: 'DELETE' });
    expect(server.requests).toMatchObject([{ method: 'DELETE', url: '/', body: '' }]);
    expect(server.requests[0]?.headers).not.toHaveProperty('content-type');
  });

  it('gives headers by their names, in any case, and null for what is not there', async () => {
    server.answerWith((_, response) => response.writeHead(429, { 'Retry-After': '7' }).end());
    const { status, headers } = await createPlatformFetch()(server.baseUrl, get);
    expect([status, headers.get('retry-after'), headers.get('Retry-After'), headers.get('x')]).toEqual([
      429,
      '7',
      '7',
      null,
    ]);
  });

  it('follows no redirect, so that no other host gets the token', async () => {
    server.answerWith((_, response) => response.writeHead(307, { location: '/elsewhere' }).end('moved'));
    expect(await read(server.baseUrl)).toEqual({ status: 307, body: 'moved' });
    expect(server.requests).toHaveLength(1);
  });

  it('says nothing in clear text where the URL is HTTPS', async () => {
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    const place = await startSocketServer((socket, data) => {
      resolve(data);
      socket.destroy();
    });
    await expect(read(`https://${place}/`, { headers: { authorization: 'CANARYTOKEN' } })).rejects.toThrow();
    const hello = await promise;
    // A record of the TLS handshake (RFC 8446 section 5.1).
    expect(hello[0]).toBe(22);
    expect(hello.includes('CANARYTOKEN')).toBe(false);
  });

  it('keeps connections alive between calls', async () => {
    const ports = new Set<number | undefined>();
    const calls: string[] = [];
    const place = await startSocketServer((socket, data) => {
      ports.add(socket.remotePort);
      calls.push(data.toString());
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    });
    const callPlatform = createPlatformFetch();
    for (let call = 0; call < 3; call += 1) await (await callPlatform(`http://${place}/`, get)).bytes();
    expect(calls).toHaveLength(3);
    expect(ports.size).toBe(1);
  });

  it('says who calls: firewalls turn away what has no User-Agent (RFC 9110 section 10.1.5)', async () => {
    server.answerWith(json(200, {}));
    await read(server.baseUrl);
    expect(server.requests[0]?.headers).toMatchObject({ 'user-agent': `drawbridge/${version}` });
  });
});

describe('failure modes: a socket reset after a frozen Lambda thaws. No connection is kept until it is stale', () => {
  const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

  it('closes all that are idle for too long, and calls over a new one then', async () => {
    const open = new Set<Socket>();
    const ports = new Set<number | undefined>();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const place = await startSocketServer((socket) => {
      ports.add(socket.remotePort);
      open.add(socket.once('close', () => open.delete(socket) && open.size === 0 && resolve()));
      // No request is answered before the other has come: over two connections.
      if (open.size === 2 || ports.size > 2) for (const each of open) each.write(ok);
    });
    const callPlatform = createPlatformFetch({ idle: 50 });
    const call = async () => (await callPlatform(`http://${place}/`, get)).bytes();
    await Promise.all([call(), call()]);
    await closed;
    await call();
    expect(ports.size).toBe(3);
  });

  it('waits for an answer that takes longer', async () => {
    const place = await startSocketServer((socket) => setTimeout(() => socket.write(ok), 100));
    const answer = await createPlatformFetch({ idle: 20 })(`http://${place}/`, get);
    expect(Buffer.from(await answer.bytes()).toString()).toBe('ok');
  });
});

describe('RFC 9110 section 8.4: a body that was compressed is read as it was before', () => {
  it('asks for gzip, and decompresses it', async () => {
    server.answerWith(({ headers }, response) =>
      response.writeHead(200, { 'content-encoding': headers['accept-encoding'] }).end(gzipSync('{"a":"é"}')),
    );
    expect(await read(server.baseUrl)).toEqual({ status: 200, body: '{"a":"é"}' });
    expect(server.requests[0]?.headers).toMatchObject({ 'accept-encoding': 'gzip' });
  });

  it.each(['GZIP', 'Gzip', 'x-gzip'])(
    'takes %s for gzip, as RFC 9110 section 8.4.1.3 and the case of codings have it',
    async (coding) => {
      server.answerWith((_, response) =>
        response.writeHead(200, { 'content-encoding': coding }).end(gzipSync('as it was')),
      );
      expect(await read(server.baseUrl)).toEqual({ status: 200, body: 'as it was' });
    },
  );

  it.each(['identity', 'Identity', '', undefined])('takes a body whose coding is %s as it is', async (coding) => {
    server.answerWith((_, response) =>
      response.writeHead(200, coding === undefined ? {} : { 'content-encoding': coding }).end('as it is'),
    );
    expect(await read(server.baseUrl)).toEqual({ status: 200, body: 'as it is' });
  });

  it('reads no body of an answer that has none, with any coding', async () => {
    server.answerWith((_, response) => response.writeHead(204, { 'content-encoding': 'gzip' }).end());
    expect(await read(server.baseUrl)).toEqual({ status: 204, body: '' });
  });

  it.each(['br', 'gzip, gzip', 'x'])('refuses the coding %s, which the request did not allow', async (coding) => {
    server.answerWith((_, response) => response.writeHead(200, { 'content-encoding': coding }).end('x'));
    await expect(read(server.baseUrl)).rejects.toThrow('The answer has a content coding that was not asked for.');
  });

  it.each([
    ['is none', Buffer.from('CANARY')],
    ['breaks off', gzipSync('x'.repeat(1_000)).subarray(0, -9)],
  ])('refuses gzip that %s', async (_, bytes) => {
    server.answerWith((__, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes));
    await expect(read(server.baseUrl)).rejects.toMatchObject({ code: expect.stringMatching(/^Z_/) });
  });
});

describe('an answer whose body is too large', () => {
  const limited = async (url: string) => (await createPlatformFetch({ maxBytes: 1_000 })(url, get)).bytes();

  it.each([1_000, 999])('is read where it has no more than the limit, such as %i bytes', async (length) => {
    server.answerWith((_, response) => response.writeHead(200).end('x'.repeat(length)));
    expect(await limited(server.baseUrl)).toHaveLength(length);
    server.answerWith((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(length))),
    );
    expect(await limited(server.baseUrl)).toHaveLength(length);
  });

  it('is refused, compressed to less than the limit', async () => {
    const body = gzipSync('x'.repeat(1_001));
    expect(body.length).toBeLessThan(1_000);
    server.answerWith((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(body));
    await expect(limited(server.baseUrl)).rejects.toMatchObject({ name: 'AnswerTooLargeError', limit: 1_000 });
  });

  it('is refused although it has no end, and its connection is closed', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const place = await startSocketServer((socket) => {
      socket.once('close', () => resolve());
      socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1_001)}`);
    });
    await expect(limited(`http://${place}/`)).rejects.toMatchObject({ name: 'AnswerTooLargeError' });
    await closed;
  });

  it('is refused beyond 32 MiB unless another limit is given', async () => {
    const body = gzipSync(Buffer.alloc(32 * 1024 * 1024 + 1));
    server.answerWith((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(body));
    await expect(read(server.baseUrl)).rejects.toMatchObject({ limit: 33_554_432 });
  });
});

describe('a call ends with its signal, or with its connection', () => {
  const reason = new Error('Enough.');

  it('sends nothing where the signal was aborted before', async () => {
    server.answerWith(json(200, {}));
    await expect(read(server.baseUrl, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.requests).toHaveLength(0);
  });

  it('leaves nothing with its signal that would keep the body in memory', async () => {
    const { signal } = new AbortController();
    server.answerWith(json(200, {}));
    await read(server.baseUrl, { signal });
    await vi.waitFor(() => expect(getEventListeners(signal, 'abort')).toEqual([]));
    server.answerWith((_, response) => response.destroy());
    await expect(read(server.baseUrl, { signal })).rejects.toThrow();
    await expect(read('none', { signal })).rejects.toMatchObject({ code: 'ERR_INVALID_URL' });
    await vi.waitFor(() => expect(getEventListeners(signal, 'abort')).toEqual([]));
  });

  it.each([
    ['before the answer begins', ''],
    ['in the middle of its headers', 'HTTP/1.1 200 OK\r\ncontent-'],
    ['in the middle of its body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"a"'],
    ['in the middle of its chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"a"\r\n'],
    ['when the answer is of another protocol', 'HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ])('throws the reason of its signal: %s', async (_, written) => {
    const giveUp = new AbortController();
    const place = await startSocketServer((socket) => {
      socket.write(written, () => setTimeout(() => giveUp.abort(reason), 20));
    });
    await expect(read(`http://${place}/`, { signal: giveUp.signal })).rejects.toBe(reason);
  });

  it.each([
    ['before the answer begins', ''],
    ['in the middle of its body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"a"'],
    ['in the middle of its chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"a"\r\n'],
  ])('throws with the code of a connection that the other side closes %s', async (_, written) => {
    const place = await startSocketServer((socket) => socket.end(written));
    await expect(read(`http://${place}/`)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('reads a body to where the connection ends, if nothing else says how long it is', async () => {
    const place = await startSocketServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'));
    expect(await read(`http://${place}/`)).toEqual({ status: 200, body: 'all of it' });
  });

  it('reads a body late, after the connection has ended, where the fetch of Node 24 ends the process', async () => {
    const body = 'x'.repeat(100_000);
    const place = await startSocketServer((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
    );
    const answer = await createPlatformFetch()(`http://${place}/`, get);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await answer.bytes()).length).toBe(body.length);
  });
});
