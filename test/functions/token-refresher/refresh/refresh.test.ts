import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRefresh } from '#functions/token-refresher/refresh/refresh.ts';
import { CredentialsMissingError, requestToken } from '#functions/token-refresher/refresh/request-token.ts';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import {
  createTokenStore,
  type StoredToken,
  type TokenStore,
  writeForcedRefresh,
  writeTokenReport,
} from '#shared/secrets/platform-token.ts';
import { createVersionedSecret } from '#shared/secrets/versioned-secret.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { captureLines, type WrittenLines } from '#test/shared/lambda/written-lines.ts';
import { empty, json, type Respond } from '#test/shared/platform/client/platform-server.ts';
import { clientCredentials, startTokenService, type TokenService } from './token-service.ts';

const minute = 60_000;
const hour = 60 * minute;
const tick = '{"detail-type":"Scheduled Event"}';
let emulators: Emulators;
let service: TokenService;
let store: TokenStore;
let lines: WrittenLines;
let time: number;
let puts: number;
let onWait: () => void;
const now = () => new Date(time);

beforeAll(async () => {
  emulators = await startEmulators({ now });
  service = await startTokenService();
});
afterAll(async () => {
  await service.close();
  await emulators.close();
});
beforeEach(async () => {
  time = Date.parse('2026-01-02T03:00:00Z');
  onWait = () => undefined;
  service.failure = undefined;
  service.expiresIn = 3600;
  const { secretsManager } = emulators;
  store = createTokenStore(
    createVersionedSecret({ secretsManager, secretId: emulators.secretIdOf('platform-token'), now }),
  );
  lines = captureLines(() => new Date(time));
  await storeToken();
  puts = 0;
  emulators.watch(({ when, operation }) => {
    if (when === 'before' && operation === 'PutSecretValue') puts += 1;
  });
});
afterEach(() => emulators.unwatch());

/** Stores a token that is issued now, for an hour unless said otherwise. */
async function storeToken(more: Partial<StoredToken> = {}): Promise<void> {
  const [issuedAt, expiresAt] = [new Date(time), new Date(time + hour)];
  const token = { accessToken: 'CANARY-OLD', issuedAt, expiresAt, pacedUntil: issuedAt, ...more };
  await putText(JSON.stringify(token));
}

async function putText(text: string): Promise<void> {
  await emulators.putSecret(text, emulators.secretIdOf('platform-token'));
}

/** What a new token measures. */
const full = { CredentialsMissing: 0, TokenSecondsLeft: 3600 };

function refresher(
  of: Pick<TokenStore, 'readVersion' | 'replace'> = store,
  readCredentials = async () => clientCredentials,
) {
  return createRefresh({
    store: of,
    requestToken: async () =>
      requestToken({
        authUrl: service.authUrl,
        ...(await readCredentials()),
        // Long, for a busy machine.
        profile: platformProfile.parse({ deadlines: { attempt: 30_000 } }),
        fetch: createPlatformFetch(),
        now: () => new Date(time),
        timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
        random: () => 0,
        wait: () => Promise.resolve(),
      }),
    now: () => new Date(time),
    wait: async (milliseconds) => {
      time += milliseconds;
      onWait();
    },
    log: lines.log,
    metrics: lines.metrics,
  });
}

const refresh = (message = tick) => refresher()(message);
const stored = async () => (await store.readToken()).accessToken;
const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

/** What it did with a message: how many tokens it asked for, and what it counted. */
async function workOn(message = tick) {
  const before = service.requests();
  const error = await failure(refresh(message));
  return { error, requests: service.requests() - before, ...lines.flushed() };
}

describe('tokens: refreshes when less than half the lifetime is left', () => {
  it('keeps a young token, and measures how long it lives', async () => {
    time += 10 * minute;
    expect(await workOn()).toEqual({ error: undefined, requests: 0, CredentialsMissing: 0, TokenSecondsLeft: 50 * 60 });
    expect(await stored()).toBe('CANARY-OLD');
    expect(puts).toBe(0);
  });

  it('replaces an old token once, with what the token service gives', async () => {
    time += 31 * minute;
    expect(await workOn()).toEqual({ error: undefined, requests: 1, TokensRefreshed: 1, ...full });
    expect(await store.readToken()).toEqual({
      accessToken: service.issued.at(-1),
      issuedAt: new Date(time),
      expiresAt: new Date(time + hour),
      pacedUntil: new Date(time + 20 * minute),
    });
    expect(puts).toBe(1);
    expect(await workOn()).toMatchObject({ requests: 0 });
  });

  it('replaces what is no token', async () => {
    await putText('rubbish');
    expect(await workOn()).toMatchObject({ error: undefined, requests: 1, TokensRefreshed: 1 });
    expect(await stored()).toBe(service.issued.at(-1));
  });

  it('promise 7: counts the lifetime from before the request, so that the token is never thought to live longer', async () => {
    time += 31 * minute;
    const asked = time;
    service.failure = (request, response) => {
      time += minute;
      service.failure = undefined;
      return json(200, { access_token: 'CANARY-SLOW', token_type: 'Bearer', expires_in: 3600 })(request, response);
    };
    await refresh();
    expect((await store.readToken()).expiresAt).toEqual(new Date(asked + hour));
  });
});

describe('tokens: or when a caller has reported that exact token as rejected', () => {
  it('replaces a rejected token, however young the token is', async () => {
    expect(await workOn(writeTokenReport('CANARY-OLD'))).toMatchObject({ requests: 1, TokensRefreshed: 1 });
    expect(await stored()).toBe(service.issued.at(-1));
  });

  it('ignores a report about an older token', async () => {
    await refresh(writeTokenReport('CANARY-OLD'));
    lines.flushed();
    expect(await workOn(writeTokenReport('CANARY-OLD'))).toEqual({ error: undefined, requests: 0, ...full });
    expect(puts).toBe(1);
  });
});

describe('tokens: or when an operator forces a refresh', () => {
  const forced = async () => writeForcedRefresh((await store.readVersion()).versionId);

  it('replaces the named version once, however young its token is', async () => {
    const message = await forced();
    expect(await workOn(message)).toMatchObject({ error: undefined, requests: 1, TokensRefreshed: 1 });
    expect(await stored()).toBe(service.issued.at(-1));
    expect(await workOn(message)).toEqual({ error: undefined, requests: 0, ...full });
    expect(puts).toBe(1);
  });
});

const rubbish: Respond = (_, response) => response.end('<html>');
const tokenFor = (expiresIn: unknown, accessToken = 'CANARY-NEW') =>
  json(200, { access_token: accessToken, token_type: 'Bearer', expires_in: expiresIn });

describe('a token service that fails leaves the old token in place', () => {
  it.each<[string, Respond]>([
    ['an error', empty(500)],
    ['a lifetime that ends before that of the old token', tokenFor(60)],
  ])('throws, counts the failure and keeps the old token: %s', async (_, respond) => {
    time += 31 * minute;
    service.failure = respond;
    const { error, ...values } = await workOn();
    expect(error).toMatchObject({ name: expect.stringMatching(/^Token(Service|Refresh)Error$/) });
    expect(values).toMatchObject({ TokenRefreshesFailed: 1, TokenSecondsLeft: 29 * 60 });
    expect(values).not.toHaveProperty('TokensRefreshed');
    expect(await stored()).toBe('CANARY-OLD');
    expect(puts).toBe(0);
  });

  it('replaces the token with the next run, once the token service answers', async () => {
    time += 31 * minute;
    service.failure = empty(500);
    await workOn();
    service.failure = undefined;
    time += 5 * minute;
    expect(await workOn()).toMatchObject({ error: undefined, TokensRefreshed: 1 });
  });

  it('measures no time left for a token that was refused', async () => {
    service.failure = empty(500);
    expect(await workOn(writeTokenReport('CANARY-OLD'))).toMatchObject({
      error: expect.objectContaining({ code: 'TokenServiceError' }),
      TokenSecondsLeft: 0,
    });
  });

  it('replaces a token that was refused by one that lives shorter', async () => {
    service.failure = tokenFor(60);
    expect(await workOn(writeTokenReport('CANARY-OLD'))).toMatchObject({ TokensRefreshed: 1, TokenSecondsLeft: 60 });
    expect(await stored()).toBe('CANARY-NEW');
  });

  it('counts a lifetime beyond a day as a day', async () => {
    time += 31 * minute;
    service.failure = tokenFor(1e15);
    await refresh();
    expect((await store.readToken()).expiresAt).toEqual(new Date(time + 24 * hour));
  });

  it('promise 8: writes nothing of a token or a secret', async () => {
    time += 31 * minute;
    await refresh();
    for (const respond of [rubbish, tokenFor(0), json(400, { error: 'CANARY' })]) {
      service.failure = respond;
      time += 31 * minute;
      lines.log.error('failed', { error: await failure(refresh()) });
    }
    lines.flushed();
    expect(lines.text()).toContain('token refreshed');
    expect(lines.text()).not.toMatch(/CANARY/);
  });
});

describe('a token service that gives the same token until it expires', () => {
  const expiry = Date.parse('2026-01-02T04:00:00Z');
  const same: Respond = (request, response) => tokenFor((expiry - time) / 1_000, 'CANARY-OLD')(request, response);

  it('keeps the token quietly, and asks for another when half of the rest is over, and when it has expired', async () => {
    const run = refresher();
    const requestsBefore = service.requests();
    time += 31 * minute;
    service.failure = same;
    for (let count = 0; count < 5; count += 1) {
      expect(await failure(run(tick))).toBeUndefined();
      expect(lines.flushed()).toEqual(full);
      time += 5 * minute;
    }
    expect(service.requests() - requestsBefore).toBe(2);
    expect([await stored(), puts]).toEqual(['CANARY-OLD', 0]);
    service.failure = undefined;
    time += 5 * minute;
    await run(tick);
    expect(lines.flushed()).toMatchObject({ TokensRefreshed: 1 });
    expect(await stored()).toBe(service.issued.at(-1));
  });

  it.each([14, 6])(
    'has the next token before the expiry when the service renews it %i minutes before',
    async (minutes) => {
      const run = refresher();
      const requestsBefore = service.requests();
      service.failure = same;
      for (let age = 30; age < 60; age += 5) {
        if (60 - age <= minutes) service.failure = undefined;
        time = expiry - hour + age * minute;
        await run(tick);
      }
      expect(await stored()).toBe(service.issued.at(-1));
      expect(lines.flushed()).not.toHaveProperty('TokenRefreshesFailed');
      expect(service.requests() - requestsBefore).toBeLessThanOrEqual(4);
    },
  );

  const reported = () => writeTokenReport('CANARY-OLD');
  const forced = async () => writeForcedRefresh((await store.readVersion()).versionId);

  it.each([
    ['half of its life is over', 31, () => tick],
    ['it has expired', 90, () => tick],
    ['a caller reports it as expired', 90, reported],
  ])('stores the token again when the token service prolongs it after %s', async (_, minutes, message) => {
    time += minutes * minute;
    service.failure = tokenFor(3_600, 'CANARY-OLD');
    expect(await workOn(message())).toEqual({ error: undefined, requests: 1, TokensRefreshed: 1, ...full });
    expect([await stored(), puts]).toEqual(['CANARY-OLD', 1]);
  });

  it.each([
    ['the platform refuses it', reported],
    ['an operator forces a refresh', forced],
  ])('stores a prolonged token, and counts a failure because %s', async (_, message) => {
    time += 10 * minute;
    service.failure = tokenFor(3_600, 'CANARY-OLD');
    const failed = { error: undefined, requests: 1, TokenRefreshesFailed: 1 };
    expect(await workOn(await message())).toEqual({ ...failed, TokensRefreshed: 1, ...full });
    expect([(await store.readToken()).expiresAt, puts]).toEqual([new Date(time + hour), 1]);
  });

  it.each([
    ['the platform refuses it', 'REJECTED', reported],
    ['an operator forces a refresh', 'FORCED', forced],
  ])('ends the message, and counts and logs a failure, when %s', async (_, reason, message) => {
    time += 10 * minute;
    service.failure = same;
    const failed = { error: undefined, requests: 1, TokenRefreshesFailed: 1 };
    expect(await workOn(await message())).toEqual({ ...failed, CredentialsMissing: 0, TokenSecondsLeft: 50 * 60 });
    expect([await stored(), puts]).toEqual(['CANARY-OLD', 0]);
    expect(lines.objects()[0]).toMatchObject({
      level: 'ERROR',
      message: 'token not replaced',
      reason,
      error: { message: expect.stringContaining('the very token') },
    });
  });

  it('fails for a refused token that expires before the next run, so that its report comes again', async () => {
    time = expiry - minute;
    service.failure = same;
    expect((await workOn(writeTokenReport('CANARY-OLD'))).error).toMatchObject({ code: 'TokenRefreshError' });
    expect([await stored(), puts]).toEqual(['CANARY-OLD', 0]);
  });

  it('waits for the moment in which the token expires at the token service too', async () => {
    time += hour;
    service.failure = tokenFor(2, 'CANARY-OLD');
    onWait = () => {
      service.failure = undefined;
    };
    expect(await workOn(writeTokenReport('CANARY-OLD'))).toMatchObject({ error: undefined, requests: 2 });
    expect(await stored()).toBe(service.issued.at(-1));
    expect(time).toBe(Date.parse('2026-01-02T04:00:02Z'));
  });

  it('stores a token that the token service prolongs in that moment', async () => {
    time += hour;
    service.failure = tokenFor(2, 'CANARY-OLD');
    onWait = () => {
      service.failure = tokenFor(3_600, 'CANARY-OLD');
    };
    expect(await workOn(reported())).toEqual({ error: undefined, requests: 2, TokensRefreshed: 1, ...full });
  });

  it('fails the message when the expired token is not prolonged in that moment', async () => {
    time += hour;
    service.failure = tokenFor(30, 'CANARY-OLD');
    expect(await workOn(reported())).toEqual({
      error: expect.objectContaining({ code: 'TokenRefreshError' }),
      requests: 2,
      TokenRefreshesFailed: 1,
      CredentialsMissing: 0,
      TokenSecondsLeft: 0,
    });
  });
});

describe('failure mode: versions of a secret', () => {
  it('fails without a request while the next token has to wait, and refreshes after that', async () => {
    await storeToken({ pacedUntil: new Date(time + 400 * minute) });
    const { error, requests, ...values } = await workOn(writeTokenReport('CANARY-OLD'));
    expect(error).toMatchObject({ code: 'TokenRefreshError' });
    expect(requests).toBe(0);
    expect(values).toEqual({ TokenRefreshesFailed: 1, CredentialsMissing: 0, TokenSecondsLeft: 0 });
    expect(await stored()).toBe('CANARY-OLD');
    time += 20 * minute;
    expect(await workOn(writeTokenReport('CANARY-OLD'))).toMatchObject({ error: undefined, TokensRefreshed: 1 });
  });
});

describe('Secrets Manager fails', () => {
  function breakCalls(operation: string, when: 'before' | 'after'): void {
    emulators.watch((moment) => {
      if (moment.operation === operation && moment.when === when) throw new Error('Secrets Manager is down.');
    });
  }

  it('asks for no token, and measures nothing, when the token cannot be read', async () => {
    time += 31 * minute;
    breakCalls('GetSecretValue', 'before');
    expect(await workOn()).toEqual({ error: expect.objectContaining({ code: 'VersionedSecretError' }), requests: 0 });
  });

  it('keeps the old token when the new one is not stored', async () => {
    time += 31 * minute;
    breakCalls('PutSecretValue', 'before');
    expect(await workOn()).toMatchObject({
      error: expect.objectContaining({ code: 'VersionedSecretError' }),
      TokenRefreshesFailed: 1,
    });
    emulators.unwatch();
    expect(await stored()).toBe('CANARY-OLD');
    expect(await workOn()).toMatchObject({ error: undefined, TokensRefreshed: 1 });
  });

  it('needs no other token when the answer to the write is lost', async () => {
    breakCalls('PutSecretValue', 'after');
    expect(await workOn(writeTokenReport('CANARY-OLD'))).toMatchObject({
      error: expect.objectContaining({ code: 'VersionedSecretError' }),
    });
    emulators.unwatch();
    const lost = service.issued.at(-1);
    expect(await stored()).toBe(lost);
    expect(await workOn(writeTokenReport('CANARY-OLD'))).toMatchObject({ error: undefined, requests: 0 });
    expect(await stored()).toBe(lost);
  });
});

describe('two runs at a time, as where Lambda hands out a message twice', () => {
  /** A store whose readers wait until so many have read. */
  function readTogether(runs: number): Pick<TokenStore, 'readVersion' | 'replace'> {
    const all = Promise.withResolvers<void>();
    let readers = 0;
    return {
      replace: store.replace,
      readVersion: async () => {
        const version = await store.readVersion();
        readers += 1;
        if (readers === runs) all.resolve();
        await all.promise;
        return version;
      },
    };
  }

  it('replaces the token in one of the runs, and keeps it in the other', async () => {
    time += 31 * minute;
    const together = readTogether(2);
    const before = service.issued.length;
    await Promise.all([refresher(together)(tick), refresher(together)(writeTokenReport('CANARY-OLD'))]);
    expect(service.issued.slice(before)).toContain(await stored());
    expect(lines.flushed()).toMatchObject({ TokensRefreshed: 1 });
    expect(lines.text()).toContain('token refreshed by another run');
  });
});

describe('from the first deployment until the credentials are stored', () => {
  const without = (error: Error) => refresher(store, () => Promise.reject(error))(tick);
  const deployed = { issuedAt: new Date(0), expiresAt: new Date(0), pacedUntil: new Date(0) };

  it('fails no run, says where to put the credentials, and measures that they are missing', async () => {
    await storeToken(deployed);
    await without(new CredentialsMissingError('Put them into the secret.'));
    expect(lines.flushed()).toEqual({ CredentialsMissing: 1 });
    expect(lines.objects()[0]).toMatchObject({
      level: 'WARN',
      message: 'credentials missing',
      error: { message: 'Put them into the secret.' },
    });
  });

  it('fails a run that cannot read the credentials', async () => {
    await storeToken(deployed);
    expect(await failure(without(new DrawbridgeError('CredentialsError', 'Try again.')))).toMatchObject({
      code: 'CredentialsError',
    });
    expect(lines.flushed()).toEqual({ TokenRefreshesFailed: 1, CredentialsMissing: 0, TokenSecondsLeft: 0 });
  });

  it('fails a run when the credentials are removed after the first token', async () => {
    time += 31 * minute;
    expect(await failure(without(new CredentialsMissingError('Put them there.')))).toMatchObject({
      code: 'CredentialsMissingError',
    });
    expect(lines.flushed()).toMatchObject({ TokenRefreshesFailed: 1, CredentialsMissing: 0 });
  });
});
