import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVersionedSecret } from '#shared/secrets/versioned-secret.ts';
import {
  createWebhookSecret,
  createWebhookSecretStore,
  type WebhookSecretStore,
} from '#shared/secrets/webhook-secret.ts';
import { isFullSize } from '#test/full-size.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';

const [first, second] = ['1', '2'].map((digit) => digit.repeat(64)) as [string, string];
const time = new Date('2026-01-02T03:04:05.678Z');
let emulators: Emulators;
let store: WebhookSecretStore;

beforeAll(async () => {
  emulators = await startEmulators({ isOverHttp: isFullSize, now: () => time });
  store = createWebhookSecretStore(createVersionedSecret({ ...emulators, now: () => time }));
});
afterAll(() => emulators.close());

async function storedText(): Promise<string> {
  const command = new GetSecretValueCommand({ SecretId: emulators.secretId });
  return (await emulators.secretsManager.send(command)).SecretString ?? '';
}

describe('the webhook secret as JSON with the current and the previous one', () => {
  it('reads the secret that the stacks create, which has only a current value', async () => {
    expect(await store.read()).toEqual({
      current: 'r'.repeat(64),
      previous: undefined,
      registeredOn: undefined,
      versionId: expect.any(String),
      createdOn: time,
    });
  });

  it('reads the secret as it was put, and stores no key without a value', async () => {
    const value = { current: second, previous: first, registeredOn: time };
    expect(await store.replace(await store.read(), value)).toBe('stored');
    expect(await store.read()).toMatchObject(value);
    expect(JSON.parse(await storedText())).toEqual({ ...value, registeredOn: '2026-01-02T03:04:05.678Z' });
    await store.replace(await store.read(), { current: second });
    expect(await storedText()).toBe(JSON.stringify({ current: second }));
  });

  it('lets receive read the same secret after every note of a rotation', async () => {
    await store.replace(await store.read(), { current: second, previous: first, registeredOn: time });
    const { secretsManager, secretId } = emulators;
    const secret = createWebhookSecret({ secretsManager, secretId, now: () => time });
    expect(await Promise.all([first, second].map(secret.matches))).toEqual([true, true]);
  });

  it.each(['yesterday', '', 5, null, {}])('ignores a note of %j that an operator wrote', async (registeredOn) => {
    await emulators.putSecret(JSON.stringify({ current: second, previous: first, registeredOn }));
    expect(await store.read()).toMatchObject({ current: second, previous: first, registeredOn: undefined });
  });

  it.each(['', '{"current":"short"}', 'null'])('throws for %j', async (text) => {
    await emulators.putSecret(text);
    await expect(store.read()).rejects.toThrow(expect.objectContaining({ name: 'WebhookSecretError' }));
  });
});
