import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readQueueDepth } from '#sandbox/aws/services/sqs.ts';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import type { Fault } from '#sandbox/platform/faults/faults.ts';
import { refreshToken, runSchedule, scheduleInterval } from '#sandbox/scenario/common/schedules.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';

const transfers = 'TRANSFER_NOTIFICATION';
const eventTypesRegistered = () => sandbox.platform.registrations.missing().length === 0;

let sandbox: HostedSandbox;
/** Calls to the API of the platform, without calls for a token. */
let calls: string[];
let onCall: (call: string) => void = () => undefined;
beforeAll(async () => {
  calls = [];
  sandbox = await startHostedSandbox({
    redeliveryDelay: 1,
    platform: {
      onCall: (request) => {
        const path = new URL(request.url).pathname;
        if (path === sandbox?.platform.profile.token.path) return;
        calls.push(`${request.method} ${path}`);
        onCall(`${request.method} ${path}`);
      },
    },
    platformProfile: { pageSize: 8 },
  });
}, 120_000);
afterAll(() => sandbox.close());

function addUndelivered(): void {
  sandbox.platform.madeUpDeliveries.add({ count: 20, malformed: 0, eventType: transfers, status: 'PROCESSED' });
}

/** Invokes a function. Returns its error message, or undefined if the function succeeds. */
async function invoke(name: 'drain' | 'register', event: object = {}): Promise<string | undefined> {
  const result = await sandbox.host.functions.find(name)?.invoke(JSON.stringify(event));
  if (result === undefined) throw new Error(`The stacks have no function ${name}.`);
  return result.error?.errorMessage;
}

const drain = () => invoke('drain');
const register = () => invoke('register', { mode: 'apply' });

/** Repeats a call every five minutes of the platform's time, as a schedule does, until its work is done. */
async function persist(call: () => Promise<unknown>, isDone: () => boolean): Promise<void> {
  for (let times = 1; times <= 10; times += 1) {
    await call();
    if (isDone()) return;
    await sandbox.platform.clock.advance(scheduleInterval);
    await waitUntilIdle();
  }
  expect.unreachable('The work was not done in ten runs.');
}

/** Waits until the token refresher has processed every report. Its schedule does not run in this test. */
async function waitUntilIdle(): Promise<void> {
  const url = sandbox.endpoints.queues['token-refreshes'];
  if (url === undefined) throw new Error('The stacks have no queue token-refreshes.');
  await expect.poll(() => messagesIn(url)).toBe(0);
}

async function messagesIn(url: string): Promise<number> {
  const { visible, inFlight } = await readQueueDepth(sandbox.host.clients.sqs, url);
  return visible + inFlight;
}

const isDrained = () => sandbox.platform.undelivered.count() === 0;

describe('a token that is revoked during a run', () => {
  it('is replaced once because drain reports it, and drain continues at its checkpoint', async () => {
    const { tokens } = sandbox.platform;
    addUndelivered();
    const issued = tokens.issued();
    let lists = 0;
    onCall = (call) => {
      lists += call.startsWith('GET') ? 1 : 0;
      if (lists === 2) tokens.revoke();
    };
    await persist(() => runSchedule(sandbox.host, 'drain-runs'), isDrained);
    onCall = () => undefined;
    expect(tokens.issued() - issued).toBe(1);
  });

  it('is replaced once because register reports it, and register registers the missing event types', async () => {
    const { tokens, registrations } = sandbox.platform;
    const issued = tokens.issued();
    for (const { eventType } of registrations.list()) registrations.unregister(eventType);
    let registered = 0;
    onCall = (call) => {
      registered += call.startsWith('POST') ? 1 : 0;
      if (registered === 3) tokens.revoke();
    };
    await persist(() => runSchedule(sandbox.host, 'register-runs'), eventTypesRegistered);
    onCall = () => undefined;
    expect(tokens.issued() - issued).toBe(1);
  });
});

describe('an expired token', () => {
  it('is sent with no call, and drain and register do their work after the next refresh', async () => {
    const { clock } = sandbox.platform;
    addUndelivered();
    await clock.advance(2 * 3_600);
    calls.length = 0;
    expect(await drain()).toBeDefined();
    expect(calls).toEqual([]);
    await refreshToken(sandbox.host);
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
  const refusals = () => sandbox.log().split('"TokenRefreshesFailed":').length;

  it('fails no run of drain or register, and returns a new token when it is up again, without an operator', async () => {
    const { clock, faults, tokens, registrations } = sandbox.platform;
    await clock.advance(2 * 3_600);
    await refreshToken(sandbox.host);
    const issued = tokens.issued();
    await clock.advance(25 * 60);
    for (const failure of failures) {
      faults.clear();
      const { id } = faults.place(failure);
      const before = refusals();
      await runSchedule(sandbox.host, 'token-refresh');
      await expect.poll(refusals).toBeGreaterThan(before);
      expect(faults.list().find((placed) => placed.id === id)?.happened).toBeGreaterThan(0);
      addUndelivered();
      registrations.unregister(transfers);
      expect([await register(), await drain()]).toEqual([undefined, undefined]);
      expect(eventTypesRegistered()).toBe(true);
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
    expect(await messagesIn(sandbox.endpoints.queues['token-refreshes-dlq'] ?? '')).toBe(0);
    const { secrets } = sandbox.host.blueprint;
    const SecretId = secrets.find(({ name }) => name === 'platform-token')?.arn;
    const { SecretString = '' } = await sandbox.host.clients.secretsManager.send(
      new GetSecretValueCommand({ SecretId }),
    );
    const { accessToken } = z.object({ accessToken: z.string() }).parse(JSON.parse(SecretString));
    expect(sandbox.log()).toContain('token refreshed');
    for (const secret of [accessToken, defaultCredentials.clientSecret]) expect(sandbox.log()).not.toContain(secret);
  });
});
