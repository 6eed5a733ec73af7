import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { cachedEnvironment } from '#test/end-to-end/cached-environment.ts';
import { createOutputDirectory } from '#test/infra/trial-app.ts';

function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const options = { cwd: repositoryRoot, env: { ...cachedEnvironment(), ...env }, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(program, args, options);
  return { status, stderr };
}

const stackTrace = /^\s+at /m;

it('cdk synth refuses the placeholders of the example with the file and each setting, without a stack trace', () => {
  const cdk = join(repositoryRoot, 'node_modules/.bin/cdk');
  const output = ['--output', createOutputDirectory()];
  const args = ['synth', '--quiet', '--ci', '--no-notices', ...output, '--context', 'environment=example'];
  const { status, stderr } = run(cdk, args);
  expect(status).toBe(1);
  expect(stderr).toContain('settings/example.json is not ready to deploy:');
  expect(stderr).toContain('  - platform.baseUrl: https://api.platform.example is a placeholder');
  expect(stderr).toContain('  - platform.authUrl: https://auth.platform.example is a placeholder');
  expect(stderr).toContain('  - onboarding.requestor: State who acts for a person');
  expect(stderr).toContain('  - onboarding.externalVerifier: ');
  expect(stderr).toContain('  - platformProfile.exAnteEventType: ');
  expect(stderr).not.toMatch(stackTrace);
});

it('the app names the nearest known setting to an unknown one, without a stack trace', () => {
  const context = { environment: 'laptop', platformProfile: { pagesize: 50 } };
  const env = { CDK_OUTDIR: createOutputDirectory(), CDK_CONTEXT_JSON: JSON.stringify(context) };
  const { status, stderr } = run(process.execPath, ['infra/app.ts'], env);
  expect(status).toBe(1);
  expect(stderr).toContain('platformProfile.pagesize: unknown setting. Did you mean platformProfile.pageSize?');
  expect(stderr).not.toMatch(stackTrace);
});
