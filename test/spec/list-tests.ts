import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import * as z from 'zod';
import type { ContractTest } from './write-coverage.ts';

const listed = z.array(z.object({ name: z.string(), file: z.string() }));

/** The contract tests as Vitest lists them, without the tests of the list itself. */
export function listTests(): readonly ContractTest[] {
  const directory = mkdtempSync(join(tmpdir(), 'spec-coverage-'));
  try {
    const output = join(directory, 'tests.json');
    execFileSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'list', 'test/spec', `--json=${output}`], {
      cwd: join(import.meta.dirname, '../..'),
      stdio: 'pipe',
    });
    return listed
      .parse(JSON.parse(readFileSync(output, 'utf8')))
      .map(({ name, file }) => ({ name, file: relative(import.meta.dirname, file) }))
      .filter(({ file }) => !file.startsWith('coverage'));
  } finally {
    rmSync(directory, { recursive: true });
  }
}
