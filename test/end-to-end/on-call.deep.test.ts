import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assessOverview } from '#cli/console/overview/assess-overview.ts';
import { readOverview } from '#cli/console/overview/read-overview.ts';
import { connect } from '#cli/deployment/connect.ts';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { consoleDeps } from '#test/console/open-console.ts';
import { requestOnboarding } from './call-api.ts';
import { sendTo } from './change-host.ts';
import { collectPermissions, readOperatorPolicies } from './command-permissions.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';
import { type CommandResult, runDrawbridge } from './run-drawbridge.ts';
import { subscribeQueue } from './subscribe-queue.ts';

const permissions = collectPermissions();
const folder = mkdtempSync(join(tmpdir(), 'on-call-'));
let sandbox: HostedSandbox;

beforeAll(async () => {
  sandbox = await startHostedSandbox({
    onAwsCall: permissions.onAwsCall,
    platform: { settings: { deliveryRetriesAfter: [] } },
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await sandbox?.close();
});

const run = (...commandLine: readonly string[]) => runDrawbridge(sandbox, commandLine, { fetch: permissions.fetch });

/** The commands of a row of the page for on-call engineers, of whom none has the time for more than three. */
function commandsOf(symptom: string): readonly string[] {
  const rows = readFileSync(join(repositoryRoot, 'docs/on-call.md'), 'utf8').split('\n');
  const [, , cell = ''] = rows.find((row) => row.startsWith(`| ${symptom} |`))?.split('|') ?? [];
  const commands = [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, command]) => command ?? []);
  expect(commands.length, symptom).toBeGreaterThan(0);
  expect(commands.length, symptom).toBeLessThanOrEqual(3);
  return commands;
}

/** Types what the page says, with a value for each `<name>`: the next command can need what the one before has printed. */
async function perform(
  symptom: string,
  fill: (name: string, results: readonly CommandResult[]) => string | Promise<string> = () => '',
): Promise<readonly CommandResult[]> {
  const results: CommandResult[] = [];
  for (const command of commandsOf(symptom)) {
    const words: string[] = [];
    for (const word of command.split(/ (?![^<]*>)/))
      words.push(/^<.+>$/.test(word) ? await fill(word.slice(1, -1), results) : word);
    results.push(await run(...words));
    expect(results.at(-1)?.exit, `${command}: ${results.at(-1)?.stderr}`).toBeLessThan(2);
  }
  return results;
}

const onboard = (externalId: string) => requestOnboarding(sandbox.endpoints.api, externalId);

const stepOf = async (externalId: string) => (await sandbox.readApi(`/onboardings/${externalId}`))['step'];

/** As the console shortens an id. */
const short = (id: unknown) => `${String(id).slice(0, 8)}…${String(id).slice(-6)}`;

async function overview() {
  const deployment = await connect({ env: 'local', directory: dirname(sandbox.endpointsFile) }, consoleDeps);
  const typedCommand = { name: 'drawbridge', options: {} };
  const context = {
    deployment,
    control: undefined,
    reports: [],
    isOperator: false,
    typedCommand,
    folder: '',
    deps: consoleDeps,
  };
  const read = await readOverview(context);
  return { ...read, ...assessOverview(read) };
}

/** The schedules run as they become due. */
async function passMinutes(minutes: number): Promise<void> {
  expect((await run('clock', 'advance', `${minutes}m`)).exit).toBe(0);
}

it('shows what was undelivered as stored, to be marked, and needs no operator for it', async () => {
  await run('outage', 'start');
  for (const transferId of ['a', 'b', 'c'])
    await sandbox.deliver('TRANSFER_NOTIFICATION', { transferId }).catch(() => undefined);
  await expect.poll(() => sandbox.platform.deliveries.waiting()).toBe(0);
  await run('outage', 'stop');
  const [drain, status] = await perform('undelivered webhooks');
  expect(drain?.stdout).toMatch(/3 undelivered webhooks found, 3 stored.*, 0 marked/);
  const box = async () => (await overview()).components['drain'];
  expect(await box()).toMatchObject({ value: '3 to be marked', tone: 'busy' });
  expect(status?.stdout).toMatch(/^undelivered, not stored yet +0\nstored, to be marked by the next run +3$/m);
  await passMinutes(10);
  await expect.poll(box).toMatchObject({ value: 'none undelivered', tone: 'idle' });
});

it('shows an outage of the platform first in status, doctor and the overview, and its end', async () => {
  await sandbox.deliver('TRANSFER_NOTIFICATION', {});
  await waitUntilStored(sandbox.host);
  await run('fault', 'on', 'answer', '--status', '503');
  await onboard('outage-1');
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
        hasEventList: true,
      },
    });
  const [status] = await perform('the platform does not answer');
  expect(status?.stdout).toMatch(
    /^(?:Every call to the platform fails|The platform fails \d+ of \d+ calls) since .+\nFailed calls: .*List undelivered webhooks .+\n1 onboarding waits for the platform\.\nThe last webhook came \d+ min ago/,
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
}, 120_000);

it('lists an onboarding over its deadline, says why it waits, and continues it once the outage is over', async () => {
  const stalledOn = async () => {
    await passMinutes(5);
    return (await sandbox.readApi('/onboardings/outage-1'))['stalledOn'];
  };
  // The next attempt finds that the deadline of 15 minutes is over.
  await expect.poll(stalledOn, { timeout: 60_000 }).toBeDefined();
  const [, show] = await perform('onboardings over their deadline', async (_, results) => {
    if (results.length === 2) await run('fault', 'off');
    return short(/^[\da-f]{64}/m.exec(results[0]?.stdout ?? ''));
  });
  expect(show).toMatchObject({ exit: 1, stdout: expect.stringContaining('The step is over its deadline since') });
  await expect.poll(() => stepOf('outage-1'), { timeout: 30_000 }).toBe('AWAITING_VIDEO_CALL');
  await passMinutes(2);
  await expect
    .poll(async () => (await overview()).components['platform'])
    .toMatchObject({ value: 'answers', tone: 'idle' });
  expect((await run('status')).stdout).toMatch(/^environment/);
}, 90_000);

it('names the cause of a quarantine with its remedy, and replays once the cause is fixed', async () => {
  await sandbox.deliver('TRANSFER_NOTIFICATION', { reference: 'late', status: 'PROCESSED' });
  await expect.poll(async () => (await sandbox.readApi('/quarantine'))['count']).toBe(2);
  await run('profile', 'set', 'places={"TRANSFER_NOTIFICATION":{"kind":"transfer","id":["transferId","reference"]}}');
  const [ls, replay] = await perform('events in quarantine');
  expect(ls?.stderr).toMatch(/^- \w+: .+\w\.$/m);
  expect(replay?.stdout).toMatch(/^1 event has its effect\. 1 is back in quarantine: \w+\./);
  expect(await sandbox.readApi('/entities/transfer/late')).toMatchObject({ status: 'PROCESSED' });
});

it('names an alarm that is on, with what it means, what to do, and the commands to copy', async () => {
  const on = async () => {
    await passMinutes(2);
    return (await run('alarms', 'ls', '--exit-code', '--json')).stdout;
  };
  await expect.poll(on, { timeout: 60_000 }).toContain('"name":"EventsQuarantined","state":"ALARM"');
  const [ls, show] = await perform('an alarm', () => 'EventsQuarantined');
  expect(ls).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^EventsQuarantined +ALARM +/m) });
  expect(show?.stdout).toMatch(/^Do: \w.*\n\n {2}drawbridge quarantine ls\n/m);
  const typo = await run('alarms', 'show', 'WebhookDlq');
  expect(typo).toMatchObject({ exit: 2, stderr: expect.stringContaining('Did you mean WebhooksDlq?') });
}, 90_000);

it('shows the error that failed each dead letter, redrives one, and deletes another once its body is kept', async () => {
  const canary = 'Zwiebelmann';
  for (const MessageBody of [`{"note":"${canary}"}`, JSON.stringify({ eventId: 'f'.repeat(64) })])
    await sendTo(sandbox.host, 'webhooks', { MessageBody });
  const listed = async () => (await run('dlq', 'show', 'WebhooksDlq', '--json')).jsonLines().length;
  await expect.poll(listed, { timeout: 60_000, interval: 500 }).toBe(2);
  const idOf = (text: string) => /^[\da-f-]{36}/.exec(text)?.[0] ?? '';
  let poison = '';
  const results = await perform('messages in a dead-letter queue', (name, soFar) => {
    if (name !== 'message id') return name === 'folder' ? folder : 'WebhooksDlq';
    const messages = soFar[0]?.stdout.split('\n').slice(1) ?? [];
    const isEvent = (one: string) => one.includes('EventMissingError: The event store does not have the event');
    poison = idOf(messages.find((one) => !isEvent(one)) ?? '');
    return short(soFar.length === 1 ? idOf(messages.find(isEvent) ?? '') : poison);
  });
  expect(results.map(({ exit }) => exit)).toEqual([0, 0, 0]);
  expect(results.map(({ stdout }) => stdout).join('')).not.toContain(canary);
  expect(JSON.parse(readFileSync(join(folder, 'dead-letters', `${poison}.json`), 'utf8'))).toMatchObject({
    body: `{"note":"${canary}"}`,
  });
  // What was redriven fails again, under another id.
  await expect.poll(listed, { timeout: 60_000, interval: 500 }).toBe(1);
  expect((await run('audit', '--json')).jsonLines()).toContainEqual(
    expect.objectContaining({ action: 'purge requested', queue: 'WebhooksDlq', size: 1, messageIds: [poison] }),
  );
}, 150_000);

it('says why an order has its status, with every report and what contradicts a final status', async () => {
  const orderId = '0190a6f0-5678-7abc-8def-0123456789ab';
  const report = { orderId, status: 'REJECTED', modifiedOn: '2026-01-02T03:01:00Z' };
  const orders = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
  await sandbox.deliver(orders, report);
  await sandbox.deliver(orders, { ...report, status: 'FILLED', modifiedOn: '2026-01-02T03:02:00Z' });
  await expect
    .poll(async () => String((await sandbox.readApi(`/entities/order/${orderId}`))['anomalies']))
    .toMatch(/\w/);
  // A short id is found in the list.
  await expect.poll(async () => JSON.stringify(await sandbox.readApi('/entities/order'))).toContain(orderId);
  const [show] = await perform('"why has this order this status?"', () => short(orderId));
  expect(show?.exit).toBe(1);
  for (const part of [/^Anomalies: \w.*\n\n- \w/m, /^[\da-f]{64} .* REJECTED /m, /^[\da-f]{64} .* FILLED /m])
    expect(show?.stdout).toMatch(part);
});

it('publishes past events again for the rule that is named, and for no other', async () => {
  const [ledger, other] = [await subscribeQueue(sandbox, 'new-ledger'), await subscribeQueue(sandbox, 'other-team')];
  const [ls, replay] = await perform('a subscriber lost events, or is new', () => 'new-ledger');
  expect(ls?.stdout).toMatch(/new-ledger .*:new-ledger/);
  // Not the rule by which Drawbridge takes requests.
  expect(ls?.stdout.trim().split('\n')).toHaveLength(3);
  expect(replay?.stdout).toContain('new-ledger');
  // The order of the test before.
  expect(replay?.stderr).toMatch(/This will publish about \d+ events? of .+ once more for new-ledger/);
  expect(await ledger(10)).toMatchObject({
    'detail-type': 'OrderStatusChanged',
    'replay-name': expect.stringMatching(/^drawbridge-cli-/),
  });
  expect(await other(0)).toBeUndefined();
  const { stdout: recorded } = await run('audit', '--action', 'bus replay requested');
  expect(recorded).toMatch(/bus replay requested +laptop +rule new-ledger /);
  expect(await run('bus', 'replay', '--to', 'new-legder', '--from', '1h')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('has the name new-legder.\nNext: drawbridge bus ls'),
  });
}, 60_000);

it('exports and erases a person by the id that a list has printed', async () => {
  await onboard('asking');
  await expect.poll(() => stepOf('asking'), { timeout: 30_000 }).toBe('AWAITING_VIDEO_CALL');
  await run('onboardings', 'cancel', 'asking');
  await expect.poll(() => stepOf('asking')).toBe('CANCELED');
  const { naturalPersonId } = await sandbox.readApi('/onboardings/asking');
  const file = join(folder, 'export.json');
  const [, erased] = await perform('a person asks for their data, or to be erased', (name) =>
    name === 'file' ? file : String(naturalPersonId),
  );
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    naturalPersonIds: [naturalPersonId],
    onboardings: [{ step: 'CANCELED' }],
  });
  expect(erased?.stdout).toContain('is erased.');
  expect(await sandbox.readApi('/onboardings/asking')).toMatchObject({ status: 410 });
}, 60_000);

it('replaces a header secret that leaked by one command, and says until when the old one is accepted', async () => {
  const [command = ''] = commandsOf('the header secret leaked');
  const wait = async (milliseconds: number) => {
    await sandbox.platform.clock.advance(milliseconds / 1_000);
  };
  const replaced = await runDrawbridge(sandbox, command.split(' '), { fetch: permissions.fetch, wait });
  expect(replaced).toMatchObject({
    exit: 0,
    stderr: expect.stringMatching(/The old secret is accepted until about 2/),
  });
  expect(replaced.stdout).toContain('The old secret is rejected within five minutes');
  expect((await run('webhooks', 'plan')).exit).toBe(0);
}, 120_000);

it('does no more than the policies of an operator allow', async () => {
  expect(permissions.deniedBy(await readOperatorPolicies(sandbox))).toEqual([]);
});
