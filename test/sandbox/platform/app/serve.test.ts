import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PlatformServer, startPlatformServer } from '#sandbox/platform/app/serve.ts';
import { errorBody } from '#sandbox/platform/core/refused-error.ts';

let errors: unknown[];
let server: PlatformServer;
beforeEach(async () => {
  errors = [];
  server = await startPlatformServer({ fetch, now: () => new Date(), onError: (error) => errors.push(error) });
});
afterEach(async () => {
  await server.close();
  expect(errors).toEqual([]);
});

/** Sends these bytes over a connection of its own, and gives all that comes back. */
async function sendBytes(bytes: string | Uint8Array): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.end(bytes);
  return text(socket).catch(() => '');
}

/** The status and the body of an answer in bytes. */
function parseAnswer(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: errorBody.parse(JSON.parse(body)) };
}

describe('sandbox platform: startPlatformServer', () => {
  it.each(['127.0.0.1', 'localhost', '[::1]'])('listens at the address %s', async (host) => {
    const answer = await fetch(`http://${host}:${server.port}/control/clock`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ isFrozen: false });
  });
});

describe('sandbox platform: requests that are not valid HTTP', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['headers that never end', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['a tunnel', 'CONNECT other:443 HTTP/1.1\r\nhost: other\r\n\r\n', 400],
    [
      'an expectation',
      'GET /webhooks HTTP/1.1\r\nhost: localhost\r\nexpect: miracles\r\nconnection: close\r\n\r\n',
      401,
    ],
  ])('answers with an error body: %s', async (_, request, status) => {
    const answered = parseAnswer(await sendBytes(request));
    expect(answered.status).toBe(status);
    expect(answered.body.message).not.toMatch(/\n|\.ts|node_modules/);
  });
});
