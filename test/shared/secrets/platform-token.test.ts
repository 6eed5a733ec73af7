import { inspect } from 'node:util';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTokenStore,
  readForcedRefresh,
  readTokenReport,
  type StoredToken,
  writeForcedRefresh,
  writeTokenReport,
} from '#shared/secrets/platform-token.ts';
import { createVersionedSecret } from '#shared/secrets/versioned-secret.ts';
import { isFullSize } from '#test/full-size.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { failureOf } from '#test/shared/platform/client/test-client.ts';

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

function store() {
  const secretId = emulators.secretIdOf('platform-token');
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

describe('the token with its expiry in Secrets Manager', () => {
  it('reads the token that the stacks create as expired', async () => {
    const { accessToken, expiresAt } = await store().readToken();
    expect(accessToken).toMatch(/^r+$/);
    expect(expiresAt).toEqual(new Date(0));
  });

  it('reads the token as it was stored, as JSON with times that people can read', async () => {
    const { versionId } = await store().readVersion();
    expect(await store().replace(versionId, token)).toBe('stored');
    expect(await store().readToken()).toEqual(token);
    expect((await store().readVersion()).token).toEqual(token);
    expect(JSON.parse(await storedText())).toEqual({
      accessToken: canary,
      issuedAt: '2026-01-02T03:04:05.678Z',
      expiresAt: '2026-01-02T04:04:05.678Z',
      pacedUntil: '2026-01-02T03:20:05.678Z',
    });
  });
});

describe('a secret that holds no token', () => {
  it.each([
    ['no JSON', canary],
    ['nothing but the token', JSON.stringify(canary)],
    ['no time', JSON.stringify({ accessToken: canary })],
    ['a time that is none', JSON.stringify({ ...token, expiresAt: canary })],
    ['a token that no header can hold', JSON.stringify({ ...token, accessToken: `${canary}\r\nx: y` })],
    ['an empty token', JSON.stringify({ ...token, accessToken: '' })],
    ['null', 'null'],
  ])('throws for %s and reveals nothing of it', async (_, text) => {
    await put(text);
    const error = await failureOf(store().readToken());
    expect(error).toMatchObject({ code: 'TokenStoreError' });
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

describe('failure mode: compare and invalidate. A report names the token that it is about', () => {
  it('promise 8: has the SHA-256 of the token in hex, and nothing else', () => {
    const rejectedToken = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(writeTokenReport('abc')).toBe(`{"rejectedToken":"${rejectedToken}"}`);
    expect(readTokenReport(writeTokenReport('abc'))).toBe(rejectedToken);
  });
});

describe('a message that reports no token asks for nothing but a look', () => {
  it.each(['', 'null', '7', '[]', '{}', '{"rejectedToken":7}', '{"detail-type":"Scheduled Event"}', 'CANARY'])(
    'reads no report of a token in %j',
    (message) => {
      expect(readTokenReport(message)).toBeUndefined();
      expect(readForcedRefresh(message)).toBeUndefined();
    },
  );
});

it('names the replaced version in a forced refresh, and reports no token', () => {
  expect(readForcedRefresh(writeForcedRefresh('version-1'))).toBe('version-1');
  expect(readTokenReport(writeForcedRefresh('version-1'))).toBeUndefined();
});
