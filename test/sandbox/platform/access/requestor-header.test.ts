import { createRoute } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import { createSettings, type SettingsChange } from '#sandbox/platform/core/settings.ts';
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

describe('section 5, Requestor-ID, rule 1: it is the id of a natural person', () => {
  it('a UUID, whatever the case of its letters', async () => {
    expect(await call({ 'requestor-id': requestorId })).toEqual({ status: 200, body: requestorId });
    expect((await call({ 'Requestor-ID': requestorId.toUpperCase() })).body).toBe(requestorId);
  });

  it.each(['', 'somebody', requestorId.slice(1), `${requestorId}, ${requestorId}`])(
    'nothing else: %j is a Bad Request, in each environment',
    async (value) => {
      for (const missingRequestorStatus of [400, 403])
        expect(await call({ 'requestor-id': value }, { missingRequestorStatus })).toMatchObject({
          status: 400,
          body: { fields: [{ field: 'Requestor-ID', code: 'INVALID' }] },
        });
    },
  );
});

describe('section 5, Requestor-ID, rule 2: where it is missing, the answer is 400 or 403', () => {
  it.each([400, 403])('%i, as the setting says', async (missingRequestorStatus) => {
    expect(await call({}, { missingRequestorStatus })).toMatchObject({
      status: missingRequestorStatus,
      body: { fields: [{ field: 'Requestor-ID', code: 'MISSING' }] },
    });
  });
});
