import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterEach, expect, it } from 'vitest';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';

const transfers = 'TRANSFER_NOTIFICATION';
const [first, second, third] = ['1', '2', '3'].map((digit) => digit.repeat(64));
let stacks: HostedStacks;

afterEach(() => stacks.host.close());

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

it('accepts deliveries with the current or the previous secret during a rotation, and answers 401 to any other secret', async () => {
  stacks = await startHostedStacks();
  await putSecret({ current: second, previous: first });
  expect(await statusWith(second)).toBe(200);
  expect(await statusWith(first)).toBe(200);
  expect(await statusWith(third)).toBe(401);
});

it('answers 503 and keeps nothing when the secret cannot be read, so that the platform keeps the webhook', async () => {
  stacks = await startHostedStacks({
    onAwsCall: ({ service, caller }) => {
      if (service === 'secretsManager' && caller === 'receive') throw new Error('Secrets Manager is down');
    },
  });
  expect((await stacks.deliver(transfers, '{"transferId":"t"}')).status).toBe(503);
  expect(await stacks.backlog('webhooks')).toBe(0);
});
