import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { type HostedSandbox, quickStep, startHostedSandbox } from './hosted-sandbox.ts';

let sandbox: HostedSandbox;
let requestor: string;

beforeAll(async () => {
  sandbox = await startHostedSandbox({
    // As section 5 says: no person is accepted as requestor before it is ACTIVE, not even for itself.
    platform: { settings: { acceptSelfBeforeActive: false, videoCallsAfter: quickStep } },
    onboarding: (platform) => {
      requestor = makeReadyPerson(platform, {}, 'ACTIVE').naturalPersonId;
      return { requestor };
    },
  });
}, 120_000);
afterAll(() => sandbox?.close());

const view = z.object({
  step: z.string(),
  naturalPersonId: z.string().optional(),
  reasons: z.array(z.object({ code: z.string(), remedy: z.string().optional() })),
});

async function call(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${sandbox.host.place.apiOrigin}/onboardings${path}`, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: await answer.json() };
}

async function comesTo(externalId: string, step: string) {
  await expect
    .poll(() => call('GET', `/${externalId}`), { timeout: 60_000 })
    .toMatchObject({ status: 200, json: { step } });
  return view.parse((await call('GET', `/${externalId}`)).json);
}

describe('an onboarding with a configured requestor', () => {
  it('stops with a remedy while the requestor has no proxy for the person, and completes when an operator retries it with a proxy', async () => {
    const externalId = 'proxy-1';
    const request = {
      externalId,
      person: { ...samplePerson, externalId: undefined },
      identification: { mode: 'video' },
    };
    expect(await call('POST', '', request)).toMatchObject({ status: 202 });

    const stopped = await comesTo(externalId, 'STOPPED');
    expect(stopped.reasons).toEqual([
      { code: 'REQUESTOR_ID_INVALID', remedy: expect.stringMatching(/ACTIVE proxy for this person .* then retry/) },
    ]);
    const { naturalPersonId = '' } = stopped;
    expect(sandbox.platform.verifications.of(naturalPersonId)).toEqual([]);

    sandbox.platform.proxies.create(requestor, naturalPersonId);
    expect(await call('POST', `/${externalId}/retry`)).toMatchObject({ status: 202 });
    await comesTo(externalId, 'COMPLETED');
    expect(sandbox.platform.persons.get(naturalPersonId)).toMatchObject({ naturalPersonStatus: 'ACTIVE' });
    expect(sandbox.platform.verifications.of(naturalPersonId)).toHaveLength(1);
  }, 150_000);
});
