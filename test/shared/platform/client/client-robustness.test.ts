import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { PlatformError } from '#shared/platform/client/errors.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { createNaturalPerson } from '#shared/platform/resources/create-natural-person.ts';
import { createIdentificationVerification } from '#shared/platform/resources/identification-verifications.ts';
import { listNaturalPersons } from '#shared/platform/resources/list-natural-persons.ts';
import { getNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import { cancelOrder, getTradeInvoice } from '#shared/platform/resources/traditional-assets.ts';
import { listUndeliveredWebhooks } from '#shared/platform/resources/undelivered-webhooks.ts';
import { listMissingWebhooks, listWebhooks, registerWebhook } from '#shared/platform/resources/webhooks.ts';
import { fetchToken } from '#shared/platform/token/token.ts';
import { size } from '#test/full-size.ts';
import { jsonObject } from '#test/shared/events/json-writing.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { all, createTestClient, otherId, personId, requestor, saidBy } from './test-client.ts';

/** What a server writes, and when and how it stops. */
type Answer = {
  readonly bytes: Buffer;
  /** After so much of it, from 0 to 1. */
  readonly stopsAt: number;
  readonly stop: 'end' | 'reset' | 'hang' | 'never';
  /** Whether the server pauses in the middle. */
  readonly isSlow: boolean;
};

const answers: Answer[] = [];
/** The attempt under way for each answer. */
const attempts = new Map<number, AbortController>();
const sockets = new Set<Socket>();
let server: Server;
let origin: string;

/** Writes raw bytes to each caller: the test decides how much of them is HTTP. The path names the answer. */
beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (data) => {
      const number = Number(/^\w+ \/(\d+)\//.exec(data.toString('latin1'))?.[1] ?? -1);
      const answer = answers[number];
      const attempt = attempts.get(number);
      if (answer !== undefined) void write(socket, answer).then(() => timeOut(attempt));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(resolve));
});

async function write(socket: Socket, { bytes, stopsAt, stop, isSlow }: Answer): Promise<void> {
  const written = stop === 'never' ? bytes : bytes.subarray(0, Math.round(bytes.length * stopsAt));
  const middle = isSlow ? Math.floor(written.length / 2) : 0;
  socket.write(written.subarray(0, middle));
  if (isSlow) await sleep(3);
  socket.write(written.subarray(middle));
  if (stop === 'end') socket.end();
  if (stop === 'reset') setImmediate(() => socket.resetAndDestroy());
}

/** Turns of the event loop in which a client has read all that a server has written, on a busy machine too. */
const turnsToRead = 100;

/** Lets an attempt that still waits time out: by turns of the event loop, so that no result depends on the speed of the machine. */
async function timeOut(attempt: AbortController | undefined): Promise<void> {
  for (let turn = 0; turn < turnsToRead; turn += 1) await nextTurn();
  attempt?.abort(new DOMException('The attempt took too long.', 'TimeoutError'));
}

const anyBytes = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes));
const texts = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('', otherId, 'ACTIVE', '2026-01-02T03:04:05Z'));
const values = fc.oneof(
  texts,
  fc.integer(),
  fc.constant(null),
  fc.boolean(),
  jsonObject,
  fc.array(texts, { maxLength: 3 }),
);
const person = fc.record(
  {
    naturalPersonId: values,
    externalId: fc.oneof(values, fc.constant('partner-1')),
    naturalPersonStatus: values,
    createdOn: values,
    access_token: values,
    token_type: fc.constantFrom('Bearer', 'x'),
    expires_in: values,
    eventType: values,
    url: values,
  },
  { requiredKeys: [] },
);
const page = fc.record(
  {
    data: fc.oneof(values, fc.array(person, { maxLength: 3 })),
    pagination: fc.oneof(values, fc.record({ cursor: values })),
  },
  { requiredKeys: ['data'] },
);
const errorBody = fc.record(
  {
    message: values,
    responseType: values,
    requestId: values,
    errorCode: values,
    error: values,
    errorDetails: fc.oneof(values, fc.array(fc.oneof(values, fc.record({ field: values, errors: values })))),
  },
  { requiredKeys: [] },
);
const json = fc.oneof(person, page, errorBody, fc.array(person, { maxLength: 3 }), jsonObject, values);
const body = fc.oneof(
  { weight: 5, arbitrary: json.map((value) => Buffer.from(JSON.stringify(value))) },
  {
    weight: 1,
    arbitrary: fc.tuple(json, fc.nat(40)).map(([value, cut]) => Buffer.from(JSON.stringify(value).slice(0, -cut))),
  },
  { weight: 1, arbitrary: anyBytes },
  { weight: 1, arbitrary: fc.nat(20_000).map((depth) => Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`)) },
);

const status = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(200, 201, 202, 204) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(301, 302, 304, 400, 401, 403, 404, 407, 408, 409, 421, 429, 500, 501, 502, 503),
  },
  { weight: 1, arbitrary: fc.constantFrom(100, 101, 102, 103, 199, 205, 299, 300, 399, 499, 599) },
  { weight: 1, arbitrary: fc.nat(1_100) },
);
const headerValue = fc.oneof(
  fc.string({ maxLength: 12 }),
  anyBytes.map((bytes) => bytes.toString('latin1')),
);
const header = fc.oneof(
  fc.tuple(
    fc.constantFrom('retry-after'),
    fc.oneof(fc.constantFrom('0', '1', '999999999999', '-1', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT'), headerValue),
  ),
  fc.tuple(
    fc.constantFrom('content-type'),
    fc.oneof(fc.constantFrom('application/json', 'text/html; charset=utf-16', ';'), headerValue),
  ),
  fc.tuple(
    fc.constantFrom('content-encoding'),
    fc.constantFrom('gzip', 'br', 'deflate', 'zstd', 'identity', 'x', 'gzip, gzip'),
  ),
  fc.tuple(fc.constantFrom('location', 'set-cookie', 'www-authenticate', 'link', 'refresh', 'upgrade'), headerValue),
  fc.tuple(fc.constantFrom('connection'), fc.constantFrom('close', 'keep-alive', 'upgrade')),
  fc.tuple(fc.constantFrom('transfer-encoding'), fc.constantFrom('chunked', 'gzip, chunked', 'x')),
  fc.tuple(fc.string({ maxLength: 8 }), headerValue),
);
const framing = fc.oneof(
  { weight: 6, arbitrary: fc.constant('length' as const) },
  { weight: 2, arbitrary: fc.constant('chunked' as const) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('none' as const, 'too long' as const, 'too short' as const, 'bad chunks' as const),
  },
);

const http = fc
  .tuple(status, fc.array(header, { maxLength: 2 }), framing, body)
  .map(([code, headers, frame, content]) => {
    const lengths = { length: 0, 'too long': 7, 'too short': -1 };
    const more = frame in lengths ? content.length + lengths[frame as keyof typeof lengths] : undefined;
    const framed = more === undefined ? [['transfer-encoding', 'chunked']] : [['content-length', String(more)]];
    const all = [...headers, ...(frame === 'none' ? [] : framed)].map(([name, value]) => `${name}: ${value}\r\n`);
    const size = frame === 'bad chunks' ? 'xyz' : content.length.toString(16);
    const chunks = Buffer.concat([Buffer.from(`${size}\r\n`), content, Buffer.from('\r\n0\r\n\r\n')]);
    const isChunked = frame === 'chunked' || frame === 'bad chunks';
    const head = Buffer.from(`HTTP/1.1 ${code} x\r\n${all.join('')}\r\n`, 'latin1');
    return Buffer.concat([head, isChunked ? chunks : content]);
  });

const answer: fc.Arbitrary<Answer> = fc.record({
  bytes: fc.oneof({ weight: 12, arbitrary: http }, { weight: 1, arbitrary: anyBytes }),
  stopsAt: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
  stop: fc.oneof(
    { weight: 8, arbitrary: fc.constant('never' as const) },
    { weight: 3, arbitrary: fc.constantFrom('end' as const, 'reset' as const) },
    { weight: 1, arbitrary: fc.constant('hang' as const) },
  ),
  isSlow: fc.boolean(),
});

const verification = {
  naturalPersonId: personId,
  externalVerifier: 'EXTERNAL_VERIFIER_ID',
  identificationType: 'VIDEO_IDENT' as const,
};
const profile = platformProfile.parse({});

/** Times out the attempts for an answer when the server is done with it, and never a whole call. */
const timeoutFor = (number: number) => (milliseconds: number) => {
  const controller = new AbortController();
  if (milliseconds <= profile.deadlines.attempt) attempts.set(number, controller);
  // A connection that the server has closed may never show it the request.
  return AbortSignal.any([controller.signal, AbortSignal.timeout(5_000)]);
};
type Timeout = ReturnType<typeof timeoutFor>;

const callPlatform = createPlatformFetch();
const calls: readonly ((client: PlatformClient, baseUrl: string, timeout: Timeout) => Promise<unknown>)[] = [
  (client) => getNaturalPerson(client, personId),
  (client) => createNaturalPerson(client, samplePerson),
  (client) => all(listNaturalPersons(client)),
  (client) => createIdentificationVerification(client, requestor, verification),
  (client) => cancelOrder(client, requestor, 'order'),
  (client) => getTradeInvoice(client, requestor, 'execution'),
  (client) => all(listWebhooks(client)),
  (client) => all(listUndeliveredWebhooks(client).pages()),
  (client) => listMissingWebhooks(client),
  (client) => registerWebhook(client, { eventType: 'A', url: 'https://partner.example' }),
  (client) => client.request(z.unknown(), { operation: 'Do something', method: 'PATCH', path: '/x', body: {} }),
  (_, authUrl, timeout) =>
    fetchToken({
      authUrl,
      clientId: 'x',
      clientSecret: 'CANARYTOKEN',
      profile,
      fetch: callPlatform,
      now: () => new Date(),
      timeout,
    }),
];

describe('a call to a platform that misbehaves', () => {
  it('succeeds or fails with a PlatformError for any answer, delay or broken connection', async () => {
    const cases = size(300, 10_000);
    const counts = { succeeded: 0, failed: new Map<string, number>() };
    /** Eight cases for each operation, all concurrently. */
    const atOnce = calls.length * 8;
    const someAnswers = fc.array(answer, { minLength: atOnce, maxLength: atOnce });
    const check = async (generated: readonly Answer[]) => {
      const settled = await Promise.allSettled(
        generated.map((one, index) => {
          const number = answers.push(one) - 1;
          const baseUrl = `${origin}/${number}`;
          const timeout = timeoutFor(number);
          return calls[index % calls.length]?.(createTestClient(baseUrl, { timeout }).client, baseUrl, timeout);
        }),
      );
      for (const one of settled) {
        if (one.status === 'fulfilled') {
          counts.succeeded += 1;
          continue;
        }
        const error: unknown = one.reason;
        expect(error).toBeInstanceOf(PlatformError);
        expect(saidBy(error)).not.toMatch(/CANARYTOKEN|Mustermann/);
        const name = error instanceof PlatformError ? error.name : '';
        counts.failed.set(name, (counts.failed.get(name) ?? 0) + 1);
      }
    };
    await fc.assert(fc.asyncProperty(someAnswers, check), { numRuns: Math.ceil(cases / atOnce), endOnFailure: true });
    const failures = [...counts.failed.values()].reduce((sum, count) => sum + count, 0);
    expect(counts.succeeded + failures).toBeGreaterThanOrEqual(cases);
    expect(counts.succeeded).toBeGreaterThan(cases / 100);
    for (const kind of ['Http', 'Network', 'Schema', 'Timeout'])
      expect(counts.failed.get(`Platform${kind}Error`) ?? 0, kind).toBeGreaterThan(cases / 100);
  });
});
