import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createApp } from '#infra/create-app.ts';

/** The app of one environment with these settings, that goes when the test ends. */
export function createTrialApp(settings: unknown = {}) {
  const outdir = mkdtempSync(join(tmpdir(), 'drawbridge-infra-'));
  onTestFinished(() => rmSync(outdir, { recursive: true, force: true }));
  return createApp({ outdir, context: { environment: 'trial', environments: { trial: settings } } });
}
