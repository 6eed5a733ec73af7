import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { size } from '#test/full-size.ts';
import { canary, requestsOn } from '#test/functions/onboarding/requests.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';

let sandbox: HostedSandbox;

beforeAll(async () => {
  sandbox = await startHostedSandbox();
}, 120_000);
afterAll(() => sandbox?.close());

/** Concurrent requests. */
const concurrency = 4;
const { anyRequest, brokenRequest } = requestsOn(new Date());
/** The same requests in each run, except for values that depend on the day. */
const seed = 6;
/** Most requests are invalid, because each valid one starts an onboarding. */
const valid = fc.sample(anyRequest, { numRuns: size(10, 100), seed }).map((request, index) => ({
  ...request,
  externalId: `valid-${index}`,
  // The onboarding only creates its person.
  identification: { mode: 'none' },
}));
const invalid = fc.sample(brokenRequest, { numRuns: size(290, 9_900), seed });

const refusal = z.object({ errors: z.array(z.object({ pointer: z.string() })) });

const pointerTo = (field: string) => `#/${field.replaceAll('.', '/')}`;

/** Invokes the function as API Gateway does, but without the throttle of the route, which is 50 requests a second. */
async function post(request: unknown): Promise<{ readonly status: number; readonly body: string }> {
  const event = { routeKey: 'POST /onboardings', isBase64Encoded: false, body: JSON.stringify(request) };
  const result = await sandbox.host.functions.find('api')?.invoke(JSON.stringify(event));
  if (result === undefined || result.error !== undefined) throw new Error('The request was not answered.');
  const { statusCode: status, body } = z
    .object({ statusCode: z.int(), body: z.string() })
    .parse(JSON.parse(result.payload));
  return { status, body };
}

const externalIdsOnPlatform = () =>
  sandbox.platform.persons.list({ limit: 1_000 }).data.map(({ externalId }) => externalId);

describe('POST /onboardings with generated requests', () => {
  it('returns 400 with the fields and no value of each invalid request, and only valid requests create a person', async () => {
    const before = new Set(externalIdsOnPlatform());
    await mapConcurrent(invalid, concurrency, async ({ body: request, fields }) => {
      const { status, body } = await post(request);
      const { errors } = refusal.parse(JSON.parse(body));
      const pointers = new Set(errors.map(({ pointer }) => pointer));
      expect({ status, pointers }).toEqual({ status: 400, pointers: new Set([...fields].map(pointerTo)) });
      expect(body).not.toContain(canary);
    });
    const statuses = await mapConcurrent(valid, concurrency, async (request) => (await post(request)).status);
    expect(new Set(statuses)).toEqual(new Set([202]));
    const added = () =>
      externalIdsOnPlatform()
        .filter((id) => !before.has(id))
        .toSorted();
    await expect.poll(added, { timeout: 120_000 }).toEqual(valid.map(({ externalId }) => externalId).toSorted());
    expect(sandbox.log()).not.toContain(canary);
  }, 300_000);
});
