import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createApp } from '#infra/create-app.ts';
import { settings } from '#infra/settings.ts';

/** Platform URLs that no test calls. */
export const trialPlatform = { baseUrl: 'https://api.trial.example', authUrl: 'https://auth.trial.example' };

/** The output folder of an app, which is deleted when the test ends. */
export function createOutputDirectory(): string {
  const outdir = mkdtempSync(join(tmpdir(), 'drawbridge-infra-'));
  onTestFinished(() => rmSync(outdir, { recursive: true, force: true }));
  return outdir;
}

/**
 * An app of one environment with these settings, which is deleted when the test ends. Its functions are not bundled, because
 * bundling takes most of the time. Other tests check the bundles of `npm run synth`.
 */
export function createTrialApp(
  values: Readonly<Record<string, unknown>> = {},
  context: Readonly<Record<string, unknown>> = {},
) {
  return createTrialAppIn(createOutputDirectory(), values, 'trial', context);
}

/** The same in a folder that the caller deletes, of an environment with this name. */
export function createTrialAppIn(
  outdir: string,
  values: Readonly<Record<string, unknown>>,
  name: string,
  context: Readonly<Record<string, unknown>> = {},
) {
  const environment = { name, settings: settings.parse({ platform: trialPlatform, ...values }) };
  return createApp(environment, { outdir, context: { 'aws:cdk:bundling-stacks': [], ...context } });
}
