import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';

/** Runs a program of the repository, and writes the assembly to a folder that is deleted. */
function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const output = mkdtempSync(join(tmpdir(), 'drawbridge-app-'));
  onTestFinished(() => rmSync(output, { recursive: true, force: true }));
  const { status, stderr } = spawnSync(program, args, {
    cwd: repositoryRoot,
    env: { ...process.env, CDK_OUTDIR: output, ...env },
    encoding: 'utf8',
  });
  return { status, stderr };
}

const stackTrace = /^\s+at /m;

it('cdk synth refuses the placeholders of the example with the file and both settings, without a stack trace', () => {
  const args = ['synth', '--quiet', '--ci', '--no-notices', '--context', 'environment=example'];
  const { status, stderr } = run(join(repositoryRoot, 'node_modules/.bin/cdk'), args);
  expect(status).toBe(1);
  expect(stderr).toContain('settings/example.json is not ready to deploy:');
  expect(stderr).toContain('  - platform.baseUrl: https://api.platform.example is a placeholder');
  expect(stderr).toContain('  - platform.authUrl: https://auth.platform.example is a placeholder');
  expect(stderr).not.toMatch(stackTrace);
});

it('the app names the nearest known setting to an unknown one, without a stack trace', () => {
  const context = { environment: 'laptop', platformProfile: { pagesize: 50 } };
  const { status, stderr } = run(process.execPath, ['infra/app.ts'], { CDK_CONTEXT_JSON: JSON.stringify(context) });
  expect(status).toBe(1);
  expect(stderr).toContain('platformProfile.pagesize: unknown setting. Did you mean platformProfile.pageSize?');
  expect(stderr).not.toMatch(stackTrace);
});
