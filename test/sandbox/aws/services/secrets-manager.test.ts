import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  type PutSecretValueCommandInput,
} from '@aws-sdk/client-secrets-manager';
import { SecretValue } from 'aws-cdk-lib';
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
    new Secret(stack, 'Plain', { secretStringValue: SecretValue.unsafePlainText('from the template') });
    for (const id of ['Rotated', 'Repeated', 'Contested']) new Secret(stack, id);
  });
});
afterAll(() => fixture.close());

type Wanted = { readonly VersionStage?: string; readonly VersionId?: string };

const get = (secret: string, wanted: Wanted = {}) =>
  fixture.host.clients.secretsManager.send(new GetSecretValueCommand({ SecretId: `fixture-${secret}`, ...wanted }));

const put = (secret: string, input: Omit<PutSecretValueCommandInput, 'SecretId'>) =>
  fixture.host.clients.secretsManager.send(new PutSecretValueCommand({ SecretId: `fixture-${secret}`, ...input }));

const token = (letter: string) => letter.repeat(36);

describe('sandbox aws: the first value of a secret', () => {
  it('is its template with a generated password under its key', async () => {
    const { SecretString = '' } = await get('webhook');
    expect(JSON.parse(SecretString)).toEqual({
      previous: '',
      user: 'platform',
      current: expect.stringMatching(/^[A-Za-z0-9]{40}$/),
    });
  });
});

describe('sandbox aws: a new value of a secret', () => {
  it('becomes current, while the current value becomes previous', async () => {
    const first = await get('rotated');
    await put('rotated', { SecretString: 'second', ClientRequestToken: token('2') });
    expect(await get('rotated')).toMatchObject({ SecretString: 'second', VersionId: token('2') });
    expect(await get('rotated', { VersionStage: 'AWSPREVIOUS' })).toMatchObject({
      SecretString: first.SecretString,
      VersionId: first.VersionId,
      VersionStages: ['AWSPREVIOUS'],
    });

    await put('rotated', { SecretString: 'third', ClientRequestToken: token('3') });
    expect((await get('rotated')).SecretString).toBe('third');
    expect((await get('rotated', { VersionStage: 'AWSPREVIOUS' })).SecretString).toBe('second');
    expect((await get('rotated', { VersionId: first.VersionId ?? '' })).VersionStages).toEqual([]);
  });

  it('changes nothing when it is put again with its token', async () => {
    const { SecretString: before } = await get('repeated');
    const again = { SecretString: 'new', ClientRequestToken: token('a') };
    const first = await put('repeated', again);
    expect(await put('repeated', again)).toMatchObject({ VersionId: first.VersionId, VersionStages: ['AWSCURRENT'] });
    expect((await get('repeated')).SecretString).toBe('new');
    expect((await get('repeated', { VersionStage: 'AWSPREVIOUS' })).SecretString).toBe(before);
  });

  it('is rejected with the token of another value, and the secret stays unchanged', async () => {
    await put('contested', { SecretString: 'mine', ClientRequestToken: token('c') });
    await expect(put('contested', { SecretString: 'yours', ClientRequestToken: token('c') })).rejects.toMatchObject({
      name: 'ResourceExistsException',
    });
    expect((await get('contested')).SecretString).toBe('mine');
  });
});
