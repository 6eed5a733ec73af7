import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';
import { runDrawbridge } from './run-drawbridge.ts';

let sandbox: HostedSandbox;

beforeAll(async () => {
  sandbox = await startHostedSandbox();
});
afterAll(() => sandbox?.close());

/** The clock moves while the command waits. */
const run = (...commandLine: readonly string[]) =>
  runDrawbridge(sandbox, commandLine, { wait: (milliseconds) => sandbox.platform.clock.advance(milliseconds / 1_000) });

async function readSecret(): Promise<Record<string, unknown>> {
  const secret = sandbox.host.blueprint.secrets.find(({ name }) => name === 'webhook-secret');
  const { SecretString = '' } = await sandbox.host.clients.secretsManager.send(
    new GetSecretValueCommand({ SecretId: secret?.arn }),
  );
  return JSON.parse(SecretString);
}

it('replaces a leaked secret with one command, and says until when the old one is accepted', async () => {
  const { current: leaked } = await readSecret();
  const { exit, stdout, stderr } = await run('webhooks', 'rotate', '--leaked');
  expect(stderr).toMatch(
    /The old secret is accepted until about \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, .+ Waiting for two minutes …/,
  );
  expect({ exit, stdout }).toEqual({
    exit: 0,
    stdout: expect.stringMatching(
      /^The old secret is rejected within five minutes \(an hour while Secrets Manager fails\)\./,
    ),
  });
  const stored = await readSecret();
  expect(stored['previous']).toBeUndefined();
  expect(stored['current']).not.toBe(leaked);
});

it('replaces both secrets where a rotation is under way', async () => {
  const { current: before } = await readSecret();
  await run('webhooks', 'rotate');
  const { current: during } = await readSecret();
  const { exit, stderr } = await run('webhooks', 'rotate', '--leaked');
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('A rotation is under way') });
  const stored = await readSecret();
  expect(stored['previous']).toBeUndefined();
  expect([before, during]).not.toContain(stored['current']);
});
