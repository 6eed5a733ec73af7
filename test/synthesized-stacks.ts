import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { synthesize } from '#sandbox/aws/stacks/synthesize.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the stacks of cdk.json are synthesized, once for all tests. */
    assembly: string;
  }
}

/** Synthesizes the stacks as `npm start` does, cdk-nag included, before any test runs. */
export async function setup({ provide }: TestProject): Promise<() => void> {
  const assembly = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  await synthesize({ root: dirname(import.meta.dirname), outputDirectory: assembly, environment: process.env });
  provide('assembly', assembly);
  return () => rmSync(assembly, { recursive: true, force: true });
}
