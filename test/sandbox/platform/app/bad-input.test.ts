import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorBody } from '#sandbox/platform/core/refused-error.ts';
import {
  type LocatedOperation,
  type OpenApiDocument,
  openApiDocument,
  operationsOf,
} from '#test/sandbox/platform/openapi-document.ts';
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

const pathText = fc.oneof(fc.string({ unit: 'binary' }), fc.webPath(), fc.string());
const someText = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', '', '%', '%00', '%ff', '..', '*', '{'),
);
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
    'x-any': fc.stringMatching(/^[\x20-\xff]{0,40}$/),
  },
  { requiredKeys: [] },
);
const json = fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify(value));
const plausible = fc.oneof(
  fc.uuid(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom('ACTIVE', 'MALE', 'TRANSFER_NOTIFICATION', 'DE', '2026-11-01', 'https://partner.example', 'A', '-1'),
  fc.constantFrom(0, 1, -1, 0.1, 1e308, 2 ** 53, true, null),
  fc.jsonValue(),
);

/** Objects that have some of the fields which the operations take, with values that are right here and there. */
function objects(): fc.Arbitrary<string> {
  const names = operations.flatMap(({ operation }) => identifiersIn(operation.requestBody));
  const fields = fc.dictionary(fc.constantFrom(...new Set([...names, ...fieldNames])), plausible, { maxKeys: 12 });
  return fields.map((value) => JSON.stringify(value));
}

/** Of components, to which the operations only refer. */
const fieldNames = [
  'eventType',
  'url',
  'headers',
  'firstName',
  'lastName',
  'birthDay',
  'naturalPersonUpdateData',
  'contact',
];

/** The fields of the schemas in it. */
function identifiersIn(within: unknown): readonly string[] {
  if (typeof within !== 'object' || within === null) return [];
  return Object.entries(within).flatMap(([key, value]) =>
    key === 'properties' ? Object.keys(value as object) : identifiersIn(value),
  );
}
const body = fc.oneof(
  json,
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
  fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '"a"',
    '1e400',
    '{"__proto__":{"a":1}}',
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  ),
);
const anyMethod = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND', 'X');

describe('sandbox platform: any method, path, headers and body', () => {
  it.each(['', '/control'])(
    'answers requests below “%s/” as the OpenAPI document says, and never with 5xx',
    async (base) => {
      await fc.assert(
        fc.asyncProperty(anyMethod, pathText, headers, body, async (verb, text, others, content) => {
          const path = `${base}/${encodeURI(text.toWellFormed())}`;
          await send({ method: verb, path, headers: { authorization, ...others }, body: content });
        }),
        { numRuns: 1_000 },
      );
    },
  );

  it('answers a path that cannot be decoded as the OpenAPI document says', async () => {
    for (const text of [
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
    ])
      for (const base of ['/', '/webhooks/', '/control/faults/', '/entities/natural-persons/'])
        await send({ method: 'GET', path: `${base}${text}`, headers: { authorization }, body: undefined });
  });
});

describe('sandbox platform: any path parameters, query, headers and body of a known operation', () => {
  /** Of these the good ones do something that takes time, or changes what the next is answered with. */
  const isSafe = ({ path }: LocatedOperation) => !/\/(faults|settings|advance|resume|revoke)$/.test(path);

  const names = fc.constantFrom('cursor', 'limit', 'naturalPersonStatus', 'x');
  const query = fc.array(fc.tuple(names, someText), { maxLength: 3 });

  it('answers as the OpenAPI document of the operation says, and never with 5xx', async () => {
    const call = fc.record({
      operation: fc.constantFrom(...operations.filter(isSafe)),
      part: fc.oneof(someText, fc.uuid()),
      query,
      headers,
      body: fc.oneof(body, objects(), objects()),
    });
    await fc.assert(
      fc.asyncProperty(
        call,
        async ({ operation: { method, path }, part, query: pairs, headers: others, body: content }) => {
          const filled = path.replaceAll(/\{\w+\}/g, encodeURIComponent(part.toWellFormed()) || 'x');
          const search = new URLSearchParams(
            pairs.map(([name, value]): [string, string] => [name, value.toWellFormed()]),
          );
          const all = { 'content-type': 'application/json', authorization, ...others };
          await send({ method, path: `${filled}?${search}`, headers: all, body: content });
        },
      ),
      { numRuns: 3_000 },
    );
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404]));
  });

  it('rejects an invalid body of an operation that changes everything', async () => {
    const every = operations.filter((operation) => !isSafe(operation) && ['POST', 'PATCH'].includes(operation.method));
    expect(every.length).toBeGreaterThan(2);
    const settings = fc.dictionary(fc.constantFrom(...Object.keys(platform.settings.read())), plausible, {
      maxKeys: 3,
    });
    const change = fc.oneof(
      body,
      objects(),
      settings.map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...every), change, async ({ method, path }, content) => {
        await send({ method, path, headers: { 'content-type': 'application/json', authorization }, body: content });
        platform.faults.clear();
      }),
      { numRuns: 1_000 },
    );
  });
});
