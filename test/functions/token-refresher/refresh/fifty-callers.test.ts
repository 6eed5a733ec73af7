import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRefresh } from '#functions/token-refresher/refresh/refresh.ts';
import { requestToken } from '#functions/token-refresher/refresh/request-token.ts';
import { connectPlatform } from '#shared/connection/platform-connection.ts';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { PlatformHttpError } from '#shared/platform/client/errors.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { createTokenStore } from '#shared/secrets/platform-token.ts';
import { createVersionedSecret } from '#shared/secrets/versioned-secret.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';
import { errorOf } from '#test/shared/platform/client/test-client.ts';
import { clientCredentials, startTokenService, type TokenService } from './token-service.ts';

const profile = platformProfile.parse({});
const system = {
  fetch: createPlatformFetch(),
  now: () => new Date(),
  random: () => 0,
  wait: () => Promise.resolve(),
  timeout: (milliseconds: number) => AbortSignal.timeout(milliseconds),
};
let emulators: Emulators;
let service: TokenService;
/** Each with a cache of its own, as in 50 Lambda environments. */
let callers: readonly PlatformClient[];

beforeAll(async () => {
  // As often as the SDK tries on Lambda: 50 callers share the sockets of one process.
  emulators = await startEmulators({ maxAttempts: 3 });
  service = await startTokenService();
  callers = Array.from({ length: 50 }, connect);
});
afterAll(async () => {
  await service.close();
  await emulators.close();
});

function connect(): PlatformClient {
  const { secretsManager, sqs } = emulators;
  const environment = {
    PLATFORM_BASE_URL: service.baseUrl,
    PLATFORM_PROFILE: profile,
    PLATFORM_TOKEN_SECRET_ID: emulators.secretIdOf('platform-token'),
    TOKEN_REFRESHES_QUEUE_URL: emulators.queueUrlOf('token-refreshes'),
  };
  return connectPlatform(environment, { secretsManager, sqs, metrics: captureLines().metrics, ...system });
}

/** The refresher, as a Lambda environment of its own. */
function refresh(message: string): Promise<void> {
  const { log, metrics } = captureLines();
  const { secretsManager } = emulators;
  const store = createTokenStore(
    createVersionedSecret({ secretsManager, secretId: emulators.secretIdOf('platform-token'), now: system.now }),
  );
  const request = () => requestToken({ authUrl: service.authUrl, ...clientCredentials, profile, ...system });
  return createRefresh({ store, requestToken: request, now: system.now, wait: system.wait, log, metrics })(message);
}

const look = (caller: PlatformClient) => caller.send({ operation: 'Look', method: 'GET', path: '/look' });
const reports = () => emulators.receiveAll(emulators.queueUrlOf('token-refreshes'));

/** Revokes the token in use, and lets all callers find out concurrently. */
async function meetRevokedToken(): Promise<void> {
  service.revoke();
  const errors = await Promise.all(callers.map((caller) => errorOf(PlatformHttpError, look(caller))));
  for (const error of errors) expect(error).toMatchObject({ status: 401, isRetryable: true });
}

describe('50 concurrent callers with one revoked token cause one refresh', () => {
  it('reports the token on the queue, and asks for one new token', async () => {
    await refresh('');
    await Promise.all(callers.map(look));
    await meetRevokedToken();
    const before = service.requests();
    for (const report of await reports()) await refresh(report);
    expect(service.requests() - before).toBe(1);
    const answers = await Promise.all(callers.map(look));
    expect(answers.map(({ status }) => status)).toEqual(new Array(50).fill(200));
    expect(service.requests() - before).toBe(1);
    expect(await reports()).toEqual([]);
  });
});
