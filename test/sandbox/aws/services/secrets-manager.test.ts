import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';

let fixture: FixtureHost;
beforeAll(async () => {
  fixture = await startFixture((stack) => {
    const generated = { passwordLength: 40, excludePunctuation: true };
    const template = JSON.stringify({ previous: '', user: 'platform' });
    new Secret(stack, 'Webhook', {
      generateSecretString: { ...generated, secretStringTemplate: template, generateStringKey: 'current' },
    });
  });
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
