import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { cachedEnvironment } from '#test/end-to-end/cached-environment.ts';

function runSettings(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['infra/settings-command/main.ts', ...args], {
    cwd: repositoryRoot,
    env: cachedEnvironment(),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it('npm run settings prints each setting as JSON, with the file of the environment', () => {
  const { status, stdout } = runSettings('--environment', 'laptop', '--json');
  expect(status).toBe(0);
  const { settings, ...rest } = JSON.parse(stdout);
  expect(rest).toEqual({ environment: 'laptop', file: 'settings/laptop.json' });
  expect(settings).toContainEqual({
    key: 'logRetentionDays',
    value: 30,
    unit: 'days',
    default: 365,
    source: 'settings/laptop.json:logRetentionDays',
  });
  expect(settings).toContainEqual({
    key: 'storeConcurrency',
    value: 50,
    unit: 'batches',
    default: 50,
    source: 'default',
  });
});

it.each([
  ['with placeholder addresses', 'example', 'settings/example.json is not ready to deploy:\n  - platform.baseUrl: '],
  ['without a file', 'missing', 'settings/missing.json does not exist.'],
  ['with an invalid name', '../package', '"../package" is no name of an environment.'],
])('npm run settings refuses an environment %s by a message, without a stack trace', (_, environment, message) => {
  const { status, stderr } = runSettings('--environment', environment);
  expect(status).toBe(1);
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/^\s+at /m);
});
