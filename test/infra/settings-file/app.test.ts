import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { cachedEnvironment } from '#test/end-to-end/cached-environment.ts';
import { createOutputDirectory } from '#test/infra/shared-trial-apps.ts';

/** Runs the app as cdk synth does, with this context. */
function synthesize(context: Readonly<Record<string, unknown>>) {
  const ofCdk = { CDK_OUTDIR: createOutputDirectory(), CDK_CONTEXT_JSON: JSON.stringify(context) };
  const options = { cwd: repositoryRoot, env: { ...cachedEnvironment(), ...ofCdk }, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, ['infra/app.ts'], options);
}

it('refuses a context that would be ignored when cdk synth runs', () => {
  const { status, stderr } = synthesize({ environment: 'example', storeConcurrency: 7 });
  expect(status).toBe(1);
  expect(stderr).toContain('  - storeConcurrency: only the settings file sets it.');
});

it('refuses the placeholders of the example when cdk synth runs, with the file and each setting, without a stack trace', () => {
  const { status, stderr } = synthesize({ environment: 'example' });
  expect(status).toBe(1);
  for (const line of [
    'settings/example.json is not ready to deploy:',
    '  - platform.baseUrl: https://api.platform.example is a placeholder',
    '  - platform.authUrl: https://auth.platform.example is a placeholder',
    '  - onboarding.requestor: State who acts for a person',
    '  - onboarding.externalVerifier: ',
    '  - platformProfile.exAnteEventType: ',
  ])
    expect(stderr).toContain(line);
  expect(stderr).not.toMatch(/^\s+at /m);
});
