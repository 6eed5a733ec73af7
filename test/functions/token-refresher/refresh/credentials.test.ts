import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readCredentials } from '#functions/token-refresher/refresh/request-token.ts';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { failureOf } from '#test/shared/platform/client/test-client.ts';

const canary = 'CANARY-SECRET';
let emulators: Emulators;
beforeAll(async () => {
  emulators = await startEmulators();
});
afterAll(() => emulators.close());
afterEach(() => emulators.unwatch());

const secretId = () => emulators.secretIdOf('platform-credentials');
const read = () => readCredentials({ secretsManager: emulators.secretsManager, secretId: secretId() });

describe('section 5.1: client_id and client_secret are issued by the operator, and treated like a password', () => {
  it('names the secret to fill while it holds no credentials, and reveals nothing of its content', async () => {
    const error = await failureOf(read);
    expect(error).toMatchObject({ code: 'CredentialsMissingError' });
    expect(error).toBeInstanceOf(DrawbridgeError);
    expect(String(error)).toMatch(/clientId.*clientSecret.*PlatformCredentials/);
    expect(inspect(error, { showHidden: true, depth: null })).not.toMatch(/rrrr/);
  });

  it('reads the credentials as an operator stored them, and again each time', async () => {
    for (const clientSecret of [canary, `${canary}2`]) {
      await emulators.putSecret(JSON.stringify({ clientId: 'client', clientSecret, more: 1 }), secretId());
      expect(await read()).toEqual({ clientId: 'client', clientSecret });
    }
  });

  it.each([
    ['no JSON', canary],
    ['nothing but the secret', JSON.stringify(canary)],
    ['without an id', JSON.stringify({ clientSecret: canary })],
    ['without a secret', JSON.stringify({ clientId: canary, clientSecret: '' })],
    ['under other names', JSON.stringify({ client_id: canary, client_secret: canary })],
    ['null', 'null'],
  ])('throws without a word of the credentials when they are %s', async (_, text) => {
    await emulators.putSecret(text, secretId());
    const error = await failureOf(read);
    expect(error).toMatchObject({ code: 'CredentialsMissingError' });
    expect(inspect(error, { showHidden: true, depth: null })).not.toMatch(/CANARY/);
  });

  it('names the cause when Secrets Manager fails', async () => {
    emulators.watch(({ when }) => {
      if (when === 'before') throw new Error('Secrets Manager is down.');
    });
    expect(await failureOf(read)).toMatchObject({ name: 'CredentialsError', cause: expect.any(Error) });
  });
});
