import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { joinPlatform } from '#sandbox/join-platform.ts';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import type { PlatformServer } from '#sandbox/platform/app/serve.ts';
import { waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { refreshToken, runSchedule } from '#sandbox/scenario/common/schedules.ts';
import { sampleIdentification } from '#test/shared/platform/resources/sample-persons.ts';
import { callApi, readAnswer, requestOnboarding } from './call-api.ts';
import type { HostedStacks } from './hosted-stacks.ts';
import { readBacklog, readSecret } from './read-host.ts';
import { startUnconfiguredStacks, type UnconfiguredStacks } from './unconfigured-stacks.ts';

const transfers = 'TRANSFER_NOTIFICATION';

let world: UnconfiguredStacks;
let server: PlatformServer;
let stacks: HostedStacks;
/** What a test does at a call to the platform: `GET /webhooks`. */
let onCall: (call: string) => void = () => undefined;
/** Messages that functions sent, by who sent them. */
const senders: string[] = [];

beforeAll(async () => {
  world = await startUnconfiguredStacks({
    onCall: (call) => onCall(call),
    onAwsCall: ({ when, caller, operation }) => {
      if (when === 'after' && caller !== undefined && operation === 'SendMessage') senders.push(caller);
    },
  });
  ({ server, stacks } = world);
  const { registrations } = server.platform;
  await joinPlatform({ host: stacks.host, credentials: defaultCredentials, registrations, newEventTypes: [] });
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

describe('after all refreshes', () => {
  it('leaves no message in the dead-letter queue of the token refresher, and no secret or token in the log', async () => {
    expect(await backlog('token-refreshes-dlq')).toBe(0);
    const stored = JSON.parse(await readSecret(stacks.host, 'platform-token'));
    const { accessToken } = z.object({ accessToken: z.string() }).parse(stored);
    const log = stacks.log.join('\n');
    expect(log).toContain('token refreshed');
    for (const secret of [accessToken, defaultCredentials.clientSecret]) expect(log).not.toContain(secret);
  });
});
