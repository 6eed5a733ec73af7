import { describe, expect, it } from 'vitest';
import { lifeCycles } from '#sandbox/platform/triggers/life-cycles.ts';
import { notificationSchemas } from '#sandbox/platform/webhooks/notification-schemas.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { compiler, createOpenApiCheck } from '#test/sandbox/platform/openapi-check.ts';
import { type OpenApiDocument, openApiDocument, operationsOf } from '#test/sandbox/platform/openapi-document.ts';
import { startPlatform } from '#test/sandbox/platform/platform-fixture.ts';

async function read(path: string, platform = startPlatform()): Promise<OpenApiDocument> {
  const { status, headers, text } = await platform.requestRaw('GET', path);
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
  return openApiDocument.parse(JSON.parse(text));
}

/** Every value of a key, at any depth. */
function valuesOf(key: string, within: unknown): readonly unknown[] {
  if (typeof within !== 'object' || within === null) return [];
  return Object.entries(within).flatMap(([name, value]) => [...(name === key ? [value] : []), ...valuesOf(key, value)]);
}

function atPointer(document: unknown, reference: string): unknown {
  const parts = reference.replace(/^#\//, '').split('/');
  return parts.reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], document);
}

const documents = ['/openapi.json', '/control/openapi.json'];

describe.each(documents)('sandbox platform: OpenAPI 3.1, %s', (path) => {
  it('is a valid OpenAPI document', async () => {
    expect((await read(path)).openapi).toBe('3.1.0');
  });

  it('refers only to existing components', async () => {
    const document = await read(path);
    const references = valuesOf('$ref', document);
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references) expect(atPointer(document, String(reference)), String(reference)).toBeDefined();
  });

  it('has JSON Schema 2020-12 schemas that all compile in strict mode', async () => {
    const document = await read(path);
    const schemaOf = compiler(document);
    const names = Object.keys(document.components.schemas);
    expect(names).toContain('Error');
    for (const name of names) expect(schemaOf(`/components/schemas/${name}`), name).toBeTypeOf('function');
    for (const { pointer, operation } of operationsOf(document)) {
      for (const [index] of (operation.parameters ?? []).entries())
        expect(schemaOf(`${pointer}/parameters/${index}/schema`)).toBeTypeOf('function');
      for (const [status, { content = {} }] of Object.entries(operation.responses))
        for (const type of Object.keys(content).filter((each) => each === 'application/json'))
          expect(schemaOf(`${pointer}/responses/${status}/content/${type.replace('/', '~1')}/schema`)).toBeTypeOf(
            'function',
          );
    }
  });

  it('gives each operation a unique operationId', async () => {
    const operations = operationsOf(await read(path)).map(({ operation }) => operation);
    expect(operations.length).toBeGreaterThan(5);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  it('puts each operation below one described heading', async () => {
    const document = await read(path);
    const headings = document.tags?.map(({ name }) => name) ?? [];
    const used = operationsOf(document).map(({ operation }) => operation.tags ?? []);
    expect(used.filter((tags) => tags.length !== 1)).toEqual([]);
    expect(new Set(used.flat())).toEqual(new Set(headings));
    expect(headings.length).toBeGreaterThan(3);
  });

  it('names exactly the parameters of each path', async () => {
    for (const { path: template, operation } of operationsOf(await read(path))) {
      const named = (operation.parameters ?? []).flatMap((one) => (one.in === 'path' ? [one.name] : []));
      expect(named.toSorted()).toEqual([...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted());
    }
  });

  it('lists the error statuses of each operation (section 7)', async () => {
    for (const { operation } of operationsOf(await read(path)))
      expect(Object.keys(operation.responses), operation.operationId).toEqual(
        expect.arrayContaining(['400', 'default']),
      );
  });
});

describe('sandbox platform: OpenAPI 3.1, webhooks', () => {
  it('describes the body of each event type, and so every notification that the platform sends', async () => {
    const sent: { readonly eventType: string; readonly body: unknown }[] = [];
    const platform = startPlatform({
      settings: { videoCallsAfter: 1 },
      fetch: async (url, init) => {
        sent.push({ eventType: new URL(String(url)).pathname.slice(1), body: JSON.parse(String(init?.body)) });
        return new Response(null, { status: 200 });
      },
    });
    const document = await read('/openapi.json', platform);
    expect(Object.keys(document.webhooks ?? {})).toEqual(platform.registrations.eventTypes);
    for (const eventType of platform.registrations.eventTypes)
      platform.registrations.register({ eventType, url: `https://partner.example/${eventType}` });

    for (const type of Object.keys(lifeCycles)) await platform.request('POST', '/control/triggers', { body: { type } });
    for (const lastName of ['Muster', 'Magic-Unidentified']) {
      const made = await platform.request('POST', '/control/natural-persons', {
        body: { status: 'CREATED', lastName },
      });
      const { naturalPersonId } = made.body as { naturalPersonId: string };
      const how = { externalVerifier: 'EXTERNAL_VERIFIER_ID', identificationType: 'VIDEO_IDENT' };
      platform.verifications.create({ naturalPersonId, ...how });
    }
    await platform.clock.advance(600);

    const schemaOf = compiler(document);
    const misfits = sent.flatMap(({ eventType, body }) => {
      const validate = schemaOf(`/webhooks/${eventType}/post/requestBody/content/application~1json/schema`);
      return validate(body) ? [] : [{ eventType, body, errors: validate.errors }];
    });
    expect(misfits).toEqual([]);
    expect(new Set(sent.map(({ eventType }) => eventType))).toEqual(new Set(Object.keys(notificationSchemas)));
    expect(sent.length).toBeGreaterThan(30);
  });
});

describe('sandbox platform: OpenAPI 3.1, served operations', () => {
  it.each(documents)('serves each operation of %s, with a token where the document requires one', async (path) => {
    const platform = startPlatform();
    const document = await read(path, platform);
    for (const { method, path: template, operation } of operationsOf(document)) {
      const { status } = await platform.requestRaw(method, template.replaceAll(/\{\w+\}/g, 'x'));
      const needsToken = (operation.security ?? document.security ?? []).length > 0;
      if (needsToken) expect([operation.operationId, status]).toEqual([operation.operationId, 401]);
      else expect([200, 400, 404], operation.operationId).toContain(status);
    }
  });

  it('serves the API below / and the control API below /control', async () => {
    const [api, control] = await Promise.all(documents.map((path) => read(path)));
    expect(api?.servers).toBeUndefined();
    expect(control?.servers).toEqual([{ url: '/control' }]);
  });

  it('uses the paths of the platform profile', async () => {
    const profile = platformProfile.parse({ token: { path: '/connect/token' }, webhookPaths: { webhooks: '/hooks' } });
    const { paths } = await read('/openapi.json', startPlatform({ profile }));
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/connect/token', '/hooks', '/hooks/{eventType}']));
  });

  it('describes malformed undelivered webhooks with a schema of their own', async () => {
    const { components } = await read('/openapi.json');
    expect(components.schemas).toMatchObject({
      MalformedUndeliveredWebhook: { description: expect.stringContaining('Only created by addUndeliveredWebhooks') },
    });
  });
});

describe("sandbox platform: the tests' check of answers against OpenAPI", () => {
  const json = { status: 200, contentType: 'application/json', text: '[]' };
  const webhook = { createdOn: '2026-11-21T08:00:00Z', modifiedOn: '2026-11-21T08:00:00Z', eventType: 'A', url: 'x' };

  async function check(answered: object, method = 'GET', path = '/webhooks') {
    return createOpenApiCheck([await read('/openapi.json')])({ ...json, method, path, ...answered });
  }

  it.each([
    ['an answer that is described', {}, undefined],
    [
      'a timestamp to the nanosecond',
      { text: JSON.stringify([{ ...webhook, createdOn: '2026-11-21T08:00:00.123456789Z' }]) },
      undefined,
    ],
    ['what is no timestamp', { text: JSON.stringify([{ ...webhook, createdOn: '2026-11-21' }]) }, 'must match format'],
    ['a field too many', { text: JSON.stringify([{ ...webhook, secret: 1 }]) }, 'must NOT have additional properties'],
    ['a field too few', { text: '[{}]' }, "must have required property 'createdOn'"],
    ['a status that is not listed', { status: 201 }, 'listWebhooks does not list 201'],
    ['a status that section 7 does not list for it', { status: 404, text: '{}' }, 'listWebhooks does not list 404'],
    ['an error without an error body', { status: 500, text: '{}' }, "must have required property 'message'"],
    ['another Content-Type', { contentType: 'text/html' }, 'the Content-Type is text/html'],
    ['no Content-Type', { contentType: undefined }, 'the Content-Type is '],
  ])('rejects an answer with %s', async (_, answered, problem) => {
    expect(await check(answered)).toEqual(problem === undefined ? undefined : expect.stringContaining(problem));
  });

  it('rejects a body where the document has none', async () => {
    const path = '/webhooks/TRANSFER_NOTIFICATION';
    expect(await check({ text: '', contentType: undefined }, 'DELETE', path)).toBeUndefined();
    expect(await check({}, 'DELETE', path)).toBe('there is a body where none is listed');
  });

  it('rejects an unknown operation', async () => {
    expect(await check({}, 'GET', '/elsewhere')).toContain('there is no such operation');
    expect(await check({ status: 404, text: '{}' }, 'GET', '/elsewhere')).toContain('must have required property');
  });
});
