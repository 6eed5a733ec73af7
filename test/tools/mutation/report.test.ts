import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { areas } from '#tools/mutation/areas.ts';
import { judgedIn, replaceRow, survivorsIn } from '#tools/mutation/report.ts';
import type { Score } from '#tools/mutation/score.ts';

const survivor: Score['survivors'][number] = {
  status: 'Survived',
  fileName: 'shared/a.ts',
  location: { start: { line: 3, column: 5 }, end: { line: 3, column: 9 } },
  mutatorName: 'BooleanLiteral',
  replacement: 'false',
};
const score: Score = {
  mutants: 10,
  killed: 7,
  timedOut: 1,
  survivors: [survivor, { ...survivor, status: 'NoCoverage' }],
  uncovered: 1,
  percent: 80,
};

describe('the row of an area', () => {
  const page =
    '| Area | Mutants |\n| merge | 1 | 1 |\n| rotation | 2 | 2 |\n| merge: equivalent | 2 | `a.ts` 3 and 4 |\n';

  it('is replaced by the new score, and no other line changes', () => {
    const written = replaceRow(page, 'merge', score, new Date('2026-01-02T03:04:05Z'));
    expect(written).toBe(page.replace('| merge | 1 | 1 |', '| merge | 10 | 7 | 1 | 1 | 1 | 80.0 | 2026-01-02 |'));
    expect([survivorsIn(written, 'merge'), judgedIn(written, 'merge')]).toEqual([2, 2]);
  });

  it('must be there, so that a new area is not left out', () => {
    expect(() => replaceRow(page, 'token decisions', score, new Date())).toThrow(RangeError);
  });
});

describe('the page tools/mutation/README.md', () => {
  const page = readFileSync('tools/mutation/README.md', 'utf8');

  it.each(areas)('judges each survivor of the area $name', ({ name }) => {
    expect(judgedIn(page, name)).toBe(survivorsIn(page, name));
  });
});
