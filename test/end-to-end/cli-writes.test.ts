import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Finding } from '#cli/doctor/findings.ts';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import { webhooksUrlOf } from '#sandbox/webhook-headers.ts';
import { deflateBody } from '#shared/events/webhook-delivery.ts';
import { createActionLog, nothingDone } from './action-log.ts';
import { requestOnboarding } from './call-api.ts';
import { sendTo } from './change-host.ts';
import { collectPermissions, readOperatorPolicies } from './command-permissions.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';
import { readSecret as readSecretOf } from './read-host.ts';
import { type CommandResult, configureAws, runDrawbridge } from './run-drawbridge.ts';

const transferId = '0190a6f0-5678-7abc-8def-0123456789ab';
const eventType = 'TRANSFER_NOTIFICATION';
const directory = mkdtempSync(join(tmpdir(), 'drawbridge-cli-'));
const printed: CommandResult[] = [];
const permissions = collectPermissions();
const actionLog = createActionLog();
let sandbox: HostedSandbox;
let formerSecret: string;
let rotation: Promise<CommandResult>;
beforeAll(async () => {
  sandbox = await startHostedSandbox({
    onAwsCall: (moment) => {
      permissions.onAwsCall(moment);
      actionLog.onAwsCall(moment);
    },
    platform: { settings: { deliveryRetriesAfter: [] } },
  });
}, 120_000);
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await sandbox.close();
});
afterEach(() => vi.unstubAllEnvs());

async function run(commandLine: string, deps: Parameters<typeof runDrawbridge>[2] = {}): Promise<CommandResult> {
  const result = await runDrawbridge(sandbox, commandLine.split(' '), { fetch: permissions.fetch, ...deps });
  printed.push(result);
  return result;
}

function writeFile(name: string, content: object): string {
  const path = join(directory, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const readSecret = (name: string) => readSecretOf(sandbox.host, name);

const currentOf = (webhookSecret: string) => (JSON.parse(webhookSecret) as { current: string }).current;

const findingsOf = (lines: readonly unknown[]) => lines as readonly Finding[];

async function deliverOrder(): Promise<string> {
  const orderId = '0190a6f0-5678-7abc-8def-0123456789ac';
  const order = { orderId, status: 'PENDING', modifiedOn: '2026-01-02T03:02:00Z' };
  await sandbox.deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', order);
  const entity = `/entities/order/${orderId}`;
  await expect.poll(async () => (await sandbox.readApi(entity))['status']).toBe('PENDING');
  const { events } = await sandbox.readApi(`${entity}/timeline`);
  return (events as readonly { eventId: string }[])[0]?.eventId ?? '';
}

describe('drawbridge webhooks', () => {
  it('plans like a diff, registers what is missing, and then plans nothing', async () => {
    expect((await run('webhooks plan')).exit).toBe(0);
    sandbox.platform.registrations.unregister(eventType);
    const plan = await run('webhooks plan');
    expect({ exit: plan.exit, stdout: plan.stdout }).toEqual({
      exit: 1,
      stdout: expect.stringContaining(`+ ${eventType}: create`),
    });
    expect(plan.stdout).not.toContain(': unchanged');
    const applied = await run(`webhooks apply --take-over ${eventType}`);
    expect(applied).toMatchObject({ exit: 0, stdout: expect.stringContaining(`+ ${eventType}: created`) });
    const typo = await run('webhooks apply --remove TRANSFER_NOTIFICATIO');
    expect(typo).toMatchObject({ exit: 2, stdout: '' });
    expect(typo.stderr).toContain(`Did you mean ${eventType}? Nothing was done.\nNext: drawbridge webhooks plan`);
    expect((await run('webhooks plan --json')).json()).toMatchObject({
      plan: expect.arrayContaining([{ eventType, action: 'unchanged' }]),
      failed: [],
      rotation: expect.any(String),
    });
    expect((await run('webhooks plan')).exit).toBe(0);
  }, 60_000);

  // It waits until every instance of Receive accepts the new secret. The tests from here on run meanwhile.
  afterAll(async () => {
    formerSecret = await readSecret('webhook-secret');
    rotation = run('webhooks rotate');
  });
});

describe('drawbridge quarantine replay and events replay', () => {
  it('counts, and hands the counted events to Store again', async () => {
    await sandbox.deliver(eventType, 'no JSON');
    await expect.poll(async () => (await sandbox.readApi('/quarantine'))['count']).toBe(1);
    const { exit, json, stderr } = await run('quarantine replay --reason NOT_JSON --json');
    expect({ exit, answer: json() }).toEqual({
      exit: 1,
      answer: { count: 1, replayed: 1, quarantined: { NOT_JSON: 1 } },
    });
    expect(stderr).toMatch(/quarantine reason +NOT_JSON +1/);
    const none = await run('quarantine replay --reason UNKNOWN_EVENT_TYPE --json');
    expect(none.json()).toEqual({ count: 0, replayed: 0, quarantined: {} });
  });

  it('replays an event by its id, and names an id that is unknown', async () => {
    const { items } = await sandbox.readApi('/events?quarantineReason=ANY');
    const [{ eventId } = { eventId: '' }] = items as readonly { eventId: string }[];
    const { exit, json, stderr } = await run(`events replay ${eventId} ${'f'.repeat(64)} --json`);
    expect({ exit, answer: json() }).toEqual({
      exit: 1,
      answer: { count: 1, replayed: 1, quarantined: { NOT_JSON: 1 } },
    });
    expect(stderr).toContain(`unknown: ${'f'.repeat(64)}`);
  });

  it('exits with 2 where no event is replayed, and distinguishes an unknown id from an event with effect and from no id', async () => {
    const effective = await deliverOrder();
    const refused = await run(`events replay ${effective} ${'f'.repeat(64)}`);
    expect({ exit: refused.exit, stdout: refused.stdout }).toEqual({ exit: 2, stdout: '' });
    expect(refused.stderr).toContain(`not in quarantine: ${effective}\nunknown: ${'f'.repeat(64)}`);
    expect(refused.stderr).toContain('--all');
    expect(await run('events replay nope')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('64 hexadecimal digits'),
    });
    expect(await run('quarantine replay --reason NOT_JSN')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('Did you mean NOT_JSON?'),
    });
  });
});

describe('a write to a deployed environment', () => {
  it('does nothing without a terminal, and says so', async () => {
    configureAws(sandbox.host);
    const { exit, stderr, stdout } = await run('quarantine replay --env laptop');
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain('This will hand 1 event to Store again (environment laptop). Nothing was done');
  });

  it('asks, does nothing after a no, and acts after a yes or with --yes', async () => {
    configureAws(sandbox.host);
    const questions: string[] = [];
    const answering = (answer: boolean) => ({
      askYesNo: async (question: string) => {
        questions.push(question);
        return answer;
      },
    });
    expect(await run('quarantine replay --env laptop', answering(false))).toMatchObject({ exit: 2, stdout: '' });
    expect(await run('quarantine replay --env laptop', answering(true))).toMatchObject({
      exit: 1,
      stdout: expect.stringContaining('1 is back in quarantine: NOT_JSON.'),
    });
    expect(questions).toHaveLength(2);
    const { json } = await run('quarantine replay --env laptop --yes --json', answering(false));
    expect(json()).toMatchObject({ count: 1, replayed: 1 });
    expect(questions).toHaveLength(2);
  });

  it('exits with 2 and names the deploy command where there is no such environment', async () => {
    configureAws(sandbox.host);
    const { exit, stderr } = await run('status --env elsewhere');
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('--context environment=elsewhere') });
  });
});

describe('drawbridge drain', () => {
  // No run of the schedule becomes due before the command, however long the tests take.
  beforeAll(() => sandbox.platform.clock.freeze());
  afterAll(() => sandbox.platform.clock.resume());

  it('stores what the platform could not deliver', async () => {
    expect((await run('outage start --json')).json()).toEqual({ isReachable: false });
    await sandbox.deliver(eventType, { transferId, status: 'PROCESSED', modifiedOn: '2026-01-02T03:02:00Z' });
    expect((await run('outage stop --json')).json()).toEqual({ isReachable: true });
    expect(sandbox.platform.undelivered.count()).toBe(1);
    const { stored, ...others } = (await run('drain --json')).json() as { readonly stored: number };
    expect(others).toEqual({ drained: true, found: 1, quarantined: 0, marked: 0 });
    // On a busy machine a run of the schedule that was due already can store it first, or the SDK sends the write twice.
    expect([1, 0]).toContain(stored);
    await expect
      .poll(async () => (await sandbox.readApi(`/entities/transfer/${transferId}`))['modifiedOn'])
      .toBe('2026-01-02T03:02:00Z');
  }, 60_000);
});

describe('drawbridge webhooks rotate', () => {
  it('replaces the header secret, and retire ends the acceptance of the former one', async () => {
    const rotated = await rotation;
    expect(rotated.exit).toBe(0);
    expect(rotated.stdout).toMatch(/^\d+ webhooks have the new secret\.\n\nRotation: Both secrets are accepted/);
    expect(rotated.stderr).toMatch(/^This stores a new header secret, and registers it with \d+ webhooks\.$/m);
    expect(await readSecret('webhook-secret')).not.toBe(formerSecret);
    // Receive learns of the new secret from a delivery that has it.
    const transfer = { transferId, status: 'PROCESSED', modifiedOn: '2026-01-02T03:02:00Z' };
    expect(await sandbox.deliver(eventType, transfer)).toMatchObject({ outcome: 'delivered' });
    // As an attempt that the platform repeats with the headers of its first attempt.
    const headers = { 'content-type': 'application/json', 'x-drawbridge-secret': currentOf(formerSecret) };
    const url = `${webhooksUrlOf(sandbox.host)}/${eventType}`;
    expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(transfer) })).status).toBe(200);
    await expect.poll(() => sandbox.log()).toMatch(/"PreviousSecretDeliveries":\d/);
    // As long as Register waits after it has written the secret.
    await sandbox.platform.clock.advance(15);
    const early = await run('webhooks retire --json');
    expect(early).toMatchObject({ exit: 1, stderr: expect.stringContaining('Not ended yet') });
    expect(early.json()).toMatchObject({ failed: [], rotation: expect.stringContaining('Both secrets are accepted') });
    expect(await readSecret('webhook-secret')).toContain('previous');
    const again = await run('webhooks rotate --json');
    expect(again.stderr).toContain('drawbridge webhooks retire');
    expect(again).toMatchObject({ exit: 1, stderr: expect.stringContaining('No new header secret') });
    expect(again.stderr).not.toContain('This will begin a rotation');
    expect(again.json()).toMatchObject({ failed: [], plan: expect.any(Array) });
    await sandbox.platform.clock.advance(125);
    const retired = await run('webhooks retire');
    expect({ exit: retired.exit, stdout: retired.stdout }).toEqual({
      exit: 0,
      stdout: expect.stringContaining('The previous secret is accepted no longer.'),
    });
    expect(retired.stdout).not.toContain('Nothing');
  }, 60_000);
});

describe('drawbridge token and credentials', () => {
  it('stores nothing where the user ends the questions', async () => {
    const before = await readSecret('platform-credentials');
    const answers = ['sandbox', undefined];
    const { exit, stderr } = await run('credentials set', { askSecret: async () => answers.shift() });
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('nothing was stored.') });
    expect(await readSecret('platform-credentials')).toBe(before);
  });

  it('has Refresh fetch a new token when one is due', async () => {
    const before = await readSecret('platform-token');
    await sandbox.platform.clock.advance(40 * 60);
    const { json } = await run('token refresh --json');
    expect(json()).toMatchObject({ hasToken: true, refreshed: true });
    expect(await readSecret('platform-token')).not.toBe(before);
    const show = async () =>
      (await run('token show --json')).json() as { expiresOn: string | null; ageSeconds: number };
    await expect.poll(async () => (await show()).expiresOn).not.toBeNull();
    const { expiresOn, ageSeconds } = await show();
    // A token of the sandbox lives for an hour.
    const lifetime = (Date.parse(expiresOn ?? '') - sandbox.platform.clock.now().getTime()) / 1_000 + ageSeconds;
    expect(Math.abs(lifetime - 3_600)).toBeLessThanOrEqual(120);
    expect((await run('token show')).stdout).toMatch(/^expires +2/m);
  }, 60_000);

  it('replaces a good token with --force or with new credentials, and says so where no new token comes', async () => {
    const before = await readSecret('platform-token');
    expect((await run('token refresh --force --json')).json()).toMatchObject({ hasToken: true, refreshed: true });
    const forced = await readSecret('platform-token');
    expect(forced).not.toBe(before);
    const set = `credentials set --file ${writeFile('good.json', defaultCredentials)}`;
    expect((await run(`${set} --json`)).json()).toEqual({ stored: true, hasToken: true, refreshed: true });
    expect(await readSecret('platform-token')).not.toBe(forced);
    const { faults } = sandbox.platform;
    const { id } = faults.place({ effect: 'ANSWER', operation: 'getToken', status: 503, share: 1, commits: false });
    let time = Date.now();
    const now = () => {
      time += 10_000;
      return new Date(time);
    };
    const impatient = { now, wait: async () => undefined };
    const failing = await run('token refresh --force', impatient);
    const untaken = await run(set, impatient).finally(() => faults.remove(id));
    expect(failing).toMatchObject({ exit: 1, stdout: expect.stringContaining('No new token came') });
    expect(untaken).toMatchObject({ exit: 2, stderr: expect.stringContaining('The current token stays in use.') });
  }, 60_000);

  it('stores credentials from a file or from questions without an echo', async () => {
    const file = writeFile('credentials.json', defaultCredentials);
    const untried = await run(`credentials set --no-check --file ${file} --json`);
    expect(untried.json()).toEqual({ stored: true, hasToken: true, refreshed: false });
    const asked = { clientId: 'canary-id', clientSecret: 'canary-secret' };
    const answers = Object.values(asked);
    expect(await run('credentials set --no-check', { askSecret: async () => answers.shift() })).toMatchObject({
      exit: 0,
    });
    expect(JSON.parse(await readSecret('platform-credentials'))).toEqual(asked);
    const invalid = await run(`credentials set --file ${writeFile('bad.json', { clientId: 'canary-id' })}`);
    expect(invalid).toMatchObject({ exit: 2, stderr: expect.stringContaining('clientSecret') });
    expect(await run('credentials set')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--file') });
  });
});

describe('drawbridge doctor', () => {
  it('delivers a test webhook on request, asks before that, and leaves one event without an entity', async () => {
    configureAws(sandbox.host);
    const refused = await run('doctor --webhook --env laptop');
    expect(refused).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining('deliver a webhook') });
    const { jsonLines } = await run('doctor --webhook --env laptop --yes --json');
    const { detail } = findingsOf(jsonLines()).find(({ check }) => check === 'webhook') ?? {};
    const [, eventId = ''] =
      /^the test webhook was stored after \d+ ms as event ([\da-f]{64})$/.exec(detail ?? '') ?? [];
    const event = await sandbox.readApi(`/events/${eventId}`);
    expect(event).toMatchObject({
      eventType: 'PARTNER_NOTIFICATION',
      deliveries: 1,
      body: expect.stringContaining('doctor'),
    });
    expect(event).not.toHaveProperty('quarantineReason');
  }, 60_000);
});

describe('drawbridge dlq', () => {
  const canary = 'Zwiebelmann';
  const recorded = { at: expect.any(String), accessKeyId: 'laptop' };

  it('counts and shows dead letters by their ids without their bodies, and exits with 1', async () => {
    expect(await run('dlq ls')).toMatchObject({ exit: 0 });
    await sendTo(sandbox.host, 'webhooks-dlq', {
      MessageBody: JSON.stringify({ deliveryId: 'delivery-1', eventType: 'T', deflatedBody: canary }),
    });
    const ls = await run('dlq ls --exit-code --json');
    expect({ exit: ls.exit, first: ls.jsonLines()[0] }).toMatchObject({
      exit: 1,
      first: { name: 'WebhooksDlq', waiting: 1 },
    });
    const show = await run('dlq show WebhooksDlq --json');
    expect(show.jsonLines()).toEqual([expect.objectContaining({ about: 'delivery', id: 'delivery-1', receives: 1 })]);
    expect(show.stdout).not.toContain(canary);
  }, 30_000);

  it('shows bodies with --reveal, after the log has recorded the queue, the messages and the access key', async () => {
    const deflatedBody = Buffer.from(deflateBody(Buffer.from(`{"note":"${canary}"}`))).toString('base64');
    await sendTo(sandbox.host, 'webhooks-dlq', {
      MessageBody: JSON.stringify({ deliveryId: 'delivery-2', deflatedBody }),
    });
    // Messages of an earlier read are hidden for two seconds.
    const show = await vi.waitFor(
      async () => {
        const shown = await run('dlq show WebhooksDlq --reveal --json');
        expect(shown.jsonLines()).toContainEqual(
          expect.objectContaining({ id: 'delivery-2', body: `{"note":"${canary}"}` }),
        );
        return shown;
      },
      { timeout: 20_000, interval: 500 },
    );
    const [{ messageId } = { messageId: '' }] = show.jsonLines() as readonly { messageId: string }[];
    expect((await run('audit --json')).jsonLines()).toContainEqual(
      expect.objectContaining({
        ...recorded,
        action: 'dead letters read',
        queue: 'WebhooksDlq',
        messageIds: expect.arrayContaining([messageId]),
      }),
    );
  }, 30_000);

  it('counts a message that a reader has, and says why redrive moves none', async () => {
    const QueueUrl = sandbox.endpoints.queues['onboarding-dlq'] ?? '';
    await sendTo(sandbox.host, 'onboarding-dlq', { MessageBody: '{}' });
    const hide = new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 600 });
    const { Messages: [message] = [] } = await sandbox.host.clients.sqs.send(hide);
    const ls = await run('dlq ls');
    expect(ls.exit).toBe(0);
    expect(ls.stdout).toMatch(/^OnboardingDlq +1 \(1 being read\)$/m);
    expect(await run('dlq show OnboardingDlq --exit-code --json')).toMatchObject({
      exit: 1,
      stdout: '',
      stderr: expect.stringContaining('1 message (1 being read)'),
    });
    expect((await run('doctor')).stdout).toContain('OnboardingDlq holds 1 message (1 being read)');
    // The laptop measures queues every five seconds.
    const ages = async () => {
      const { queues } = (await run('status --json')).json() as {
        queues: readonly { name: string; oldestSeconds: number | null }[];
      };
      return Object.fromEntries(queues.map(({ name, oldestSeconds }) => [name, oldestSeconds]));
    };
    await expect.poll(ages, { interval: 500 }).toMatchObject({ Webhooks: null, OnboardingDlq: expect.any(Number) });
    const redrive = await run('dlq redrive OnboardingDlq', { wait: async () => undefined });
    expect(redrive).toMatchObject({ exit: 1, stdout: expect.stringContaining('another reader has the messages') });
    const ReceiptHandle = message?.ReceiptHandle;
    await sandbox.host.clients.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    await expect(run('dlq redrive OnboardingDlq')).resolves.toMatchObject({ exit: 0 });
  }, 60_000);

  it('says how many messages it has moved and deleted, and the log records who did it', async () => {
    await run('dlq purge MissedRuns');
    expect((await run('dlq purge MissedRuns --json')).json()).toEqual({ queue: 'MissedRuns', purged: 0 });
    await sendTo(sandbox.host, 'missed-runs', { MessageBody: '{}' });
    expect((await run('dlq purge MissedRuns --json')).json()).toEqual({ queue: 'MissedRuns', purged: 1 });
    await requestOnboarding(sandbox.endpoints.api, 'dead-letter');
    const { onboardingId } = await sandbox.readApi('/onboardings/dead-letter');
    await sendTo(sandbox.host, 'onboarding-dlq', { MessageBody: JSON.stringify({ onboardingId }) });
    for (const count of [1, 0]) {
      const { json } = await run('dlq redrive OnboardingDlq --json');
      expect(json()).toEqual({ queue: 'OnboardingDlq', count, inFlight: 0, moved: count });
    }
    const actions = (await run('audit --json')).jsonLines();
    for (const fields of [
      { action: 'purge requested', queue: 'MissedRuns', size: 1 },
      { action: 'redrive requested', queue: 'OnboardingDlq', size: 1 },
    ])
      expect(actions).toContainEqual({ ...recorded, ...fields });
  }, 60_000);
});

describe('drawbridge audit', () => {
  it('has who did it, when, and the ids, the latest action first', async () => {
    const actions = (await run('audit --json')).jsonLines();
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    for (const [action, fields] of [
      ['webhooks change requested', { takeOver: [eventType] }],
      ['drain requested', {}],
      ['replay requested', { size: 1, reason: 'NOT_JSON' }],
      ['replay requested', { size: 1, eventIds: [expect.stringMatching(/^[\da-f]{64}$/), 'f'.repeat(64)] }],
      ['secret rotation requested', { reason: 'rotate' }],
      ['secret rotation requested', { reason: 'retire' }],
      ['token replacement requested', {}],
      ['credentials change requested', {}],
    ] as const)
      expect(actions).toContainEqual({ at, action, accessKeyId: 'laptop', ...fields });
    const times = actions.map((line) => (line as { at: string }).at);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('prints a table, and says how to list earlier actions', async () => {
    const actions = async (...options: readonly string[]) =>
      (await runDrawbridge(sandbox, ['audit', ...options, '--json']))
        .jsonLines()
        .map((line) => line as { readonly at: string; readonly action: string });
    const all = await actions();
    // Few actions can be of one second, which no `--to` divides.
    const limit = all.length - 3;
    const { stdout, stderr } = await run(`audit --limit ${limit}`);
    expect(stdout.split('\n')[0]).toMatch(/^TIME +ACTION +ACCESS KEY/);
    const [, to = ''] = /these are the latest \d+\. List earlier ones with --to (\S+),/.exec(stderr) ?? [];
    expect(to).toBe(all[limit - 1]?.at);
    const earlier = await actions('--to', to);
    expect(earlier.length).toBeGreaterThan(2);
    // CloudWatch takes whole seconds, the last one included.
    expect(earlier.filter(({ at }) => Date.parse(at) > Date.parse(to) + 2_000)).toEqual([]);
    expect(await actions('--to', '2d')).toEqual([]);
    const rotations = await actions('--action', 'secret rotation requested');
    expect(rotations).toEqual(all.filter(({ action }) => action === 'secret rotation requested'));
    expect(rotations.length).toBeGreaterThan(1);
  });

  it.each([
    'quarantine replay',
    'dlq redrive WebhooksDlq',
    'dlq purge MissedRuns',
    'dlq delete WebhooksDlq --all',
    'webhooks apply',
    'webhooks rotate',
    'webhooks retire',
    'drain',
    'reconcile repair',
    'token refresh --force',
    'credentials set --no-check --file FILE',
  ])('prevents what the log cannot record: %s', async (commandLine) => {
    for (const queue of ['webhooks-dlq', 'missed-runs']) await sendTo(sandbox.host, queue, { MessageBody: '{}' });
    const line = commandLine.replace('FILE', writeFile('unrecorded.json', defaultCredentials));
    expect(await actionLog.whileAway((deps) => run(line, deps), permissions.fetch)).toEqual(nothingDone);
  });
});

describe('drawbridge policy', () => {
  it('allows an operator all that the commands of this file did, and nothing that no command does', async () => {
    const policy = await readOperatorPolicies(sandbox);
    const denied = permissions.deniedBy(policy);
    // The policy is that of one environment.
    expect(denied.filter((one) => !one.includes('drawbridge-elsewhere-'))).toEqual([]);
    // ListImports is asked before a switch of keys only. The rest is of tail and the replay of the bus: cli-listen and on-call.deep.test.ts compare their calls.
    expect(permissions.unusedOf(policy)).toEqual([
      'cloudformation:ListImports',
      'sqs:DeleteMessage',
      'events:PutRule',
      'events:PutTargets',
      'events:RemoveTargets',
      'events:DeleteRule',
      'events:DescribeArchive',
      'events:StartReplay',
      'events:DescribeReplay',
      'sqs:CreateQueue',
      'sqs:DeleteQueue',
      'sqs:SetQueueAttributes',
    ]);
  });
});

describe('drawbridge profile', () => {
  it('shows the platform profile of the laptop, and refuses one that a deployment refuses', async () => {
    expect((await run('profile show --json')).json()).toMatchObject({ pageSize: 20, places: {} });
    const refused = await run('profile set pageSize=0 places={"A":1} foo=1');
    expect({ exit: refused.exit, stderr: refused.stderr.split('\n') }).toEqual({
      exit: 2,
      stderr: [
        'The sandbox platform answered 400: the platform profile is invalid:',
        '  places.A: must be an object',
        '  pageSize: must be above 0',
        '  foo: is not a field here',
        'Next: drawbridge profile show shows every field.',
        '',
      ],
    });
    expect((await run('profile set pageSize=10 --json')).json()).toMatchObject({ pageSize: 10, places: {} });
    expect((await run('profile show --json')).json()).toMatchObject({ pageSize: 10 });
    expect(await run('profile set pageSize=ten')).toMatchObject({ exit: 2 });
  });
});

describe('every command of this file', () => {
  it('prints no secret, and makes the functions log none', async () => {
    const text = printed.map(({ stdout, stderr }) => stdout + stderr).join('') + sandbox.log();
    const webhookSecrets = [formerSecret, await readSecret('webhook-secret')].map(currentOf);
    const { accessToken } = JSON.parse(await readSecret('platform-token')) as { accessToken: string };
    const secrets = [...webhookSecrets, accessToken, defaultCredentials.clientSecret, 'canary-secret', 'canary-id'];
    for (const secret of secrets) expect(text).not.toContain(secret);
  });
});
