import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { createAlarms } from '#sandbox/aws/cloud-watch/alarms.ts';
import { metricsIn } from '#sandbox/aws/cloud-watch/embedded-metrics.ts';
import { createMetricStore } from '#sandbox/aws/cloud-watch/metric-store.ts';
import { parseScheduleExpression } from '#sandbox/aws/services/schedule-expression.ts';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import { type PlatformServer, startPlatformServer } from '#sandbox/platform/app/serve.ts';
import type { Fault } from '#sandbox/platform/faults/faults.ts';
import { waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { refreshToken, runSchedule } from '#sandbox/scenario/common/schedules.ts';
import { eventTypes } from '#shared/platform/profile/event-place.ts';
import { sampleIdentification } from '#test/shared/platform/resources/sample-persons.ts';
import { callApi, readAnswer, requestOnboarding } from './call-api.ts';
import { copyAssembly } from './copy-assembly.ts';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';
import { quickSteps } from './quick-steps.ts';
import { readBacklog, readSecret } from './read-host.ts';

const transfers = 'TRANSFER_NOTIFICATION';

let directory: string;
let server: PlatformServer;
let stacks: HostedStacks;
/** Calls to the platform: `GET /webhooks`. */
const calls: string[] = [];
let onCall: (call: string) => void = () => undefined;
/** Messages that functions sent, by who sent them. */
const senders: string[] = [];

beforeAll(async () => {
  server = await startPlatformServer({
    fetch,
    now: () => new Date(),
    onError: (error) => {
      throw error;
    },
    settings: { ...quickSteps, acceptSelfBeforeActive: true },
    onCall: (request) => {
      const call = `${request.method} ${new URL(request.url).pathname}`;
      calls.push(call);
      onCall(call);
    },
  });
  directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  const address = { baseUrl: server.origin, authUrl: server.origin };
  const context = { platform: address, platformProfile: { pageSize: 8 } };
  await copyAssembly(inject('assembly'), { outputDirectory: directory, context });
  stacks = await startHostedStacks({
    assembly: directory,
    redeliveryDelay: 1,
    now: server.platform.clock.now,
    onAwsCall: ({ when, caller, operation }) => {
      if (when === 'after' && caller !== undefined && operation === 'SendMessage') senders.push(caller);
    },
  });
}, 180_000);
afterAll(async () => {
  await stacks?.host.close();
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const backlog = (queue: string) => readBacklog(stacks.host, queue);

/** Waits until the token refresher has processed every report. Asks often: the tests wait for it in each of their minutes. */
const waitUntilIdle = () => expect.poll(() => backlog('token-refreshes'), { interval: 20 }).toBe(0);

const areAllRegistered = () => server.platform.registrations.missing().length === 0;

describe('a deployment before its first registrations', () => {
  /** On the clock of the test, which counts minutes from here. */
  const deployedAt = new Date(0);
  const minuteMs = 60_000;
  const credentialsAt = 65;
  const ownAlarm = 'drawbridge-laptop-NotConfigured';
  let run: ReturnType<typeof createClock>;
  beforeAll(() => {
    run = createClock();
  });

  /** The schedules of the stacks that are due in this minute. `refresh` comes last, so that no run profits from its token. */
  function dueIn(minute: number) {
    const due = stacks.host.blueprint.schedules.filter(({ properties }) => {
      const { ScheduleExpression, ScheduleExpressionTimezone } = properties;
      const nextRun = parseScheduleExpression(ScheduleExpression, ScheduleExpressionTimezone, deployedAt);
      // A rate without a start begins with the schedule.
      return minute === 0 || nextRun(new Date(minute * minuteMs - 1))?.getTime() === minute * minuteMs;
    });
    return due.toSorted((one, other) => Number(one.name === 'token-refresh') - Number(other.name === 'token-refresh'));
  }

  /** Runs what is due in each of these minutes, to its end. Returns the notifying alarms that were on, by minute. */
  function createClock() {
    const metrics = createMetricStore();
    let now = deployedAt;
    const metricsSince = () => new Date(-7 * 24 * 60 * minuteMs);
    const alarms = createAlarms(stacks.host.blueprint, { metrics, now: () => now, metricsSince });
    let readLines = 0;

    async function runDue(minute: number): Promise<void> {
      for (const { name, properties } of dueIn(minute)) {
        const { Arn, Input = '{}' } = properties.Target;
        const target = stacks.host.functions.find(Arn);
        // A queue: the token refresher works on it by itself.
        if (target === undefined) await stacks.host.schedules.all.find((one) => one.name === name)?.runNow();
        else expect(await target.invoke(Input), name).not.toHaveProperty('error');
      }
      await waitUntilIdle();
    }

    /** The functions write by the real time. */
    function readMetrics(minute: number): void {
      for (const line of stacks.log.slice(readLines))
        for (const { id, value } of metricsIn(line.slice(line.indexOf(' ') + 1)))
          metrics.add(id, value, minute * minuteMs);
      readLines = stacks.log.length;
    }

    return async (from: number, to: number): Promise<ReadonlyMap<number, readonly string[]>> => {
      const on = new Map<number, readonly string[]>();
      for (let minute = from; minute <= to; minute += 1) {
        now = new Date(minute * minuteMs);
        const areOn = alarms.now().filter(({ state, actions }) => state === 'ALARM' && actions.length > 0);
        on.set(
          minute,
          areOn.map(({ name }) => name),
        );
        await runDue(minute);
        readMetrics(minute);
      }
      return on;
    };
  }

  async function storeCredentials(): Promise<void> {
    const SecretId = stacks.host.blueprint.secrets.find(({ name }) => name === 'platform-credentials')?.arn;
    const SecretString = JSON.stringify(defaultCredentials);
    await stacks.host.clients.secretsManager.send(new PutSecretValueCommand({ SecretId, SecretString }));
  }

  const linesOf = (functionName: string) => stacks.log.filter((line) => line.startsWith(`${functionName} `));
  const alarmsIn = (on: ReadonlyMap<number, readonly string[]>) => [...new Set([...on.values()].flat())];

  it('stays quiet without credentials, except the alarm that says so, and registers within 10 minutes of the credentials', async () => {
    const { registrations } = server.platform;
    stacks.host.announceDeployment();

    const before = await run(0, credentialsAt);
    for (const name of ['drain', 'reconcile', 'register'])
      expect(linesOf(name).join('\n'), name).toContain('"message":"run skipped before the first token"');
    expect(linesOf('refresh').join('\n')).toContain('"message":"credentials missing"');
    expect(stacks.log.filter((line) => line.includes('"level":"ERROR"'))).toEqual([]);
    expect(calls).toEqual([]);
    expect(before.get(0)).toEqual([]);
    expect(before.get(credentialsAt)).toEqual([ownAlarm]);
    expect(alarmsIn(before)).toEqual([ownAlarm]);

    await storeCredentials();
    const after = await run(credentialsAt + 1, credentialsAt + 10);
    expect(registrations.missing()).toEqual([]);
    const registered = registrations.list().map(({ eventType }) => eventType);
    expect(registered.toSorted()).toEqual(eventTypes.toSorted());
    expect(alarmsIn(after)).toEqual([ownAlarm]);

    const later = await run(credentialsAt + 11, credentialsAt + 120);
    expect(alarmsIn(later)).toEqual([ownAlarm]);
    expect(later.get(credentialsAt + 120)).toEqual([]);
    expect(stacks.log.filter((line) => line.includes('"level":"ERROR"'))).toEqual([]);
  }, 600_000);

  it('raises the alarm on missing registrations once configured', async () => {
    const { registrations } = server.platform;
    for (const { eventType } of registrations.list()) registrations.unregister(eventType);
    const on = await run(credentialsAt + 121, credentialsAt + 124);
    expect(alarmsIn(on)).toEqual(['drawbridge-laptop-RegistrationsMissing']);
    expect(areAllRegistered()).toBe(true);
  });
});

function addUndelivered(): void {
  server.platform.madeUpDeliveries.add({ count: 20, malformed: 0, eventType: transfers, status: 'PROCESSED' });
}

/** Invokes a function. Returns its error message, or undefined if the function succeeds. */
async function invoke(name: string, event: object = {}): Promise<string | undefined> {
  const result = await stacks.host.functions.find(name)?.invoke(JSON.stringify(event));
  if (result === undefined) throw new Error(`The stacks have no function ${name}.`);
  return result.error?.errorMessage;
}

const drain = () => invoke('drain');
const register = () => invoke('register', { mode: 'apply' });
const isDrained = () => server.platform.undelivered.count() === 0;

/** Repeats a call every five minutes of the platform's time, as a schedule does, until its work is done. */
async function persist(call: () => Promise<unknown>, isDone: () => boolean): Promise<void> {
  for (let times = 1; times <= 10; times += 1) {
    await call();
    if (isDone()) return;
    await server.platform.clock.advance(300);
    await waitUntilIdle();
  }
  expect.unreachable('The work was not done in ten runs.');
}

describe('a token that is revoked during a run', () => {
  it('is replaced once because drain reports it, and drain continues at its checkpoint', async () => {
    const { tokens } = server.platform;
    await refreshToken(stacks.host);
    addUndelivered();
    const issued = tokens.issued();
    let lists = 0;
    onCall = (call) => {
      lists += call.startsWith('GET') ? 1 : 0;
      if (lists === 2) tokens.revoke();
    };
    await persist(() => runSchedule(stacks.host, 'drain-runs'), isDrained);
    onCall = () => undefined;
    expect(tokens.issued() - issued).toBe(1);
  });

  it('is replaced once because register reports it, and register registers the missing event types', async () => {
    const { tokens, registrations } = server.platform;
    const issued = tokens.issued();
    for (const { eventType } of registrations.list()) registrations.unregister(eventType);
    let registered = 0;
    onCall = (call) => {
      registered += call === 'POST /webhooks' ? 1 : 0;
      if (registered === 3) tokens.revoke();
    };
    await persist(() => runSchedule(stacks.host, 'register-runs'), areAllRegistered);
    onCall = () => undefined;
    expect(tokens.issued() - issued).toBe(1);
  });
});

describe('a token that the platform refuses', () => {
  const api = () => stacks.host.place.apiOrigin;
  const identification = { ...sampleIdentification, mode: 'supplied' };
  const onboard = (externalId: string) => requestOnboarding(api(), externalId, { identification });
  const update = { naturalPersonUpdateData: { profession: 'Baker' } };

  it.each([
    ['update-person', () => callApi(api(), 'PATCH', '/onboardings/refused/person', update)],
    ['reconcile', () => invoke('reconcile', { mode: 'report' })],
    ['advance', () => onboard('advanced')],
  ])('is reported by %s', async (caller, use) => {
    if (caller === 'update-person') {
      await onboard('refused');
      const stepOf = async () => (await readAnswer(api(), '/onboardings/refused'))['step'];
      await expect.poll(stepOf, { timeout: 60_000 }).toBe('COMPLETED');
    }
    // No onboarding that continues reports the token first, such as one that a late webhook wakes.
    await expect.poll(() => server.platform.deliveries.waiting()).toBe(0);
    await waitUntilStored(stacks.host);
    await refreshToken(stacks.host);
    // No run of a schedule reports it first, such as one of Drain: none begins any more, and what runs has ended. The clock was moved, so
    // a schedule can be due whose timer has not fired yet.
    server.platform.clock.freeze();
    stacks.host.schedules.close();
    try {
      await expect.poll(() => stacks.host.functions.isIdle(), { timeout: 60_000 }).toBe(true);
      server.platform.tokens.revoke();
      senders.length = 0;
      await use();
      await expect.poll(() => senders).toContain(caller);
    } finally {
      server.platform.clock.resume();
    }
    await refreshToken(stacks.host);
  });
});

describe('an expired token', () => {
  it('is sent with no call, and drain and register do their work after the next refresh', async () => {
    addUndelivered();
    await server.platform.clock.advance(2 * 3_600);
    calls.length = 0;
    expect(await drain()).toBeDefined();
    expect(calls.filter((call) => call !== `POST ${server.platform.profile.token.path}`)).toEqual([]);
    await refreshToken(stacks.host);
    await persist(drain, isDrained);
    expect(await register()).toBeUndefined();
  });
});

describe('a token service that is down for 25 minutes after a refresh was due', () => {
  const fault = { operation: 'getToken', share: 1, commits: false } as const;
  const failures: readonly Fault[] = [
    { ...fault, effect: 'ANSWER', status: 503 },
    { ...fault, effect: 'NO_ANSWER' },
  ];
  const refusals = () => stacks.log.filter((line) => line.includes('"TokenRefreshesFailed":')).length;

  it('fails no run of drain or register, and returns a new token when it is up again, without an operator', async () => {
    const { clock, faults, tokens, registrations } = server.platform;
    await clock.advance(2 * 3_600);
    await refreshToken(stacks.host);
    const issued = tokens.issued();
    await clock.advance(25 * 60);
    for (const failure of failures) {
      faults.clear();
      const { id } = faults.place(failure);
      const before = refusals();
      await runSchedule(stacks.host, 'token-refresh');
      const happened = () => faults.list().find((placed) => placed.id === id)?.happened;
      // A refusal can be late, and of the failure before.
      await expect.poll(happened).toBeGreaterThan(0);
      await expect.poll(refusals).toBeGreaterThan(before);
      addUndelivered();
      registrations.unregister(transfers);
      expect([await register(), await drain()]).toEqual([undefined, undefined]);
      expect(areAllRegistered()).toBe(true);
      await clock.advance((25 * 60) / failures.length);
    }
    expect(tokens.issued()).toBe(issued);
    expect(await drain()).toBeUndefined();
    expect(isDrained()).toBe(true);
    faults.clear();
    await expect.poll(tokens.issued).toBe(issued + 1);
    await waitUntilIdle();
    expect([await register(), await drain()]).toEqual([undefined, undefined]);
  }, 120_000);

  it('leaves no message in the dead-letter queue of the token refresher, and no secret or token in the log', async () => {
    expect(await backlog('token-refreshes-dlq')).toBe(0);
    const stored = JSON.parse(await readSecret(stacks.host, 'platform-token'));
    const { accessToken } = z.object({ accessToken: z.string() }).parse(stored);
    const log = stacks.log.join('\n');
    expect(log).toContain('token refreshed');
    for (const secret of [accessToken, defaultCredentials.clientSecret]) expect(log).not.toContain(secret);
  });
});
