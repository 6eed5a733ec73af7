import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import type { PlatformServer } from '#sandbox/platform/app/serve.ts';
import type { Fault } from '#sandbox/platform/faults/faults.ts';
import { waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { refreshToken, runSchedule } from '#sandbox/scenario/common/schedules.ts';
import { sampleIdentification } from '#test/shared/platform/resources/sample-persons.ts';
import { callApi, readAnswer, requestOnboarding } from './call-api.ts';
import type { HostedStacks } from './hosted-stacks.ts';
import { readBacklog, readSecret } from './read-host.ts';
import { startUnconfiguredStacks, storeCredentials, type UnconfiguredStacks } from './unconfigured-stacks.ts';

const transfers = 'TRANSFER_NOTIFICATION';

let world: UnconfiguredStacks;
let server: PlatformServer;
let stacks: HostedStacks;
/** Calls to the platform: `GET /webhooks`. */
const calls: string[] = [];
let onCall: (call: string) => void = () => undefined;
/** Messages that functions sent, by who sent them. */
const senders: string[] = [];

beforeAll(async () => {
  world = await startUnconfiguredStacks({
    onCall: (call) => {
      calls.push(call);
      onCall(call);
    },
    onAwsCall: ({ when, caller, operation }) => {
      if (when === 'after' && caller !== undefined && operation === 'SendMessage') senders.push(caller);
    },
  });
  ({ server, stacks } = world);
  await storeCredentials(stacks.host);
  await refreshToken(stacks.host);
  await runSchedule(stacks.host, 'register-runs');
}, 180_000);
afterAll(() => world?.close());

const backlog = (queue: string) => readBacklog(stacks.host, queue);

/** Waits until the token refresher has processed every report. */
const waitUntilIdle = () => expect.poll(() => backlog('token-refreshes')).toBe(0);

const areAllRegistered = () => server.platform.registrations.missing().length === 0;

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
