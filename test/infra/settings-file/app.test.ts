import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { cachedEnvironment } from '#test/end-to-end/cached-environment.ts';
import { createOutputDirectory } from '#test/infra/shared-trial-apps.ts';

it('refuses the placeholders of the example when cdk synth runs, with the file and each setting, without a stack trace', () => {
  const ofCdk = { CDK_OUTDIR: createOutputDirectory(), CDK_CONTEXT_JSON: JSON.stringify({ environment: 'example' }) };
  const options = { cwd: repositoryRoot, env: { ...cachedEnvironment(), ...ofCdk }, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(process.execPath, ['infra/app.ts'], options);
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
