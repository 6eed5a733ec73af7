import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { cachedEnvironment } from '#test/end-to-end/cached-environment.ts';
import { createOutputDirectory } from '#test/infra/trial-app.ts';

it.each([
  [
    'the placeholders of the example, with the file and each setting',
    { environment: 'example' },
    [
      'settings/example.json is not ready to deploy:',
      '  - platform.baseUrl: https://api.platform.example is a placeholder',
      '  - platform.authUrl: https://auth.platform.example is a placeholder',
      '  - onboarding.requestor: State who acts for a person',
      '  - onboarding.externalVerifier: ',
      '  - platformProfile.exAnteEventType: ',
    ],
  ],
  [
    'an unknown setting, with the nearest known one',
    { environment: 'laptop', platformProfile: { pagesize: 50 } },
    ['platformProfile.pagesize: unknown setting. Did you mean platformProfile.pageSize?'],
  ],
])('the app that cdk synth runs refuses %s, without a stack trace', (_, context, lines) => {
  const ofCdk = { CDK_OUTDIR: createOutputDirectory(), CDK_CONTEXT_JSON: JSON.stringify(context) };
  const options = { cwd: repositoryRoot, env: { ...cachedEnvironment(), ...ofCdk }, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(process.execPath, ['infra/app.ts'], options);
  expect(status).toBe(1);
  for (const line of lines) expect(stderr).toContain(line);
  expect(stderr).not.toMatch(/^\s+at /m);
});
