import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { runSchedule } from '#sandbox/scenario/common/schedules.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';
import { quickStep } from './quick-steps.ts';

/** Of an operator that does what the specification leaves open otherwise than the defaults say. */
const profile = platformProfile.parse({
  places: { TRANSFER_NOTIFICATION: { kind: 'transfer', wrappers: ['payment'], id: ['paymentId'], status: ['state'] } },
  token: { path: '/connect/token', scope: 'partner' },
  webhookPaths: { webhooks: '/hooks', missing: '/hooks-missing', undelivered: '/lost', markDelivered: '/lost/mark' },
  transfersPath: '/payments',
  naturalPersonStatusParameter: 'state',
  additionalFields: { person: { nickname: { type: 'text' } } },
  isExternalIdUnique: false,
});

let sandbox: HostedSandbox;
/** The paths of the calls to the platform, without ids. */
const called = new Set<string>();
beforeAll(async () => {
  sandbox = await startHostedSandbox({
    platformProfile: profile,
    onboarding: () => ({ externalVerifier: 'ANOTHER_VENDOR' }),
    platform: {
      settings: { videoCallsAfter: quickStep, deliveryRetriesAfter: [] },
      onCall: (request) => void called.add(new URL(request.url).pathname.replaceAll(/[0-9a-f-]{36}/g, '{id}')),
    },
  });
}, 120_000);
afterAll(() => sandbox?.close());

const view = z.looseObject({ step: z.string().optional(), status: z.string().optional() });
const read = async (path: string) => view.parse(await (await fetch(`${sandbox.endpoints.api}${path}`)).json());

it('onboards, stores, drains and reads transfers with a platform profile that differs from the defaults', async () => {
  const { platform, host, endpoints } = sandbox;
  const { externalId = '', ...person } = samplePerson;
  const answer = await fetch(`${endpoints.api}/onboardings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ externalId, person: { ...person, nickname: 'Eri' }, identification: { mode: 'video' } }),
  });
  expect(answer.status).toBe(202);
  await expect.poll(async () => (await read(`/onboardings/${externalId}`)).step, { timeout: 60_000 }).toBe('COMPLETED');
  const [{ person: created } = {}] = platform.persons.all();
  expect(created).toMatchObject({
    nickname: 'Eri',
    naturalPersonStatus: 'ACTIVE',
    naturalPersonIdentifications: [{ externalVerifier: 'ANOTHER_VENDOR' }],
  });

  const naturalPersonId = created?.naturalPersonId ?? '';
  const receive = () => platform.transfers.create({ naturalPersonId, direction: 'IN', amount: 5 }).transferId;
  const stored = receive();
  await expect.poll(async () => (await read(`/entities/transfer/${stored}`)).status).toBe('PROCESSED');

  host.setReachable(false);
  const undelivered = receive();
  await expect.poll(() => platform.undelivered.count()).toBe(1);
  host.setReachable(true);
  // The drain marks no record before it has settled.
  for (let run = 0; run < 5 && platform.undelivered.count() > 0; run += 1) {
    await runSchedule(host, 'drain-runs');
    await platform.clock.advance(300);
  }
  expect(platform.undelivered.count()).toBe(0);
  await expect.poll(async () => (await read(`/entities/transfer/${undelivered}`)).status).toBe('PROCESSED');

  const paths = ['/connect/token', '/hooks', '/lost', '/lost/mark'];
  expect([...called]).toEqual(expect.arrayContaining(paths));
  for (const path of called) expect(path).not.toMatch(/^\/(webhooks|oauth2|transfers)/);
}, 120_000);
