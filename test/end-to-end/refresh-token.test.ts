import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectPlatform } from '#shared/connection/platform-connection.ts';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { PlatformError } from '#shared/platform/client/errors.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { createTokenStore, type TokenStore } from '#shared/secrets/token-store.ts';
import { createVersionedSecret } from '#shared/secrets/versioned-secret.ts';
import {
  clientCredentials,
  startTokenService,
  type TokenService,
} from '#test/functions/token-refresher/refresh/token-service.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';
import { empty } from '#test/shared/platform/client/platform-server.ts';
import { copyAssembly } from './copy-assembly.ts';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';

let service: TokenService;
let assembly: string;
let stacks: HostedStacks;
let store: TokenStore;

beforeAll(async () => {
  service = await startTokenService();
  assembly = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  const { baseUrl, authUrl } = service;
  const context = { platform: { baseUrl, authUrl } };
  await copyAssembly({ outputDirectory: assembly, context });
  stacks = await startHostedStacks({ assembly, redeliveryDelay: 1 });
  const { secretsManager } = stacks.host.clients;
  store = createTokenStore(
    createVersionedSecret({ secretsManager, secretId: secretId('platform-token'), now: () => new Date() }),
  );
}, 180_000);
afterAll(async () => {
  await stacks.host.close();
  await service.close();
  rmSync(assembly, { recursive: true, force: true });
});

function secretId(name: string): string {
  return stacks.host.blueprint.secrets.find((secret) => secret.name === name)?.arn ?? '';
}

async function runSchedule(): Promise<void> {
  const schedule = stacks.host.schedules.all.find(({ name }) => name === 'token-refresh');
  if (schedule === undefined) throw new Error('The token refresher has no schedule.');
  await schedule.runNow();
}

function connect(): PlatformClient {
  const { secretsManager, sqs } = stacks.host.clients;
  const environment = {
    PLATFORM_BASE_URL: service.baseUrl,
    PLATFORM_PROFILE: platformProfile.parse({}),
    PLATFORM_TOKEN_SECRET_ID: secretId('platform-token'),
    TOKEN_REFRESHES_QUEUE_URL: stacks.queueUrl('token-refreshes'),
  };
  return connectPlatform(environment, {
    secretsManager,
    sqs,
    fetch: createPlatformFetch(),
    metrics: captureLines().metrics,
    now: () => new Date(),
    random: Math.random,
    wait: (milliseconds) => wait(milliseconds),
    timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
  });
}

/** Repeats a call while it fails retryably, as a queue does. */
async function persist(caller: PlatformClient): Promise<number> {
  for (;;) {
    try {
      return (await caller.send({ operation: 'Read', method: 'GET', path: '/read' })).status;
    } catch (error) {
      if (!(error instanceof PlatformError && error.isRetryable)) throw error;
      await wait(200);
    }
  }
}

const isIdle = async () => (await stacks.backlog('token-refreshes')) === 0;
const log = () => stacks.log.join('\n');

describe('the token refresher after the first deployment', () => {
  it('logs that the credentials are missing, and in which secret to put them, and fails no message', async () => {
    await runSchedule();
    await expect.poll(log).toContain('into the secret PlatformCredentials: until then there is no token');
    await expect.poll(isIdle).toBe(true);
    expect(log()).not.toContain('"level":"ERROR"');
    expect(service.requests()).toBe(0);
  });

  it('fetches a token after an operator has stored the credentials', async () => {
    const SecretString = JSON.stringify(clientCredentials);
    const SecretId = secretId('platform-credentials');
    await stacks.host.clients.secretsManager.send(new PutSecretValueCommand({ SecretId, SecretString }));
    await runSchedule();
    await expect.poll(async () => (await store.readToken()).accessToken).toContain('CANARY-TOKEN');
    await expect.poll(isIdle).toBe(true);
    expect(service.requests()).toBe(1);
    expect(await persist(connect())).toBe(200);
  });

  it('keeps a token that is not yet half as old as its lifetime', async () => {
    await runSchedule();
    await expect.poll(isIdle).toBe(true);
    expect(service.requests()).toBe(1);
    await expect.poll(log).toMatch(/"TokenSecondsLeft":35\d\d/);
  });
});

describe('50 concurrent callers with a revoked token', () => {
  it('cause one refresh, and every call succeeds in the end', async () => {
    const callers = Array.from({ length: 50 }, connect);
    await Promise.all(callers.map(persist));
    const before = service.requests();
    service.revoke();
    const statuses = await Promise.all(callers.map(persist));
    expect(statuses).toEqual(new Array(50).fill(200));
    await expect.poll(isIdle).toBe(true);
    expect(service.requests() - before).toBe(1);
  });
});

describe('a token service that is down', () => {
  const minute = 60_000;
  const refusals = () => log().split('The token service gave no token').length;

  it('fails no call while the old token is valid, and is asked again until it returns a new token', async () => {
    const caller = connect();
    const { versionId, token } = await store.readVersion();
    if (token === undefined) throw new Error('There is no token.');
    const [issuedAt, expiresAt] = [new Date(Date.now() - 40 * minute), new Date(Date.now() + 20 * minute)];
    await store.replace(versionId, { ...token, issuedAt, expiresAt });
    const before = refusals();
    service.failure = empty(503);
    await runSchedule();
    await expect.poll(refusals).toBeGreaterThan(before);
    expect(await persist(caller)).toBe(200);
    expect(await store.readToken()).toMatchObject({ accessToken: token.accessToken, expiresAt });
    service.failure = undefined;
    await expect.poll(async () => (await store.readToken()).accessToken).not.toBe(token.accessToken);
    expect(await persist(caller)).toBe(200);
  });

  it('fails no call permanently when the token is revoked meanwhile', async () => {
    const caller = connect();
    await persist(caller);
    const before = refusals();
    service.failure = empty(503);
    service.revoke();
    const call = persist(caller);
    await expect.poll(refusals).toBeGreaterThan(before);
    service.failure = undefined;
    expect(await call).toBe(200);
    await expect.poll(isIdle).toBe(true);
    expect(await stacks.backlog('token-refreshes-dlq')).toBe(0);
  });
});

describe('the log of the token refresher', () => {
  it('contains neither the client secret nor a token', () => {
    expect(log()).toContain('token refreshed');
    expect(log()).not.toContain(clientCredentials.clientSecret);
    for (const token of service.issued) expect(log()).not.toContain(token);
  });
});
