import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { canary, requestsOn } from '#test/functions/onboarding/requests.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';

let sandbox: HostedSandbox;

beforeAll(async () => {
  sandbox = await startHostedSandbox();
}, 120_000);
afterAll(() => sandbox?.close());

/** Requests under way at once. */
const concurrency = 4;
const { anyRequest, brokenRequest } = requestsOn(new Date());
/** The same ones each time, but for what depends on the day. */
const seed = 6;
/** Most are broken: one that is right costs an onboarding as well. */
const right = fc.sample(anyRequest, { numRuns: 100, seed }).map((request, index) => ({
  ...request,
  externalId: `right-${index}`,
  // It goes no further than that its person is there.
  identification: { mode: 'none' },
}));
const broken = fc.sample(brokenRequest, { numRuns: 9_900, seed });

const refusal = z.object({ problems: z.array(z.object({ field: z.string() })) });

/** Hands a request to the function as API Gateway does, but as many a second as it takes: the route is throttled to 50. */
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

describe('issue 6, on the hosted stacks: 10,000 generated requests, valid and broken', () => {
  it('each broken one names its fields and no value, and none reaches the platform', async () => {
    const before = new Set(externalIdsOnPlatform());
    await mapConcurrent(broken, concurrency, async ({ body: request, fields }) => {
      const { status, body } = await post(request);
      const { problems } = refusal.parse(JSON.parse(body));
      expect({ status, fields: new Set(problems.map(({ field }) => field)) }).toEqual({ status: 400, fields });
      expect(body).not.toContain(canary);
    });
    const statuses = await mapConcurrent(right, concurrency, async (request) => (await post(request)).status);
    expect(new Set(statuses)).toEqual(new Set([202]));
    const added = () =>
      externalIdsOnPlatform()
        .filter((id) => !before.has(id))
        .toSorted();
    await expect.poll(added, { timeout: 120_000 }).toEqual(right.map(({ externalId }) => externalId).toSorted());
    expect(sandbox.log()).not.toContain(canary);
  }, 300_000);
});
