import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';

const transfers = 'TRANSFER_NOTIFICATION';
const [first, second, third] = ['1', '2', '3'].map((digit) => digit.repeat(64));
let stacks: HostedStacks;

beforeAll(async () => {
  stacks = await startHostedStacks();
});
afterAll(() => stacks.host.close());

async function putSecret(secret: object): Promise<void> {
  const [webhookSecret] = stacks.host.blueprint.secrets;
  const SecretString = JSON.stringify(secret);
  await stacks.host.clients.secretsManager.send(
    new PutSecretValueCommand({ SecretId: webhookSecret?.arn, SecretString }),
  );
}

async function statusWith(secret = ''): Promise<number> {
  return (await stacks.deliver(transfers, '{"transferId":"t"}', { 'x-drawbridge-secret': secret })).status;
}

describe('design: authenticating deliveries with the current and the previous secret', () => {
  it('accepts both during a rotation, and nothing else', async () => {
    await putSecret({ current: second, previous: first });
    expect(await statusWith(second)).toBe(200);
    expect(await statusWith(first)).toBe(200);
    expect(await statusWith(third)).toBe(401);
  });
});

describe('design: fails closed', () => {
  it('answers 5xx, so that the platform keeps the webhook, when the secret cannot be read', async () => {
    const broken = await startHostedStacks({
      onAwsCall: ({ service, caller }) => {
        if (service === 'secretsManager' && caller === 'receive') throw new Error('Secrets Manager is down');
      },
    });
    try {
      expect((await broken.deliver(transfers, '{"transferId":"t"}')).status).toBe(503);
      expect(await broken.backlog('webhooks')).toBe(0);
    } finally {
      await broken.host.close();
    }
  });
});
