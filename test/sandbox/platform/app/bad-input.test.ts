import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorBody } from '#sandbox/platform/core/refused-error.ts';
import { anyCharacter } from '#test/any-character.ts';
import { size } from '#test/full-size.ts';
import {
  type LocatedOperation,
  type OpenApiDocument,
  openApiDocument,
  operationsOf,
} from '#test/openapi/openapi-document.ts';
import { startPlatform, type TestPlatform } from '#test/sandbox/platform/platform-fixture.ts';

let platform: TestPlatform;
let authorization: string;
let operations: readonly LocatedOperation[];
let statuses: Set<number>;
beforeEach(async () => {
  platform = startPlatform({ fetch: () => Promise.resolve(new Response()) });
  // Moves of the clock must not make it invalid.
  platform.settings.change({ tokenLifetime: 10 * 366 * 86_400 });
  statuses = new Set();
  authorization = `Bearer ${platform.tokens.issue().accessToken}`;
  const documents = await Promise.all(['/openapi.json', '/control/openapi.json'].map(read));
  operations = documents.flatMap(operationsOf);
});
/** Unexpected errors of the sandbox. */
afterEach(() => expect(platform.errors).toEqual([]));

async function read(path: string): Promise<OpenApiDocument> {
  return openApiDocument.parse(JSON.parse((await platform.requestRaw('GET', path)).text));
}

type BadRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
};

/** Sends it, holds the answer against the OpenAPI, and gives its status. */
async function send({ method, path, headers, body }: BadRequest): Promise<number> {
  const hasBody = !['GET', 'HEAD'].includes(method) && body !== undefined;
  const { status, body: answered } = await platform.request(method, path, { headers, ...(hasBody && { body }) });
  // Not Implemented is an answer of section 7; no other is to be expected from 500 on.
  expect(status === 501 ? 0 : status).toBeLessThan(500);
  statuses.add(status);
  const isOfTokenService = path.startsWith(platform.profile.token.path) && status === 400;
  if (status >= 400 && method !== 'HEAD' && !isOfTokenService) {
    expect(errorBody.parse(answered).message).not.toMatch(/\n|\.ts:\d|node_modules|ZodError/);
  }
  return status;
}

const someText = fc.oneof(fc.string(), fc.constantFrom('__proto__', '', '%', '%00', '%ff', '..', '*', '{'));
const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'application/json; charset=utf-16',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      'x',
    ),
    'requestor-id': fc.oneof(fc.uuid(), fc.stringMatching(/^[!-~]{0,40}$/)),
    accept: fc.constantFrom('*/*', 'text/html', ''),
  },
  { requiredKeys: [] },
);
const plausible = fc.oneof(
  fc.uuid(),
  fc.constantFrom('ACTIVE', 'MALE', 'TRANSFER_NOTIFICATION', 'DE', '2026-11-01', 'https://partner.example', 'A', '-1'),
  fc.constantFrom(0, 1, -1, 0.1, 1e308, 2 ** 53, true, null),
  fc.jsonValue(),
);

/** Objects that have some of the fields which the operations take, with values that are right here and there. */
function objects(): fc.Arbitrary<string> {
  // The last ones are of components, to which the operations only refer.
  const names = [
    ...operations.flatMap(({ operation }) => fieldsIn(operation.requestBody)),
    'eventType',
    'url',
    'contact',
  ];
  const fields = fc.dictionary(fc.constantFrom(...new Set(names)), plausible, { maxKeys: 12 });
  return fields.map((value) => JSON.stringify(value));
}

/** The fields of the schemas in it. */
function fieldsIn(within: unknown): readonly string[] {
  if (typeof within !== 'object' || within === null) return [];
  return Object.entries(within).flatMap(([key, value]) =>
    key === 'properties' ? Object.keys(value as object) : fieldsIn(value),
  );
}
const body = fc.oneof(
  fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify(value)),
  fc.string({ unit: anyCharacter }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
  fc.constantFrom('', '{', '1e400', '{"__proto__":{"a":1}}', `${'['.repeat(50_000)}${']'.repeat(50_000)}`),
);

describe('sandbox platform: any method, path, headers and body', () => {
  it('answers a request as the OpenAPI document says, and never with 5xx', async () => {
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND', 'X');
    const segments = fc.array(someText, { maxLength: 4 }).map((some) => some.join('/'));
    const path = fc.oneof(fc.string({ unit: anyCharacter }), segments, someText);
    const base = fc.constantFrom('/', '/control/');
    await fc.assert(
      fc.asyncProperty(method, base, path, headers, body, async (verb, start, text, others, content) => {
        const encoded = `${start}${encodeURI(text.toWellFormed())}`;
        await send({ method: verb, path: encoded, headers: { authorization, ...others }, body: content });
      }),
      { numRuns: size(60, 2_000) },
    );
  });

  it.each([
    '%',
    '%zz',
    '%ff',
    '%00',
    '%c0%80',
    '%ed%a0%80',
    '..%2f..',
    '//',
    '///control',
    '/control//clock',
    '?',
    '#',
  ])('answers the path %s as the OpenAPI document says', async (text) => {
    for (const base of ['/', '/webhooks/', '/control/faults/', '/entities/natural-persons/'])
      await send({ method: 'GET', path: `${base}${text}`, headers: { authorization }, body: undefined });
  });
});

describe('sandbox platform: any path parameters, query, headers and body of a known operation', () => {
  /** The good calls of these do something that takes time, or change what the next is answered with. */
  const isSafe = ({ path }: LocatedOperation) => !/\/(faults|settings|advance|resume|revoke)$/.test(path);
  const asJson = { 'content-type': 'application/json' };

  it('answers as the OpenAPI document of the operation says, and never with 5xx', async () => {
    const name = fc.constantFrom('cursor', 'limit', 'naturalPersonStatus', 'x');
    const query = fc.array(fc.tuple(name, someText), { maxLength: 3 });
    const content = fc.oneof(body, objects(), objects());
    const operation = fc.constantFrom(...operations.filter(isSafe));
    await fc.assert(
      fc.asyncProperty(
        operation,
        fc.oneof(someText, fc.uuid()),
        query,
        headers,
        content,
        async ({ method, path }, part, pairs, others, sent) => {
          const filled = path.replaceAll(/\{\w+\}/g, encodeURIComponent(part.toWellFormed()) || 'x');
          const search = new URLSearchParams(
            Object.fromEntries(pairs.map(([key, value]) => [key, value.toWellFormed()])),
          );
          await send({
            method,
            path: `${filled}?${search}`,
            headers: { ...asJson, authorization, ...others },
            body: sent,
          });
        },
      ),
      { numRuns: size(150, 3_000) },
    );
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404]));
  });

  it('answers as the OpenAPI document says, and never with 5xx, to a body of an operation that changes everything', async () => {
    const every = operations.filter((operation) => !isSafe(operation) && ['POST', 'PATCH'].includes(operation.method));
    expect(every.length).toBeGreaterThan(2);
    const names = Object.keys(platform.settings.read());
    const settings = fc.dictionary(fc.constantFrom(...names), plausible, { maxKeys: 3 });
    const content = fc.oneof(
      body,
      objects(),
      settings.map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...every), content, async ({ method, path }, sent) => {
        await send({ method, path, headers: { ...asJson, authorization }, body: sent });
        platform.faults.clear();
      }),
      { numRuns: size(60, 1_000) },
    );
  });
});
