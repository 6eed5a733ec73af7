import { inspect } from 'node:util';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { createTokenStore, type StoredToken, TokenStoreError } from '#shared/secrets/token-store.ts';
import { createVersionedSecret, VersionedSecretError } from '#shared/secrets/versioned-secret.ts';
import { isFullSize } from '#test/full-size.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';

const canary = 'CANARYTOKENeyJhbGciOiJIUzI1NiJ9';
const token: StoredToken = {
  accessToken: canary,
  issuedAt: new Date('2026-01-02T03:04:05.678Z'),
  expiresAt: new Date('2026-01-02T04:04:05.678Z'),
  pacedUntil: new Date('2026-01-02T03:20:05.678Z'),
};
let emulators: Emulators;
beforeAll(async () => {
  emulators = await startEmulators({ isOverHttp: isFullSize });
});
afterAll(() => emulators.close());
afterEach(() => emulators.unwatch());

function store(secretId = emulators.secretIdOf('platform-token')) {
  return createTokenStore(
    createVersionedSecret({ secretsManager: emulators.secretsManager, secretId, now: () => new Date() }),
  );
}

async function put(text: string): Promise<void> {
  await emulators.putSecret(text, emulators.secretIdOf('platform-token'));
}

async function storedText(): Promise<string> {
  const command = new GetSecretValueCommand({ SecretId: emulators.secretIdOf('platform-token') });
  return (await emulators.secretsManager.send(command)).SecretString ?? '';
}

/** Breaks every call of the operation, before or after Secrets Manager has done it. */
function breakCalls(operation: string, when: 'before' | 'after'): void {
  emulators.watch((moment) => {
    if (moment.operation === operation && moment.when === when) throw new Error('Secrets Manager is down.');
  });
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('the token with its expiry in Secrets Manager', () => {
  it('reads the token that the stacks create as expired', async () => {
    const { accessToken, expiresAt } = await store().readToken();
    expect(accessToken).toMatch(/^r+$/);
    expect(expiresAt).toEqual(new Date(0));
  });

  it('is read as it was put', async () => {
    const { versionId } = await store().readVersion();
    expect(await store().replace(versionId, token)).toBe('stored');
    expect(await store().readToken()).toEqual(token);
    expect((await store().readVersion()).token).toEqual(token);
  });

  it('as JSON with times that people can read', async () => {
    expect(JSON.parse(await storedText())).toEqual({
      accessToken: canary,
      issuedAt: '2026-01-02T03:04:05.678Z',
      expiresAt: '2026-01-02T04:04:05.678Z',
      pacedUntil: '2026-01-02T03:20:05.678Z',
    });
  });

  it('reads the secret again each time', async () => {
    const reader = store();
    await reader.readToken();
    await put(JSON.stringify({ ...token, accessToken: 'second' }));
    expect((await reader.readToken()).accessToken).toBe('second');
  });
});

describe('replacing a version of the token', () => {
  it('the same token may be put again: it is no second version', async () => {
    const { versionId } = await store().readVersion();
    expect(await store().replace(versionId, token)).toBe('stored');
    const first = await store().readVersion();
    expect(await store().replace(versionId, token)).toBe('stored');
    expect(await store().readVersion()).toEqual(first);
  });

  it('where the answer to a put is lost, the put is there, and may be made again', async () => {
    const { versionId } = await store().readVersion();
    breakCalls('PutSecretValue', 'after');
    const next = { ...token, accessToken: 'lost' };
    await expect(store().replace(versionId, next)).rejects.toBeInstanceOf(VersionedSecretError);
    emulators.unwatch();
    expect((await store().readToken()).accessToken).toBe('lost');
    expect(await store().replace(versionId, next)).toBe('stored');
  });

  it('of two that replace the same version, one wins, and the other learns of it', async () => {
    const { versionId } = await store().readVersion();
    const one = store().replace(versionId, { ...token, accessToken: 'one' });
    const other = store().replace(versionId, { ...token, accessToken: 'other' });
    const outcomes = await Promise.all([one, other]);
    expect(outcomes.toSorted()).toEqual(['stored', 'superseded']);
    const winner = outcomes[0] === 'stored' ? 'one' : 'other';
    expect((await store().readToken()).accessToken).toBe(winner);
  });

  it('does not replace a version that was already replaced', async () => {
    const { versionId } = await store().readVersion();
    for (const accessToken of ['next', 'last']) {
      const current = await store().readVersion();
      await store().replace(current.versionId, { ...token, accessToken });
    }
    expect(await store().replace(versionId, token)).toBe('superseded');
    expect((await store().readToken()).accessToken).toBe('last');
  });
});

describe('a secret that holds no token', () => {
  it.each([
    ['no JSON', canary],
    ['JSON that breaks off', `{"accessToken":"${canary}`],
    ['nothing but the token', JSON.stringify(canary)],
    ['no time', JSON.stringify({ accessToken: canary })],
    ['a time that is none', JSON.stringify({ ...token, expiresAt: canary })],
    ['a token that no header can hold', JSON.stringify({ ...token, accessToken: `${canary}\r\nx: y` })],
    ['an empty token', JSON.stringify({ ...token, accessToken: '' })],
    ['null', 'null'],
  ])('throws for %s and reveals nothing of it', async (_, text) => {
    await put(text);
    const error = await failure(store().readToken());
    expect(error).toBeInstanceOf(TokenStoreError);
    expect(inspect(error, { showHidden: true, depth: null })).not.toMatch(/CANARY/);
  });

  it('lets the refresher put a token in its place', async () => {
    await put('rubbish');
    const { versionId, token: none } = await store().readVersion();
    expect(none).toBeUndefined();
    await store().replace(versionId, token);
    expect(await store().readToken()).toEqual(token);
  });
});

describe('Secrets Manager fails', () => {
  it.each(['before', 'after'] as const)('throws when the call breaks %s Secrets Manager reads', async (when) => {
    breakCalls('GetSecretValue', when);
    const error = await failure(store().readToken());
    expect(error).toBeInstanceOf(VersionedSecretError);
    expect(error).toBeInstanceOf(DrawbridgeError);
    expect(error).toMatchObject({ cause: expect.any(Error) });
  });

  it('before it writes: the old token stays', async () => {
    await put(JSON.stringify(token));
    const { versionId } = await store().readVersion();
    breakCalls('PutSecretValue', 'before');
    const error = await failure(store().replace(versionId, { ...token, accessToken: `${canary}2` }));
    expect(error).toBeInstanceOf(VersionedSecretError);
    expect(inspect(error, { showHidden: true, depth: null })).not.toMatch(/CANARY/);
    emulators.unwatch();
    expect(await store().readToken()).toEqual(token);
  });

  it('since there is no such secret', async () => {
    await expect(store('missing').readToken()).rejects.toThrow(
      expect.objectContaining({
        name: 'VersionedSecretError',
        cause: expect.objectContaining({ name: 'ResourceNotFoundException' }),
      }),
    );
  });
});
