import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type GapReport, gapReport } from '#shared/bus/gap-report.ts';
import { createEntityStore } from '#shared/entities/entity-store.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';
import { runDrawbridge } from './run-drawbridge.ts';

let sandbox: HostedSandbox;
beforeAll(async () => {
  sandbox = await startHostedSandbox({
    platform: { settings: { deliveriesLost: 1, acceptSelfBeforeActive: true } },
  });
}, 120_000);
afterAll(() => sandbox.close());

/** Runs `drawbridge reconcile` on the hosted stacks. */
async function reconcile(mode: 'report' | 'repair', ...options: readonly string[]) {
  const { exit, stdout, stderr } = await runDrawbridge(sandbox, ['reconcile', mode, ...options]);
  return { exit, printed: stdout + stderr };
}

/** What `Reconcile` answers to the request of the command. */
async function invokeReport(): Promise<GapReport> {
  const answer = await fetch(`${sandbox.endpoints.control}/functions/reconcile/invocations`, {
    method: 'POST',
    body: '{"mode":"report"}',
  });
  return gapReport.parse(await answer.json());
}

async function createPersons(number: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let created = 0; created < number; created += 1) {
    const answer = await fetch(`${sandbox.endpoints.control}/natural-persons`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    ids.push(z.object({ naturalPersonId: z.string() }).parse(await answer.json()).naturalPersonId);
  }
  return ids;
}

/** Reads the state of each person on the platform and in Drawbridge. */
async function readStates() {
  const { host, platform, endpoints } = sandbox;
  const entities = createEntityStore({
    rules: entityRules,
    dynamodb: host.clients.dynamodb,
    tableName: endpoints.tables['entities'] ?? '',
    now: platform.clock.now,
    random: Math.random,
    wait,
  });
  const { data } = platform.persons.list({ limit: 100 });
  return Promise.all(
    data.map(async ({ naturalPersonId: id, naturalPersonStatus: status, modifiedOn }) => {
      const entity = await entities.read({ kind: 'natural-person', id });
      return {
        platform: { status, modifiedOn },
        ours: entity && { status: entity.status, modifiedOn: entity.modifiedOn },
      };
    }),
  );
}

describe('reconcile, when every webhook about a person was lost', () => {
  it('reports 25 persons, repairs them to the state of the platform, and then finds no drift', async () => {
    const ids = await createPersons(25);
    // Longer than the grace period for late webhooks, and shorter than the lifetime of the token.
    await sandbox.platform.clock.advance(20 * 60);
    expect((await readStates()).filter(({ ours }) => ours !== undefined)).toEqual([]);

    const report = await reconcile('report');
    expect(report).toMatchObject({ exit: 1, printed: expect.stringMatching(/natural-person +25 +25 +0 /) });
    for (const id of ids) expect(report.printed).toContain(id);
    const asJson = await reconcile('report', '--json');
    const { beganOn: _, ...answered } = await invokeReport();
    expect({ exit: asJson.exit, report: JSON.parse(asJson.printed) }).toMatchObject({ exit: 1, report: answered });
    expect(new Set(answered.gaps.map(({ id }) => id))).toEqual(new Set(ids));
    expect((await readStates()).filter(({ ours }) => ours !== undefined)).toEqual([]);

    const repair = await reconcile('repair');
    expect(repair).toMatchObject({ exit: 1, printed: expect.stringMatching(/natural-person +25 +25 +25 /) });
    await expect
      .poll(async () => (await readStates()).filter(({ platform, ours }) => ours?.modifiedOn !== platform.modifiedOn))
      .toEqual([]);
    for (const { platform, ours } of await readStates()) expect(ours).toEqual(platform);

    expect(await reconcile('report')).toMatchObject({
      exit: 0,
      printed: expect.stringContaining('All entities match the platform.'),
    });
    for (const { lastName, contact } of ids.map((id) => sandbox.platform.persons.get(id)))
      for (const canary of [lastName, contact?.email ?? '']) expect(sandbox.log()).not.toContain(canary);
  });

  it('repairs a person on its schedule, and logs no id', async () => {
    const [id = ''] = await createPersons(1);
    await sandbox.platform.clock.advance(20 * 60);
    await sandbox.host.schedules.all.find(({ name }) => name === 'reconcile-runs')?.runNow();
    await expect.poll(async () => (await readStates()).filter(({ ours }) => ours === undefined)).toEqual([]);
    expect(sandbox.log()).toContain('reconciliation finished');
    expect(sandbox.log()).not.toContain(id);
  });
});

describe('reconcile, when every webhook about a verification was lost', () => {
  const kind = 'identification-verification';

  async function readOnboarding(externalId: string) {
    const answer = await fetch(`${sandbox.host.place.apiOrigin}/onboardings/${externalId}`);
    return z
      .looseObject({ step: z.string(), identificationVerificationId: z.string().optional() })
      .parse(await answer.json());
  }

  async function readEntity(id: string): Promise<unknown> {
    const answer = await fetch(`${sandbox.host.place.apiOrigin}/entities/${kind}/${id}`);
    return answer.status === 404 ? undefined : answer.json();
  }

  /** Advances the clock beyond the grace period for late webhooks, and refreshes the token. */
  async function passGracePeriod(): Promise<void> {
    const refreshes = () => sandbox.log().split('TokensRefreshed').length;
    const before = refreshes();
    await sandbox.platform.clock.advance(35 * 60);
    await sandbox.host.schedules.all.find(({ name }) => name === 'token-refresh')?.runNow();
    await expect.poll(refreshes, { timeout: 30_000 }).toBeGreaterThan(before);
  }

  it('reports and repairs a verification of an open onboarding, and again after its status has changed', async () => {
    const externalId = 'lost-webhooks';
    const request = {
      externalId,
      person: { ...samplePerson, externalId: undefined },
      identification: { mode: 'video' },
    };
    const answer = await fetch(`${sandbox.host.place.apiOrigin}/onboardings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    expect(answer.status).toBe(202);
    // No webhook comes, so that the onboarding waits until the waker sends it.
    const lookAgain = async () => {
      await sandbox.advance(60);
      return readOnboarding(externalId);
    };
    await expect.poll(lookAgain, { timeout: 60_000, interval: 500 }).toMatchObject({ step: 'AWAITING_VIDEO_CALL' });
    const { identificationVerificationId: id = '' } = await readOnboarding(externalId);
    expect(await readEntity(id)).toBeUndefined();
    await passGracePeriod();

    const report = await reconcile('report');
    expect(report).toMatchObject({ exit: 1, printed: expect.stringMatching(new RegExp(`drifted +${kind} +${id} `)) });
    expect(await reconcile('repair')).toMatchObject({ exit: 1 });
    await expect.poll(() => readEntity(id)).toMatchObject({ status: 'PENDING' });
    expect(await reconcile('report')).toMatchObject({ exit: 0 });

    sandbox.platform.verifications.endVideoCall(id, 'APPROVED');
    await passGracePeriod();
    const again = await reconcile('report');
    expect(again).toMatchObject({ exit: 1, printed: expect.stringContaining(id) });
    expect(await reconcile('repair')).toMatchObject({ exit: 1 });
    await expect.poll(() => readEntity(id)).toMatchObject({ status: 'APPROVED' });
    expect(sandbox.log()).not.toContain(samplePerson.lastName);
  }, 180_000);
});
