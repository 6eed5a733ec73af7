import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { synthesize } from '#sandbox/aws/stacks/synthesize.ts';
import { beginRecording } from './end-to-end/permissions/recordings.ts';
import { isFullSize } from './full-size.ts';
import { beginRecordingData } from './upgrades/recorded-data.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the stacks of the laptop are synthesized, once for all tests. */
    assembly: string;
    /** A directory for files that several tests share. It is removed when all tests are done. */
    scratch: string;
  }
}

/** Synthesizes the stacks before any test runs, with cdk-nag, and at full size with the CDK's own rules: a test reads the report. */
export async function setup({ provide }: TestProject): Promise<() => void> {
  const assembly = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  const environment = { ...process.env, CDK_VALIDATION: String(isFullSize) };
  await synthesize({
    root: dirname(import.meta.dirname),
    outputDirectory: assembly,
    environment,
    context: { environment: 'laptop' },
  });
  const scratch = mkdtempSync(join(tmpdir(), 'drawbridge-tests-'));
  provide('assembly', assembly);
  provide('scratch', scratch);
  beginRecording(assembly);
  beginRecordingData();
  return () => {
    for (const directory of [assembly, scratch]) rmSync(directory, { recursive: true, force: true });
  };
}
