import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import {
  connectPlatform,
  type PlatformConnection,
  platformVariables,
  skipBeforeFirstToken,
} from '#shared/connection/platform-connection.ts';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import { readEnvironment } from '#shared/lambda/lambda-process.ts';
import { PlatformHttpError, PlatformTokenError } from '#shared/platform/client/errors.ts';
import { digestToken, readTokenReport } from '#shared/secrets/platform-token.ts';
import { isFullSize } from '#test/full-size.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';
import { empty, json, type PlatformServer, startPlatformServer } from '#test/shared/platform/client/platform-server.ts';
import { errorOf, saidBy } from '#test/shared/platform/client/test-client.ts';

const hour = 3_600_000;
const time = Date.parse('2026-01-02T03:04:05.678Z');
let emulators: Emulators;
let server: PlatformServer;
let platform: PlatformConnection;

beforeAll(async () => {
  emulators = await startEmulators({ isOverHttp: isFullSize });
  server = await startPlatformServer();
});
afterAll(async () => {
  await server.close();
  await emulators.close();
});
beforeEach(async () => {
  await storeToken('CANARY-1');
  platform = connect();
});
afterEach(async () => {
  emulators.unwatch();
  await reports();
});

function variables() {
  return {
    PLATFORM_BASE_URL: server.baseUrl,
    PLATFORM_TOKEN_SECRET_ID: emulators.secretIdOf('platform-token'),
    TOKEN_REFRESHES_QUEUE_URL: emulators.queueUrlOf('token-refreshes'),
  };
}

function connect(more: Record<string, string> = {}): PlatformConnection {
  const { secretsManager, sqs } = emulators;
  return connectPlatform(readEnvironment(z.object(platformVariables), { ...variables(), ...more }), {
    secretsManager,
    sqs,
    fetch: createPlatformFetch(),
    metrics: captureLines().metrics,
    now: () => new Date(time),
    random: () => 0,
    wait: (milliseconds) => wait(milliseconds),
    timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
  });
}

async function storeToken(accessToken: string, expiresIn = hour): Promise<void> {
  const [issuedAt, expiresAt] = [new Date(time), new Date(time + expiresIn)];
  const token = { accessToken, issuedAt, expiresAt, pacedUntil: issuedAt };
  await emulators.putSecret(JSON.stringify(token), emulators.secretIdOf('platform-token'));
}

const reports = () => emulators.receiveAll(emulators.queueUrlOf('token-refreshes'));
const call = () => platform.request(z.object({ id: z.string() }), { operation: 'Look', method: 'GET', path: '/look' });
const sentTokens = () => server.requests.map(({ headers }) => headers.authorization);

/** Accepts only this token. */
function acceptToken(token: string): void {
  server.answerWith((request, response) => {
    const isAccepted = request.headers.authorization === `Bearer ${token}`;
    (isAccepted ? json(200, { id: 'a' }) : empty(401))(request, response);
  });
}

describe('section 5.4: a function calls {base_url} with the token that the refresher has stored', () => {
  it('reads the token once for many calls', async () => {
    let reads = 0;
    emulators.watch(({ when, operation }) => {
      if (when === 'before' && operation === 'GetSecretValue') reads += 1;
    });
    acceptToken('CANARY-1');
    expect(await Promise.all([call(), call()])).toEqual([{ id: 'a' }, { id: 'a' }]);
    await call();
    expect(sentTokens()).toEqual(new Array(3).fill('Bearer CANARY-1'));
    expect(reads).toBe(1);
  });

  it('promise 7: fails a call retryably when the token has expired', async () => {
    await storeToken('CANARY-1', 0);
    acceptToken('CANARY-1');
    expect(await errorOf(PlatformTokenError, call)).toMatchObject({ isRetryable: true });
    expect(sentTokens()).toEqual([]);
    expect((await reports()).map(readTokenReport)).toEqual([digestToken('CANARY-1')]);
  });

  it('calls the paths of the profile', async () => {
    platform = connect({ PLATFORM_PROFILE: '{"webhookPaths":{"webhooks":"/hooks"}}' });
    expect(platform.profile.webhookPaths).toMatchObject({ webhooks: '/hooks', missing: '/webhooks-missing' });
    expect(connect().profile.webhookPaths.webhooks).toBe('/webhooks');
  });
});

describe('tokens: on 401 the secret is read once more', () => {
  it('repeats the call with the changed token and reports no token', async () => {
    acceptToken('CANARY-1');
    await call();
    acceptToken('CANARY-2');
    await storeToken('CANARY-2');
    expect(await call()).toEqual({ id: 'a' });
    expect(sentTokens()).toEqual(['Bearer CANARY-1', 'Bearer CANARY-2']);
    expect(await reports()).toEqual([]);
  });

  it('reports an unchanged token by its digest, and fails the call retryably', async () => {
    await storeToken('CANARY-rejected');
    acceptToken('CANARY-2');
    const error = await errorOf(PlatformHttpError, call);
    expect(error).toMatchObject({ status: 401, isRetryable: true });
    const [report, ...more] = await reports();
    expect(more).toEqual([]);
    expect(readTokenReport(report ?? '')).toBe(digestToken('CANARY-rejected'));
    expect(report).not.toContain('CANARY');
    expect(saidBy(error)).not.toContain('CANARY');
  });
});

describe('a function that awaits the first token', () => {
  const storeDeployedToken = () => {
    const never = new Date(0).toISOString();
    const token = { accessToken: 'CANARY-0', issuedAt: never, expiresAt: never, pacedUntil: never };
    return emulators.putSecret(JSON.stringify(token), emulators.secretIdOf('platform-token'));
  };

  it('skips its runs until a token is stored, and then runs even when the token has expired', async () => {
    const { log, objects } = captureLines();
    const onSkipped = vi.fn();
    const run = skipBeforeFirstToken(async (request: string) => ({ ran: request }), {
      connection: connect(),
      log,
      onSkipped,
    });
    await storeDeployedToken();
    expect(await run('a')).toEqual({ skipped: expect.stringContaining('PlatformCredentials') });
    expect(objects()).toMatchObject([{ level: 'INFO', message: 'run skipped before the first token' }]);
    expect(onSkipped).toHaveBeenCalledTimes(1);
    await storeToken('CANARY-1', -hour);
    expect(await run('b')).toEqual({ ran: 'b' });
    expect(onSkipped).toHaveBeenCalledTimes(1);
  });

  it('refuses a wrong request before the first token too', async () => {
    await storeDeployedToken();
    const wrong = new Error('The mode is wrong.');
    const run = skipBeforeFirstToken(async () => 'ran', {
      connection: connect(),
      log: captureLines().log,
      checkRequest: () => {
        throw wrong;
      },
    });
    await expect(run()).rejects.toBe(wrong);
  });

  it('reads the token no more once there was one', async () => {
    let reads = 0;
    emulators.watch(({ when, operation }) => {
      if (when === 'before' && operation === 'GetSecretValue') reads += 1;
    });
    const { hasToken } = connect();
    expect([await hasToken(), await hasToken(), reads]).toEqual([true, true, 1]);
  });

  it('runs when the secret holds no token, so that the run fails', async () => {
    await emulators.putSecret('{}', emulators.secretIdOf('platform-token'));
    expect(await connect().hasToken()).toBe(true);
  });
});

describe('a function with wrong settings of the platform', () => {
  it.each(['PLATFORM_BASE_URL', 'PLATFORM_TOKEN_SECRET_ID', 'TOKEN_REFRESHES_QUEUE_URL'])(
    'does not start without %s',
    (name) => {
      expect(() => connect({ [name]: '' })).toThrow(name);
    },
  );

  it('does not start with an address that ends in a slash', () => {
    expect(() => connect({ PLATFORM_BASE_URL: 'https://api.example/' })).toThrow('PLATFORM_BASE_URL');
  });
});
