import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatSurvivor, scoreOf } from '#tools/mutation/score.ts';

const mutant = (status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'CompileError' | 'RuntimeError') => ({
  status,
  fileName: resolve('shared/a.ts'),
  location: { start: { line: 3, column: 5 }, end: { line: 3, column: 9 } },
  mutatorName: 'BooleanLiteral',
  replacement: 'a\nb',
});

describe('the mutation score', () => {
  it('counts a mutant that no test runs as a survivor, and one that does not load neither way', () => {
    const statuses = ['Killed', 'Killed', 'Timeout', 'Survived', 'NoCoverage', 'CompileError', 'RuntimeError'] as const;
    const { survivors, ...score } = scoreOf(statuses.map(mutant));
    expect(score).toEqual({ mutants: 5, killed: 2, timedOut: 1, uncovered: 1, percent: 60 });
    expect(survivors.map(({ status }) => status)).toEqual(['Survived', 'NoCoverage']);
  });

  it('is 0 when a glob matches no file, so that a renamed file cannot pass unseen', () => {
    expect(scoreOf([]).percent).toBe(0);
  });

  it('names the line and the replacement of a survivor on one line', () => {
    expect(formatSurvivor(mutant('Survived'))).toBe('shared/a.ts:3:5  BooleanLiteral  a b');
    expect(formatSurvivor(mutant('NoCoverage'))).toBe('shared/a.ts:3:5  BooleanLiteral  a b  (no test runs it)');
  });
});
