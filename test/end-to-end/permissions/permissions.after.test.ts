import { describe, expect, it } from 'vitest';
import { comparePermissions } from './compare.ts';
import { readTestBlueprint } from './record-uses.ts';
import { hostingTestFiles, readRecording } from './recordings.ts';

const { assembly, uses } = readRecording();

describe('the comparison of permissions, after all end-to-end tests', () => {
  const comparisons = comparePermissions(readTestBlueprint(assembly), uses);

  it('has the calls of every test file that hosts the stacks', () => {
    expect([...new Set(uses.map(({ testFile }) => testFile))].toSorted()).toEqual(hostingTestFiles());
  });

  it.each(comparisons)(
    'finds that $functionName used each of its permissions, and no others',
    ({ unused, missing, used }) => {
      expect({ unused, missing }).toEqual({ unused: [], missing: [] });
      expect(used).not.toEqual([]);
    },
  );
});
