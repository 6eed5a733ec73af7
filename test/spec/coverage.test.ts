import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { measureCoverage, untested, writeCoverage } from './write-coverage.ts';

const root = join(import.meta.dirname, '../..');
const listed = z.array(z.object({ name: z.string(), file: z.string() }));

/** The contract tests, by their names: those of this file are none. */
function listTests(): z.infer<typeof listed> {
  const directory = mkdtempSync(join(tmpdir(), 'spec-coverage-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const output = join(directory, 'tests.json');
  execFileSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'list', 'test/spec', `--json=${output}`], {
    cwd: root,
    stdio: 'pipe',
  });
  return listed
    .parse(JSON.parse(readFileSync(output, 'utf8')))
    .map(({ name, file }) => ({ name, file: relative(import.meta.dirname, file) }))
    .filter(({ file }) => !file.startsWith('coverage'));
}

describe('the contract suite', () => {
  it('has a test for every rule, none that is named after no rule, and docs/reference/spec-coverage.md says which', async () => {
    const coverage = measureCoverage(listTests());
    expect(untested(coverage)).toEqual([]);
    expect(coverage.strays).toEqual([]);
    await expect(writeCoverage(coverage)).toMatchFileSnapshot(join(root, 'docs/reference/spec-coverage.md'));
  });

  it('fails where a rule has no test, and where a test has no rule', () => {
    const coverage = measureCoverage([
      { name: '9.1 + 8 asset universe: Paths > carry no version', file: 'a.test.ts' },
      { name: '9.1 + 9.9: Nothing > of the kind', file: 'b.test.ts' },
    ]);
    expect(untested(coverage)).toContain('9.2');
    for (const tested of ['9.1', '8 asset universe']) expect(untested(coverage)).not.toContain(tested);
    expect(coverage.strays).toHaveLength(1);
  });
});
