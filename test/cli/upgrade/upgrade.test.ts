import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DescribeStacksCommand, ListImportsCommand } from '@aws-sdk/client-cloudformation';
import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from 'vitest';
import { checkKeys } from '#cli/upgrade/check-keys.ts';
import { formatUpgrade } from '#cli/upgrade/format-upgrade.ts';
import { planUpgrade } from '#cli/upgrade/plan-upgrade.ts';
import { root } from '#docs/generate/markdown-pages.ts';

const changelog = `# Changelog

## 0.4.0 - unreleased

### Before you upgrade

- **Send the
  field \`a\`.** See [the page](docs/a.md).

### Removed

- The field \`b\`.

## 0.3.1 - 2026-12-01

### Changed

- A retry waits longer.

## 0.3.0 - 2026-11-30

### Changed

Bus:

- An event has \`c\`.

API:

- An answer has \`d\`.

## 0.2.0 - 2026-11-22

### Changed

- Old.
`;

const plan = (deployed: string, installed: string) => planUpgrade({ deployed, installed, changelog });

describe('cli: planUpgrade', () => {
  it('lists what the releases in between ask for and change, the earliest first', () => {
    expect(plan('0.3.0', '0.4.0')).toMatchObject({
      direction: 'upgrade',
      skippedMinors: [],
      before: ['Send the field a. See the page.'],
      changes: ['A retry waits longer.'],
      removed: ['The field b.'],
    });
    expect(plan('0.2.0', '0.3.1').changes).toEqual(['An event has c.', 'An answer has d.', 'A retry waits longer.']);
  });

  it('names the minor releases that must be deployed first, and no patch', () => {
    expect(plan('0.2.0', '0.4.0').skippedMinors).toEqual(['0.3']);
    expect(plan('0.2.0', '0.3.1').skippedMinors).toEqual([]);
  });

  it('knows a rollback, and an upgrade that has happened', () => {
    expect(plan('0.4.0', '0.3.1')).toMatchObject({ direction: 'rollback', changes: [], before: [] });
    expect(plan('0.4.0', '0.4.0').direction).toBe('none');
    expect(plan('0.1.0', '0.1.0').direction).toBe('none');
    expect(planUpgrade({ deployed: '0.3.0', installed: '0.4.0', changelog: '# Of a fork' }).direction).toBe('upgrade');
  });

  it('names the minor releases that a rollback skips, which the changelog of the earlier release does not know', () => {
    expect(plan('0.6.1', '0.3.1').skippedMinors).toEqual(['0.5', '0.4']);
    expect(plan('0.4.0', '0.3.1').skippedMinors).toEqual([]);
    const text = formatUpgrade(plan('0.6.1', '0.3.1'), 'test');
    expect(text).toContain('Do not deploy');
    expect(text).not.toContain('cdk deploy');
  });

  it('reads the changelog of this repository from 0.2.0 on', () => {
    const ours = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    const { before, changes } = planUpgrade({ deployed: '0.2.0', installed: '0.3.0', changelog: ours });
    expect(before.some((item) => item.startsWith('State onboarding.requestor'))).toBe(true);
    expect(changes.length).toBeGreaterThan(10);
  });
});

describe('cli: formatUpgrade', () => {
  it('says what to do, whether data is safe, and how to deploy', () => {
    const text = formatUpgrade(plan('0.3.0', '0.4.0'), 'production');
    expect(text).toContain('Do this before you deploy:\n  - Send the field a.');
    expect(text).toContain('Your data is safe');
    expect(text).toContain('Next: npx cdk diff --all --context environment=production');
  });

  it('refuses to recommend a deployment over a minor release', () => {
    const text = formatUpgrade(plan('0.2.0', '0.4.0'), 'production');
    expect(text).toContain('Do not deploy yet');
    expect(text).toContain('get a release 0.3 from npm or as a tarball, and install it (docs/how-to/install.md)');
    expect(text).not.toContain('Your data is safe');
  });

  it('names no release to install first where the deployed one is earlier than the first release', () => {
    expect(plan('0.1.0', '0.3.0')).toMatchObject({ direction: 'unsupported', skippedMinors: [] });
    const text = formatUpgrade(plan('0.1.0', '0.3.0'), 'test');
    expect(text).toContain('Do not deploy over it');
    expect(text).not.toMatch(/npm install|drawbridge@/);
  });

  it('deploys the service only in a rollback', () => {
    expect(formatUpgrade(plan('0.4.0', '0.3.1'), 'test')).toContain('drawbridge-test-service --exclusively');
  });
});

describe('cli: checkKeys', () => {
  const token = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:PlatformToken';
  const outputs = [
    { OutputKey: 'Token', OutputValue: token, ExportName: 'token' },
    { OutputKey: 'SecretsKey', OutputValue: 'arn:aws:kms:eu-central-1:111122223333:key/2', ExportName: 'secrets-key' },
  ];

  type Case = { readonly ready?: readonly string[]; readonly key?: number; readonly denied?: boolean };

  /** What the check says of an environment with these keys: which stacks import that of the secrets, and which of both encrypts them. */
  function check(
    wanted: 'both' | 'separate' | undefined,
    keys: readonly string[],
    { ready = [], key = 1, denied = false }: Case = {},
  ) {
    const importers: Readonly<Record<string, readonly string[]>> = {
      token: ['service', 'orders'],
      'secrets-key': ready,
    };
    const send = async (command: unknown) => {
      if (command instanceof DescribeStacksCommand) return { Stacks: [{ Outputs: outputs }] };
      if (command instanceof DescribeSecretCommand)
        return { KmsKeyId: `arn:aws:kms:eu-central-1:111122223333:key/${key}` };
      if (!(command instanceof ListImportsCommand)) throw new TypeError('unexpected');
      if (denied) throw Object.assign(new Error('not authorized'), { name: 'AccessDenied' });
      const { ExportName = '', NextToken = '0' } = command.input;
      const all = importers[ExportName] ?? [];
      if (all.length === 0) throw new Error(`Export '${ExportName}' is not imported by any stack.`);
      const next = Number(NextToken) + 1;
      return { Imports: [all[next - 1]], ...(next < all.length && { NextToken: String(next) }) };
    };
    const resources = {
      idOf: () => token,
      ofType: () =>
        keys.map((logicalId, index) => ({ logicalId, physicalId: String(index + 1), type: 'AWS::KMS::Key' })),
    };
    const clients = { cloudFormation: { send }, secretsManager: { send } };
    return checkKeys(wanted, {
      environment: 'production',
      resources: async () => resources,
      clients: clients as unknown as Parameters<typeof checkKeys>[1]['clients'],
    });
  }

  const [one, both] = [['Key961B73FD'], ['Key961B73FD', 'SecretsKey317DCF94']];
  const problem = (text: string) => ({ problem: expect.stringContaining(text) });

  it('refuses separate keys where the environment has one', async () => {
    expect(await check('separate', one)).toEqual(problem('Set "both" first'));
  });

  it('names each stack that reads the token and may not use the key of the secrets', async () => {
    expect(await check('separate', both)).toEqual(problem('secrets yet: service, orders.'));
    expect(await check('separate', both, { ready: ['service'] })).toEqual(problem('secrets yet: orders.'));
  });

  it('finds nothing once all of them may, before that step, and where the construct is given a key', async () => {
    expect(await check('separate', both, { ready: ['service', 'orders'] })).toEqual({});
    expect(await check('both', one)).toEqual({});
    expect(await check('separate', [])).toEqual({});
  });

  it('asks for no importer once the secrets have their own key', async () => {
    expect(await check('separate', both, { key: 2, denied: true })).toEqual({});
  });

  it('says why it checked nothing: no permission, or no settings file', async () => {
    const notChecked = (text: string) => ({ notChecked: expect.stringContaining(text) });
    expect(await check('separate', both, { denied: true })).toEqual(notChecked('lacks cloudformation:ListImports'));
    expect(await check(undefined, both)).toEqual(notChecked('no readable settings/production.json'));
  });
});
