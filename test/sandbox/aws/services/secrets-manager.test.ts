import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';

let fixture: FixtureHost;
let ahead = 0;
beforeAll(async () => {
  fixture = await startFixture(
    (stack) => {
      const generated = { passwordLength: 40, excludePunctuation: true };
      const template = JSON.stringify({ previous: '', user: 'platform' });
      new Secret(stack, 'Webhook', {
        generateSecretString: { ...generated, secretStringTemplate: template, generateStringKey: 'current' },
      });
    },
    { now: () => new Date(Date.now() + ahead) },
  );
});
afterAll(() => fixture.close());

// What calls do with the versions of a secret: test/simulation/aws/secrets-manager.test.ts.
describe('sandbox aws: the first value of a secret', () => {
  it('is its template with a generated password under its key', async () => {
    const command = new GetSecretValueCommand({ SecretId: 'fixture-webhook' });
    const { SecretString = '' } = await fixture.host.clients.secretsManager.send(command);
    expect(JSON.parse(SecretString)).toEqual({
      previous: '',
      user: 'platform',
      current: expect.stringMatching(/^[A-Za-z0-9]{40}$/),
    });
  });
});

describe('sandbox aws: the versions of a secret', () => {
  const send = (SecretString: string) =>
    fixture.host.clients.secretsManager.send(new PutSecretValueCommand({ SecretId: 'fixture-webhook', SecretString }));

  it('have at most 65,536 bytes', async () => {
    await expect(send('ü'.repeat(32_769))).rejects.toThrow('must have at most 65536 bytes');
  });

  it('are 100 at most, of which those without a stage are removed after a day', async () => {
    for (let version = 2; version <= 100; version += 1) await send(`version ${version}`);
    await expect(send('too many')).rejects.toThrow('too many versions');
    ahead = 86_400_000;
    expect(await send('the next')).toMatchObject({ VersionStages: ['AWSCURRENT'] });
    const previous = new GetSecretValueCommand({ SecretId: 'fixture-webhook', VersionStage: 'AWSPREVIOUS' });
    const { SecretString } = await fixture.host.clients.secretsManager.send(previous);
    expect(SecretString).toBe('version 100');
  });
});
