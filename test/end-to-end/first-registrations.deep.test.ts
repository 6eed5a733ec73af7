import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAlarms } from '#sandbox/aws/cloud-watch/alarms.ts';
import { metricsIn } from '#sandbox/aws/cloud-watch/embedded-metrics.ts';
import { createMetricStore } from '#sandbox/aws/cloud-watch/metric-store.ts';
import { parseScheduleExpression } from '#sandbox/aws/services/schedule-expression.ts';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import type { PlatformServer } from '#sandbox/platform/app/serve.ts';
import { eventTypes } from '#shared/platform/profile/event-place.ts';
import type { HostedStacks } from './hosted-stacks.ts';
import { readBacklog } from './read-host.ts';
import { startUnconfiguredStacks, type UnconfiguredStacks } from './unconfigured-stacks.ts';

let world: UnconfiguredStacks;
let server: PlatformServer;
let stacks: HostedStacks;
/** Calls to the platform: `GET /webhooks`. */
const calls: string[] = [];

beforeAll(async () => {
  world = await startUnconfiguredStacks({ onCall: (call) => calls.push(call) });
  ({ server, stacks } = world);
}, 180_000);
afterAll(() => world?.close());

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
      // Often: each of the minutes waits for it.
      await expect.poll(() => readBacklog(stacks.host, 'token-refreshes'), { interval: 20 }).toBe(0);
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
    expect(registrations.missing()).toEqual([]);
  });
});
