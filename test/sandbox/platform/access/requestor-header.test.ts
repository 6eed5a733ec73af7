import { createRoute } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import { createSettings, type SettingsChange } from '#sandbox/platform/core/settings-store.ts';
import { requestorHeader } from '#sandbox/platform/http/operation.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';

const requestorId = 'a5c1e0f4-1c7b-4e62-9d3a-0b8f6d2c7e91';

/** How an operation that takes a Requestor-ID is answered. */
async function call(headers: Record<string, string>, settings: SettingsChange = {}) {
  const router = createRouter(createSettings(settings));
  const route = createRoute({
    method: 'get',
    path: '/',
    request: { headers: requestorHeader },
    responses: { 200: { description: 'Whose it was', content: { 'application/json': { schema: z.string() } } } },
  });
  router.openapi(route, (context) => context.json(context.req.valid('header')['requestor-id'], 200));
  router.onError((error) => {
    if (error instanceof RefusedError) return Response.json(error, { status: error.status });
    throw error;
  });
  const answer = await router.request('/', { headers });
  return { status: answer.status, body: await answer.json() };
}

describe("sandbox platform: the Requestor-ID header holds a person's id (section 5, rule 1)", () => {
  it('accepts a UUID in upper and lower case', async () => {
    expect(await call({ 'requestor-id': requestorId })).toEqual({ status: 200, body: requestorId });
    expect((await call({ 'Requestor-ID': requestorId.toUpperCase() })).body).toBe(requestorId);
  });

  it.each(['', 'somebody', requestorId.slice(1), `${requestorId}, ${requestorId}`])(
    'answers the Requestor-ID %j with 400 in every environment',
    async (value) => {
      for (const missingRequestorStatus of [400, 403])
        expect(await call({ 'requestor-id': value }, { missingRequestorStatus })).toMatchObject({
          status: 400,
          body: { fields: [{ field: 'Requestor-ID', code: 'INVALID' }] },
        });
    },
  );
});

describe('sandbox platform: a missing Requestor-ID (section 5, rule 2)', () => {
  it.each([400, 403])('answers with %i when the setting says so', async (missingRequestorStatus) => {
    expect(await call({}, { missingRequestorStatus })).toMatchObject({
      status: missingRequestorStatus,
      body: { fields: [{ field: 'Requestor-ID', code: 'MISSING' }] },
    });
  });
});
