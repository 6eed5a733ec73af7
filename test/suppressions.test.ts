import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('finds no comment that silences the linter or the compiler', () => {
  const pattern = '(biome-|@ts-)(ignore|expect-error|nocheck)';
  const options = ['-I', '--untracked', '--name-only', '--extended-regexp', pattern];
  const paths = ['*.ts', '*.tsx', '*.js', '*.mjs', '*.css', '*.grit', ':!test/suppressions.test.ts'];
  const grep = () =>
    execFileSync('git', ['grep', ...options, '--', ...paths], { cwd: join(import.meta.dirname, '..') });
  // Git ends with 1 if it finds nothing.
  expect(grep).toThrow(expect.objectContaining({ status: 1 }));
});
