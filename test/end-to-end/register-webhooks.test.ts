import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { type Listening, listen } from '#sandbox/net/server.ts';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import { createPlatformApp } from '#sandbox/platform/app/app.ts';
import { createPlatform, type Platform } from '#sandbox/platform/app/platform.ts';
import { webhooksUrlOf } from '#sandbox/webhook-headers.ts';
import { eventTypes } from '#shared/platform/profile/event-type.ts';
import { copyAssembly } from './copy-assembly.ts';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';

const [proxies, transfers, users] = ['PROXY_NOTIFICATION', 'TRANSFER_NOTIFICATION', 'USER_NOTIFICATION'] as const;
const day = 24 * 60 * 60_000;
let platform: Platform;
let server: Listening;
/** Called with each call to the platform, before the platform processes it. */
let onCall: (call: string) => void = () => undefined;
/** Called with each AWS call of the functions. */
let onAwsCall: (moment: AwsCallMoment) => void = () => undefined;
/** Whether the connection of a delivery attempt breaks, so that the platform tries again. */
let breaks: () => boolean = () => false;
/** The status of every delivery attempt. */
const statuses: number[] = [];
let assembly: string;
let stacks: HostedStacks;

/** In seconds of the platform's clock: a test repeats broken attempts after the registrations have changed. */
const deliveryRetriesAfter = [60, 60];
/** In seconds: longer than register waits after a new secret, until every instance of receive accepts it. */
const settled = 15;

beforeAll(async () => {
  platform = createPlatform({
    settings: { deliveryRetriesAfter },
    fetch: async (...request) => {
      if (breaks()) throw new Error('The connection is broken.');
      const answer = await fetch(...request);
      statuses.push(answer.status);
      return answer;
    },
    now: () => new Date(),
    onError: (error) => {
      throw error;
    },
  });
  const handle = getRequestListener(createPlatformApp(platform).fetch);
  server = await listen((request, response) => {
    onCall(`${request.method} ${request.url}`);
    return handle(request, response);
  });
  assembly = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  const context = { platform: { baseUrl: server.origin, authUrl: server.origin } };
  await copyAssembly({ outputDirectory: assembly, context });
  stacks = await startHostedStacks({ assembly, now: platform.clock.now, onAwsCall: (moment) => onAwsCall(moment) });
  await put('platform-credentials', defaultCredentials);
});
afterAll(async () => {
  await stacks.host.close();
  platform.close();
  await server.close();
  rmSync(assembly, { recursive: true, force: true });
});

const secretId = (name: string) => stacks.host.blueprint.secrets.find((secret) => secret.name === name)?.arn;

async function put(secret: string, value: object): Promise<void> {
  const command = new PutSecretValueCommand({ SecretId: secretId(secret), SecretString: JSON.stringify(value) });
  await stacks.host.clients.secretsManager.send(command);
}

const webhookSecret = z.object({
  current: z.string(),
  previous: z.string().optional(),
  registeredOn: z.string().optional(),
});

async function readSecret() {
  const command = new GetSecretValueCommand({ SecretId: secretId('webhook-secret') });
  return webhookSecret.parse(JSON.parse((await stacks.host.clients.secretsManager.send(command)).SecretString ?? ''));
}

function register() {
  const found = stacks.host.functions.find('register');
  if (found === undefined) throw new Error('The stacks have no function register.');
  return found;
}

/** Invokes register as an operator does. Returns the payload or the error. */
async function invoke(event: object): Promise<string> {
  const result = await register().invoke(JSON.stringify(event));
  return result.error === undefined ? result.payload : `${result.error.errorType}: ${result.error.errorMessage}`;
}

async function runSchedule(name = 'register-runs'): Promise<void> {
  const schedule = stacks.host.schedules.all.find((candidate) => candidate.name === name);
  if (schedule === undefined) throw new Error(`The stacks have no schedule ${name}.`);
  await schedule.runNow();
}

const secretsRegistered = () =>
  new Set(platform.registrations.list().flatMap(({ headers = [] }) => headers.map(({ value }) => value)));

const deliver = (eventType: string) =>
  platform.deliveries.deliver(eventType, Buffer.from(`{"transferId":"${randomUUID()}"}`));

describe('register after a deployment', () => {
  it('skips the run while there is no token', async () => {
    stacks.host.announceDeployment();
    await expect.poll(() => stacks.log.join('\n')).toContain('"message":"run skipped before the first token"');
    expect(JSON.parse(await invoke({ mode: 'plan' }))).toEqual({
      skipped: expect.stringContaining('PlatformCredentials'),
    });
    await runSchedule('token-refresh');
    await expect.poll(() => platform.tokens.issued()).toBe(1);
    await expect.poll(() => stacks.backlog('token-refreshes')).toBe(0);
  });

  it('registers every event type at its own URL with the secret header, and receive accepts the deliveries', async () => {
    stacks.host.announceDeployment();
    await expect.poll(() => platform.registrations.missing()).toEqual([]);
    const { current } = await readSecret();
    for (const { eventType, url, headers } of platform.registrations.list()) {
      expect(url).toBe(`${webhooksUrlOf(stacks.host)}/${eventType}`);
      expect(headers).toEqual([{ name: 'X-Drawbridge-Secret', value: current }]);
    }
    expect(await deliver(transfers)).toEqual({ outcome: 'delivered', status: 200 });
  });

  it('plans no change when an operator asks for a plan, and rejects an event with a typo', async () => {
    const { plan, rotation } = JSON.parse(await invoke({ mode: 'plan' }));
    expect(plan).toEqual(eventTypes.toSorted().map((eventType) => `  ${eventType}: unchanged`));
    expect(rotation).toBe('No rotation is under way.');
    expect(await invoke({ mod: 'plan' })).toContain('InvalidRequestError: Invoke register with {"mode"');
  });
});

describe('register on its schedule', () => {
  it('repairs missing and changed registrations, and leaves a registration of another system until an operator takes it over', async () => {
    const { registrations } = platform;
    const wanted = registrations.get(proxies);
    const foreign = { eventType: users, url: 'https://other.example/x' };
    registrations.unregister(transfers);
    registrations.register({ eventType: proxies, url: wanted?.url ?? '' });
    registrations.register(foreign);
    await runSchedule();
    expect(registrations.missing()).toEqual([]);
    expect(registrations.get(proxies)).toMatchObject({ headers: wanted?.headers });
    expect(registrations.get(users)).toMatchObject(foreign);
    expect(stacks.log.join('\n')).toMatch(
      /"RegistrationsMissing":1,"RegistrationsDrifted":1,"RegistrationsRepaired":2/,
    );
    await invoke({ mode: 'apply', takeOver: [users] });
    expect(registrations.get(users)).toMatchObject({ headers: wanted?.headers });
  });
});

/** Delivers webhooks of all event types until the end, and counts the outcomes. A pause keeps the CPU free for register. */
function startLoad(concurrency = 3, pauseMs = 250) {
  let delivered = 0;
  let isOver = false;
  const failures: unknown[] = [];
  const load = Array.from({ length: concurrency }, async (_, worker) => {
    for (let count = worker; !isOver; count += 1) {
      const delivery = await deliver(eventTypes[count % eventTypes.length] ?? transfers);
      if (delivery.outcome === 'delivered') delivered += 1;
      else failures.push(delivery);
      await wait(pauseMs);
    }
  });
  return {
    failures,
    moreDelivered: async () => {
      const wanted = delivered + 20;
      await expect.poll(() => delivered).toBeGreaterThan(wanted);
    },
    end: async () => {
      isOver = true;
      await Promise.all(load);
    },
  };
}

describe('a rotation of the header secret under load', () => {
  it('causes no 401 answer when register is killed after it stored the secret and in the middle of the registrations, and attempts with the previous headers are repeated', async () => {
    const load = startLoad();
    await load.moreDelivered();
    const { current: before } = await readSecret();
    breaks = () => true;
    const sentAgain = Array.from({ length: 20 }, () => deliver(transfers));
    breaks = () => false;

    onAwsCall = ({ when, caller, operation }) => {
      if (when === 'after' && caller === 'register' && operation === 'PutSecretValue') register().kill();
    };
    expect(await invoke({ mode: 'rotate' })).not.toContain('rotation');
    onAwsCall = () => undefined;
    const { current, previous } = await readSecret();
    expect([previous, current === before]).toEqual([before, false]);
    expect(secretsRegistered()).toEqual(new Set([before]));

    await platform.clock.advance(settled);
    let calls = 0;
    onCall = (call) => {
      calls += call === 'POST /webhooks' ? 1 : 0;
      if (calls === 10) register().kill();
    };
    expect(await invoke({ mode: 'apply' })).not.toContain('rotation');
    onCall = () => undefined;
    expect(await readSecret()).toEqual({ current, previous });
    expect(secretsRegistered()).toEqual(new Set([before, current]));

    await runSchedule();
    expect(secretsRegistered()).toEqual(new Set([current]));
    const { registeredOn } = await readSecret();
    expect(registeredOn).toBeDefined();
    await platform.clock.advance(deliveryRetriesAfter[0] ?? 0);
    expect(new Set((await Promise.all(sentAgain)).map(({ outcome }) => outcome))).toEqual(new Set(['delivered']));
    expect(stacks.log.join('\n')).toContain('"PreviousSecretDeliveries":1');

    // The overlap has ended.
    await put('webhook-secret', { current, previous, registeredOn: new Date(Date.now() - 4 * day) });
    await platform.clock.advance(settled);
    await runSchedule();
    expect(await readSecret()).toEqual({ current });
    await load.moreDelivered();
    await load.end();
    expect(load.failures).toEqual([]);
    expect(new Set(statuses)).toEqual(new Set([200]));
  }, 180_000);

  it('logs no header secret of a registration', async () => {
    const log = stacks.log.join('\n');
    expect(log).toContain('webhook registration changed');
    for (const secret of secretsRegistered()) expect(log).not.toContain(secret);
  });
});
