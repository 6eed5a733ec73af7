import { describe, expect, it } from 'vitest';
import { lifeCycles } from '#sandbox/platform/triggers/life-cycles.ts';
import { notificationSchemas } from '#sandbox/platform/webhooks/notification-schemas.ts';
import { compiler } from '#test/openapi/openapi-check.ts';
import { type OpenApiDocument, openApiDocument, operationsOf } from '#test/openapi/openapi-document.ts';
import { keepSent, registerWebhooks, startPlatform } from '#test/sandbox/platform/platform-fixture.ts';

async function read(path: string, platform = startPlatform()): Promise<OpenApiDocument> {
  const { status, headers, text } = await platform.requestRaw('GET', path);
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
  return openApiDocument.parse(JSON.parse(text));
}

/** The pointer to the schema of a body, if it is JSON. */
function jsonSchemasOf(
  body: { readonly content?: object | undefined } | undefined,
  pointer: string,
): readonly string[] {
  const hasJson = Object.hasOwn(body?.content ?? {}, 'application/json');
  return hasJson ? [`${pointer}/content/application~1json/schema`] : [];
}

const documents = ['/openapi.json', '/control/openapi.json'];

describe.each(documents)('sandbox platform: OpenAPI 3.1, %s', (path) => {
  it('has JSON Schema 2020-12 schemas that all compile in strict mode, and refer to existing components', async () => {
    const document = await read(path);
    const schemaOf = compiler(document);
    const names = Object.keys(document.components.schemas);
    expect(names).toContain('Error');
    const inOperations = operationsOf(document).flatMap(({ pointer, operation }) => [
      ...(operation.parameters ?? []).map((_, index) => `${pointer}/parameters/${index}/schema`),
      ...jsonSchemasOf(operation.requestBody, `${pointer}/requestBody`),
      ...Object.entries(operation.responses).flatMap(([status, response]) =>
        jsonSchemasOf(response, `${pointer}/responses/${status}`),
      ),
    ]);
    for (const pointer of [...names.map((name) => `/components/schemas/${name}`), ...inOperations])
      expect(schemaOf(pointer), pointer).toBeTypeOf('function');
  });

  it('gives each operation a unique operationId', async () => {
    const operations = operationsOf(await read(path)).map(({ operation }) => operation);
    expect(operations.length).toBeGreaterThan(5);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
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
    const { sent, fetch } = keepSent();
    const platform = startPlatform({ settings: { videoCallsAfter: 1 }, fetch });
    const document = await read('/openapi.json', platform);
    expect(Object.keys(document.webhooks ?? {})).toEqual(platform.registrations.eventTypes);
    registerWebhooks(platform);

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
});
