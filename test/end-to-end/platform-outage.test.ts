import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assessOverview } from '#cli/console/overview/assess-overview.ts';
import { readOverview } from '#cli/console/overview/read-overview.ts';
import { connect } from '#cli/deployment/connect.ts';
import { waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { consoleDeps } from '#test/console/open-console.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';
import { runDrawbridge } from './run-drawbridge.ts';

let sandbox: HostedSandbox;

beforeAll(async () => {
  sandbox = await startHostedSandbox({ platform: { settings: { deliveryRetriesAfter: [] } } });
});
afterAll(() => sandbox?.close());

const run = (...commandLine: readonly string[]) => runDrawbridge(sandbox, commandLine);

async function overview() {
  const deployment = await connect({ env: 'local', directory: dirname(sandbox.endpointsFile) }, consoleDeps);
  const context = { deployment, control: undefined, walks: [], isOperator: false, keepIn: '', deps: consoleDeps };
  const read = await readOverview(context);
  return { ...read, ...assessOverview(read) };
}

/** Runs Drain in each minute, as its schedule does. */
async function passMinutes(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await sandbox.platform.clock.advance(60);
    await sandbox.host.schedules.all.find(({ name }) => name === 'drain-runs')?.runNow();
  }
}

it('shows an outage of the platform first in status, doctor and the overview, and its end', async () => {
  await sandbox.platform.deliveries.deliver('TRANSFER_NOTIFICATION', Buffer.from('{}'));
  await waitUntilStored(sandbox.host);
  await run('fault', 'on', 'answer', '--status', '503');
  await fetch(`${sandbox.endpoints.api}/onboardings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      externalId: 'outage-1',
      person: { ...samplePerson, externalId: undefined },
      identification: { mode: 'video' },
    }),
  });
  await passMinutes(4);
  await expect
    .poll(async () => (await run('status', '--json')).json())
    .toMatchObject({
      outage: {
        since: expect.any(String),
        operations: expect.arrayContaining([
          { operation: 'List undelivered webhooks', failed: expect.any(Number) },
          { operation: 'Create natural person', failed: expect.any(Number) },
        ]),
        onboardingsWaiting: 1,
        lastWebhookOn: expect.any(String),
      },
    });
  const { stdout } = await run('status');
  expect(stdout).toMatch(
    /^The platform (?:answers no call|fails \d+ of \d+ calls) since .+\nFailed calls: List undelivered webhooks .+\n1 onboarding waits for the platform\.\nThe last webhook came \d+ min ago/,
  );
  const doctor = await run('doctor', '--json');
  expect(doctor.exit).toBe(1);
  expect(doctor.jsonLines()[0]).toMatchObject({
    check: 'platform',
    result: 'problem',
    detail: expect.stringContaining('1 onboarding waits for the platform.'),
    remedy: expect.stringContaining('drawbridge fault off'),
  });
  const { needs, outage, components } = await overview();
  expect(needs[0]?.text).toBe(outage?.title);
  expect(outage?.details).toContain('1 onboarding waits for the platform.');
  expect(components['platform']).toMatchObject({ value: expect.stringMatching(/^fails for \d+ min$/), tone: 'bad' });

  await run('fault', 'off');
  await passMinutes(2);
  await expect
    .poll(async () => (await overview()).components['platform'])
    .toMatchObject({ value: 'answers', tone: 'idle' });
  expect((await run('status')).stdout).toMatch(/^environment/);
});

it('shows what was undelivered as stored, to be marked, and needs no operator for it', async () => {
  await run('outage', 'start');
  for (const transferId of ['a', 'b', 'c'])
    await sandbox.platform.deliveries
      .deliver('TRANSFER_NOTIFICATION', Buffer.from(JSON.stringify({ transferId })))
      .catch(() => undefined);
  await expect.poll(() => sandbox.platform.deliveries.waiting()).toBe(0);
  await run('outage', 'stop');
  const { stdout } = await run('drain');
  expect(stdout).toMatch(/3 undelivered webhooks found, 3 stored.*, 0 marked/);
  const box = async () => (await overview()).components['drain'];
  expect(await box()).toMatchObject({ value: '3 to be marked', tone: 'busy' });
  expect((await run('status')).stdout).toMatch(
    /^undelivered, not stored yet +0\nstored, to be marked by the next run +3$/m,
  );
  await passMinutes(10);
  await expect.poll(box).toMatchObject({ value: 'none undelivered', tone: 'idle' });
});
