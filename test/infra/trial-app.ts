import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createApp } from '#infra/create-app.ts';

/** Where no test calls. */
export const trialPlatform = { baseUrl: 'https://api.trial.example', authUrl: 'https://auth.trial.example' };

/** Where an app is synthesized to. It goes when the test ends. */
export function createOutputDirectory(): string {
  const outdir = mkdtempSync(join(tmpdir(), 'drawbridge-infra-'));
  onTestFinished(() => rmSync(outdir, { recursive: true, force: true }));
  return outdir;
}

/**
 * The app of one environment with these settings, that goes when the test ends. Its functions are not bundled, which takes
 * the most time of a synthesis, and of which the tests of what `npm run synth` makes see all.
 */
export function createTrialApp(settings: Readonly<Record<string, unknown>> = {}) {
  return createApp({
    outdir: createOutputDirectory(),
    context: {
      'aws:cdk:bundling-stacks': [],
      environment: 'trial',
      environments: { trial: { platform: trialPlatform, ...settings } },
    },
  });
}
