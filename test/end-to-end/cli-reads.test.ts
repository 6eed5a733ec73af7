import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { queueNames } from '#cli/deployment/resource-names.ts';
import type { Policy } from '#cli/policy/permissions.ts';
import { logQueries } from '#infra/monitoring/log-queries.ts';
import { readAllEvents, waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { requestOnboarding } from './call-api.ts';
import { collectPermissions, readOperatorPolicies } from './command-permissions.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';
import { searchLogOfQuery } from './read-host.ts';
import { runDrawbridge } from './run-drawbridge.ts';

const orderId = '0190a6f0-5678-7abc-8def-0123456789ab';
const canary = 'Zwiebelmann';
const externalId = 'reads-1';
const alarmThatIsOn = 'drawbridge-laptop-EventsQuarantined';
let sandbox: HostedSandbox;
let permissions = collectPermissions();
/** The id of the event about the order whose body has the canary. */
let orderEventId: string;
let quarantinedId: string;

const itemsOf = (page: Record<string, unknown>) => page['items'] as readonly Record<string, unknown>[];

const until = (isSo: () => Promise<boolean>) =>
  vi.waitFor(
    async () => {
      if (!(await isSo())) throw new Error('Not yet.');
    },
    { timeout: 60_000, interval: 100 },
  );

beforeAll(async () => {
  sandbox = await startHostedSandbox({ onAwsCall: (moment) => permissions.onAwsCall(moment) });
  const entity = `/entities/order/${orderId}`;
  await sandbox.deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', {
    orderId,
    status: 'REJECTED',
    modifiedOn: '2026-01-02T03:01:00Z',
    note: canary,
  });
  await until(async () => (await sandbox.readApi(entity))['status'] === 'REJECTED');
  await sandbox.deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', {
    orderId,
    status: 'FILLED',
    modifiedOn: '2026-01-02T03:02:00Z',
  });
  await until(async () => String((await sandbox.readApi(entity))['anomalies']) !== '');
  const timeline = await sandbox.readApi(`${entity}/timeline`);
  orderEventId = String((timeline['events'] as readonly { eventId: string }[])[0]?.eventId);
  await requestOnboarding(sandbox.endpoints.api, externalId);
  await until(async () => (await sandbox.readApi(`/onboardings/${externalId}`))['step'] === 'AWAITING_VIDEO_CALL');
  // What comes later would count in a minute that is not over.
  await until(async () => sandbox.platform.deliveries.waiting() === 0);
  await waitUntilStored(sandbox.host);
  // An alarm is evaluated on the last whole minute: the clock stops within the next one.
  sandbox.platform.clock.freeze();
  await sandbox.deliver('TRANSFER_NOTIFICATION', 'no JSON');
  await until(async () => (await sandbox.readApi('/quarantine'))['count'] === 1);
  const [quarantined] = itemsOf(await sandbox.readApi('/events?quarantineReason=ANY'));
  quarantinedId = String(quarantined?.['eventId']);
  await until(async () => sandbox.log().includes('"EventsQuarantined":1'));
  await sandbox.host.schedules.all.find(({ name }) => name === 'gauge-runs')?.runNow();
  await until(async () => sandbox.log().includes('"EventsNowQuarantined":1'));
  // The gauges have a period of five minutes.
  await sandbox.platform.clock.advance(300);
}, 180_000);
afterAll(() => sandbox.close());

const run = (...commandLine: readonly string[]) => runDrawbridge(sandbox, commandLine, { fetch: permissions.fetch });

describe('drawbridge status', () => {
  it('shows every queue, the open onboardings, the release and the quarantine', async () => {
    const { exit, json } = await run('status', '--json');
    expect(exit).toBe(0);
    expect(json()).toMatchObject({
      environment: 'local',
      version: expect.any(String),
      quarantined: 1,
      queues: queueNames.map((name) => ({ name, waiting: expect.any(Number) })),
      onboardings: [{ step: 'AWAITING_VIDEO_CALL', count: 1, more: false }],
      metrics: { EventsStored: (await readAllEvents(sandbox.host)).length, DuplicateDeliveries: null },
      alarms: [{ name: alarmThatIsOn, since: sandbox.platform.clock.now().toISOString() }],
    });
    const { stdout } = await run('status');
    expect(stdout).toMatch(/^WebhooksDlq +0 +0 +0 +–$/m);
    expect(stdout).toMatch(/^drift found in the last day +not known$/m);
  });

  it('shows the queues and alarms while the API does not answer, says what is not known, and exits with 2', async () => {
    const fetchWithoutApi: typeof fetch = (input, init) =>
      String(input).startsWith(sandbox.endpoints.api) ? Promise.reject(new TypeError('no answer')) : fetch(input, init);
    const { exit, json, stderr } = await runDrawbridge(sandbox, ['status', '--json'], { fetch: fetchWithoutApi });
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: '' });
    const reason = expect.stringContaining('The API does not answer');
    expect(json()).toMatchObject({
      queues: expect.arrayContaining([expect.objectContaining({ name: 'WebhooksDlq' })]),
      alarms: [expect.objectContaining({ name: alarmThatIsOn })],
      onboardings: null,
      quarantined: null,
      unavailable: [
        { part: 'onboardings', reason },
        { part: 'quarantine', reason },
      ],
    });
  });

  it('draws the screen of --watch over the one before on a terminal', async () => {
    const interrupt = new AbortController();
    let screens = 0;
    const wait = async () => {
      screens += 1;
      if (screens === 2) interrupt.abort();
    };
    const deps = { fetch: permissions.fetch, wait, untilInterrupted: () => interrupt.signal, terminalWidth: () => 80 };
    const { stdout } = await runDrawbridge(sandbox, ['status', '--watch'], deps);
    const [before, ...drawn] = stdout.split('\u001b[H');
    expect(before).toBe('\u001b[2J');
    expect(drawn).toEqual([expect.stringContaining('WebhooksDlq'), expect.stringContaining('WebhooksDlq')]);
  });
});

describe('drawbridge doctor', () => {
  afterAll(() => sandbox.platform.clock.resume());

  it('exits with 1 and names what to do about an event in quarantine and its alarm, and nothing else', async () => {
    const { exit, jsonLines } = await run('doctor', '--json');
    expect(jsonLines()).toEqual([
      ...['platform', 'version', 'secrets', 'token', 'registrations', 'schedules', 'queues', 'dead letters'].map(
        (check) => expect.objectContaining({ check, result: 'good' }),
      ),
      expect.objectContaining({ check: 'quarantine', result: 'problem', remedy: 'drawbridge quarantine ls' }),
      expect.objectContaining({ check: 'subscribers', result: 'good' }),
      {
        check: 'alarms',
        result: 'problem',
        detail: expect.stringContaining(`the alarm ${alarmThatIsOn} has been on since`),
        remedy: 'drawbridge alarms show EventsQuarantined',
      },
      expect.objectContaining({ check: 'quotas', result: 'good' }),
      expect.objectContaining({ check: 'clock', result: 'good' }),
    ]);
    expect(exit).toBe(1);
  });
});

describe('drawbridge events', () => {
  it('lists what the API lists, with filters', async () => {
    const type = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
    // A list of one type asks DynamoDB far less than a list of all.
    const ls = (...options: readonly string[]) => run('events', 'ls', '--type', type, ...options, '--json');
    const { items } = await sandbox.readApi(`/events?eventType=${type}`);
    expect(items).toHaveLength(2);
    expect((await ls('--from', '1h')).jsonLines()).toEqual(items);
    const [, first] = items as readonly { eventId: string; receivedOn: string }[];
    expect((await ls('--to', first?.receivedOn ?? '')).jsonLines()).toEqual([first]);
    const one = await ls('--limit', '1');
    expect(one.jsonLines()).toHaveLength(1);
    expect(one.stderr).toContain('raise --limit');
    expect(await run('events', 'ls')).toMatchObject({ exit: 0, stdout: expect.stringContaining(quarantinedId) });
    const typo = await run('events', 'ls', '--type', 'TRANSFER_NOTIFICATON');
    expect(typo).toMatchObject({ exit: 0, stderr: expect.stringContaining('Did you mean TRANSFER_NOTIFICATION?') });
  });

  it('shows an event without its body, and logs no read', async () => {
    const { exit, json, stdout } = await run('events', 'show', orderEventId, '--json');
    expect(exit).toBe(0);
    expect(json()).toEqual(await sandbox.readApi(`/events/${orderEventId}?body=omit`));
    expect(json()).toMatchObject({ entity: { kind: 'order', id: orderId } });
    expect((await run('events', 'show', orderEventId)).stderr).toContain(
      `drawbridge orders show ${orderId} --timeline`,
    );
    expect(stdout + (await run('events', 'show', orderEventId)).stdout).not.toContain(canary);
    expect(sandbox.log()).not.toContain('event body read');
  });

  it('shows the body with --reveal, and the log records the event and the access key', async () => {
    expect((await run('events', 'show', orderEventId, '--reveal')).stdout).toContain(canary);
    await expect
      .poll(() => sandbox.log())
      .toMatch(new RegExp(`"event body read".*"eventId":"${orderEventId}".*"accessKeyId":"laptop"`));
  });

  it('exits with 2 and says what the API says about an unknown event', async () => {
    const { exit, stderr } = await run('events', 'show', 'f'.repeat(64));
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('The API answered 404') });
  });
});

describe('drawbridge quarantine', () => {
  it('counts and lists what is in quarantine, and exits with 1 for a script that asks so', async () => {
    expect(await run('quarantine', 'count')).toMatchObject({ exit: 0 });
    expect(await run('quarantine', 'ls')).toMatchObject({ exit: 0 });
    const count = await run('quarantine', 'count', '--exit-code', '--json');
    expect({ exit: count.exit, answer: count.json() }).toEqual({
      exit: 1,
      answer: await sandbox.readApi('/quarantine'),
    });
    const ls = await run('quarantine', 'ls', '--exit-code', '--json');
    expect(ls.exit).toBe(1);
    expect(ls.jsonLines()).toEqual(itemsOf(await sandbox.readApi('/events?quarantineReason=ANY')));
    expect(ls.stderr).toMatch(/NOT_JSON +TRANSFER_NOTIFICATION +1/);
    expect(await run('quarantine', 'ls', '--reason', 'UNKNOWN_EVENT_TYPE', '--json')).toMatchObject({
      exit: 0,
      stdout: '',
    });
  });

  it('counts nothing where a filter matches no event, and names the command that counts the others', async () => {
    const { exit, stdout, stderr } = await run('quarantine', 'ls', '--type', 'TRANSFER_NOTIFICATON');
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'No event matches.\n' });
    expect(stderr.split('\n')).toEqual([
      'Other events are in quarantine: drawbridge quarantine count',
      'TRANSFER_NOTIFICATON is not a known event type. Did you mean TRANSFER_NOTIFICATION?',
      '',
    ]);
  });

  it('shows why an event is in quarantine, and no command that would change nothing', async () => {
    const { json } = await run('quarantine', 'show', quarantinedId, '--json');
    expect(json()).toEqual(await sandbox.readApi(`/events/${quarantinedId}?body=omit`));
    const { stdout, stderr } = await run('quarantine', 'show', quarantinedId);
    expect(stdout).toMatch(/quarantine reason +NOT_JSON/);
    expect(stderr).toContain('The body of the webhook is not JSON.');
    expect(stderr).not.toContain('drawbridge events replay');
  });
});

describe('drawbridge orders', () => {
  it('shows the state, the anomalies with remedies and the timeline as the API does, and exits with 1', async () => {
    const entity = await sandbox.readApi(`/entities/order/${orderId}`);
    const { events } = await sandbox.readApi(`/entities/order/${orderId}/timeline`);
    const { exit, json } = await run('orders', 'show', orderId, '--timeline', '--json');
    expect({ exit, answer: json() }).toEqual({ exit: 1, answer: { ...entity, events } });
    const { stdout } = await run('orders', 'show', orderId, '--timeline');
    expect(stdout).toContain(orderEventId);
    for (const remedy of entity['remedies'] as readonly string[]) expect(stdout).toContain(remedy);
  });

  it('lists orders by status, and names the nearest status when a filter has a typo', async () => {
    const { status } = await sandbox.readApi(`/entities/order/${orderId}`);
    const { jsonLines } = await run('orders', 'ls', '--status', String(status), '--json');
    expect(jsonLines()).toEqual([expect.objectContaining({ id: orderId, status })]);
    expect(await run('orders', 'ls', '--status', 'FILED')).toMatchObject({
      exit: 0,
      stdout: 'None of the orders match.\n',
      stderr: expect.stringContaining('Did you mean FILLED?'),
    });
  });
});

describe('drawbridge persons, verifications and transfers', () => {
  const transferId = 'reads-transfer';

  beforeAll(async () => {
    const reports = [
      { transferId, status: 'PENDING', modifiedOn: '2026-01-02T03:01:00Z' },
      { transferId, status: 'PROCESSED', modifiedOn: '2026-01-02T03:02:00Z' },
    ];
    for (const report of reports) await sandbox.deliver('TRANSFER_NOTIFICATION', report);
    await until(async () => (await sandbox.readApi(`/entities/transfer/${transferId}`))['status'] === 'PROCESSED');
  }, 60_000);

  it.each([
    ['persons', 'natural-person', async () => (await sandbox.readApi(`/onboardings/${externalId}`))['naturalPersonId']],
    [
      'verifications',
      'identification-verification',
      async () => (await sandbox.readApi(`/onboardings/${externalId}`))['identificationVerificationId'],
    ],
    ['transfers', 'transfer', async () => transferId],
  ])('lists and shows %s as the API does', async (name, kind, idOf) => {
    const id = String(await idOf());
    const entity = await sandbox.readApi(`/entities/${kind}/${id}`);
    const ls = await run(name, 'ls', '--json');
    expect(ls.jsonLines()).toEqual(itemsOf(await sandbox.readApi(`/entities/${kind}`)));
    expect(ls.jsonLines()).toContainEqual(expect.objectContaining({ id, status: entity['status'] }));
    expect((await run(name, 'show', id, '--json')).json()).toEqual(entity);
    const { stdout } = await run(name, 'show', id, '--timeline');
    const { events } = await sandbox.readApi(`/entities/${kind}/${id}/timeline`);
    expect(stdout).toMatch(new RegExp(`^status +${entity['status']}$`, 'm'));
    for (const { eventId } of events as readonly { eventId: string }[]) expect(stdout).toContain(eventId);
  });
});

const linksRead = () =>
  searchLogOfQuery(sandbox, 'fields onboardingId, accessKeyId | filter message = "video call link read"');

describe('drawbridge onboardings', () => {
  it('lists and shows what the API answers, without the link of the video call', async () => {
    // A look of the onboarding at the platform may come between the command and the API, and counts in its row.
    await vi.waitFor(
      async () => {
        const ls = await run('onboardings', 'ls', '--step', 'AWAITING_VIDEO_CALL', '--json');
        const listed = itemsOf(await sandbox.readApi('/onboardings?step=AWAITING_VIDEO_CALL'));
        expect(ls.jsonLines()).toEqual(listed);
        const show = await run('onboardings', 'show', externalId, '--json');
        const shown = await sandbox.readApi(`/onboardings/${externalId}/progress`);
        expect(show.json()).toEqual({ ...shown, deadlineOn: expect.any(String) });
      },
      { timeout: 30_000 },
    );
    const answer = await sandbox.readApi(`/onboardings/${externalId}`);
    const { stdout } = await run('onboardings', 'show', externalId);
    expect(stdout).toMatch(/^step +AWAITING_VIDEO_CALL$/m);
    expect(stdout).toMatch(/^video call +present/m);
    expect(stdout).not.toContain(answer['identificationUrl']);
  });

  it('shows the link of the video call with --reveal, after the log has recorded the onboarding and the access key', async () => {
    const answer = await sandbox.readApi(`/onboardings/${externalId}`);
    const { stdout } = await run('onboardings', 'show', externalId, '--reveal');
    expect(stdout).toContain(`video call      ${answer['identificationUrl']}`);
    expect(await linksRead()).toEqual([{ onboardingId: answer['onboardingId'], accessKeyId: 'laptop' }]);
  });

  it('follows an onboarding step by step until it ends', async () => {
    const following = run('onboardings', 'show', externalId, '--watch', '--reveal', '--json');
    const { identificationVerificationId, identificationUrl } = await sandbox.readApi(`/onboardings/${externalId}`);
    await expect.poll(async () => (await linksRead()).length).toBe(2);
    sandbox.platform.verifications.endVideoCall(String(identificationVerificationId), 'APPROVED');
    const lines = (await following).jsonLines();
    expect(lines[0]).toMatchObject({ step: 'AWAITING_VIDEO_CALL', identificationUrl });
    expect(lines.at(-1)).toMatchObject({ step: 'COMPLETED', hasIdentificationUrl: false });
    expect(await linksRead()).toHaveLength(2);
  }, 60_000);
});

describe('drawbridge logs', () => {
  it('lists the saved queries, and what to replace in them', async () => {
    const { jsonLines } = await run('logs', '--json');
    expect(jsonLines()).toEqual(
      logQueries
        .map(({ name, replace = [] }) => ({ name, names: replace }))
        .toSorted((one, other) => one.name.localeCompare(other.name))
        .map((query) => expect.objectContaining(query)),
    );
  });

  it('follows an event from its delivery to the bus, over the access log and the logs of the functions', async () => {
    const [event] = itemsOf(await sandbox.readApi('/events?eventType=TRADITIONAL_ASSET_ORDER_NOTIFICATION&limit=1'));
    const applied = await run('logs', 'one-event', '--set', `EVENT_ID=${event?.['eventId']}`, '--json');
    const lines = applied.jsonLines() as readonly { message: string; deliveryId: string }[];
    const deliveryId = lines.find(({ message }) => message === 'event applied')?.deliveryId;
    expect(lines).toContainEqual(
      expect.objectContaining({ message: 'event applied', eventId: event?.['eventId'], outcome: expect.any(String) }),
    );
    const delivered = await run('logs', 'one-delivery', '--set', `REQUEST_ID=${deliveryId}`, '--json');
    expect(delivered.jsonLines()).toContainEqual(
      expect.objectContaining({
        requestId: deliveryId,
        status: '200',
        '@log': expect.stringContaining('InfrequentAccessLogs'),
      }),
    );
  });

  it('counts what the API counts', async () => {
    const { counts } = (await sandbox.readApi('/quarantine')) as {
      counts: readonly { quarantineReason: string; count: number }[];
    };
    expect((await run('logs', 'quarantined-events', '--json')).jsonLines()).toEqual(
      counts.map(({ quarantineReason, count }) =>
        expect.objectContaining({ reason: quarantineReason, events: String(count) }),
      ),
    );
    expect(await run('logs', 'slow-runs')).toMatchObject({ stdout: expect.stringMatching(/StoreLogs/), stderr: '' });
    expect((await run('logs', 'slow-runs', '--limit', '1')).stderr).toMatch(/There may be more rows/);
    const none = async (...options: readonly string[]) =>
      (await run('logs', 'one-event', '--set', 'EVENT_ID=none', ...options)).stdout;
    expect(await none()).toContain('No line of the last 3 hours matches.');
    expect(await none('--from', '1d')).toBe('No line matches.\n');
  });

  it('runs every saved query', async () => {
    for (const { name, replace = [] } of logQueries)
      expect(await run('logs', name, ...replace.flatMap((word) => ['--set', `${word}=none`])), name).toMatchObject({
        exit: 0,
      });
  });
});

describe('drawbridge policy', () => {
  it('allows an operator all that the commands above did', async () => {
    expect(permissions.deniedBy(await readOperatorPolicies(sandbox))).toEqual([]);
  });

  it('allows a reader the commands that show no personal data, and not to read an event or the link of a video call', async () => {
    const policy = (await run('policy', 'reader', '--json')).json() as Policy;
    permissions = collectPermissions();
    const { naturalPersonId } = await sandbox.readApi(`/onboardings/${externalId}`);
    for (const commandLine of [
      'status',
      'events ls --type TRANSFER_NOTIFICATION',
      'quarantine count',
      'quarantine ls',
      'dlq ls',
      'orders ls',
      `orders show ${orderId} --timeline`,
      `persons show ${naturalPersonId}`,
      'onboardings ls',
      `onboardings show ${externalId}`,
      'token show',
      'logs failed-messages',
    ])
      expect((await run(...commandLine.split(' '))).exit, commandLine).toBeLessThan(2);
    expect(permissions.deniedBy(policy)).toEqual([]);
    await run('events', 'show', orderEventId);
    await run('onboardings', 'show', externalId, '--reveal');
    await run('webhooks', 'plan');
    expect(permissions.deniedBy(policy)).toEqual([
      expect.stringContaining(`GET/events/${orderEventId}`),
      expect.stringContaining(`GET/onboardings/${externalId}`),
      expect.stringContaining('lambda:InvokeFunction'),
    ]);
  }, 60_000);
});
