import { existsSync, globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { areas } from '#tools/mutation/areas.ts';

describe.each(areas)('the area of $name', ({ files, tests }) => {
  it('mutates files that exist', () => {
    for (const pattern of files) expect(globSync(pattern), pattern).not.toEqual([]);
  });

  it('runs test files that exist', () => {
    expect(tests.filter((path) => !existsSync(path))).toEqual([]);
  });
});
