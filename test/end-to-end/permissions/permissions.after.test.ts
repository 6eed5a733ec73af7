import { describe, expect, it } from 'vitest';
import { comparePermissions } from './compare.ts';
import { readTestBlueprint } from './record-uses.ts';
import { hostingTestFiles, readRecording } from './recordings.ts';

const { assembly, uses } = readRecording();

/**
 * Reconcile postpones an entity that the platform answers unchanged. Whether one is still open when a run asks depends on the order of
 * webhooks and runs: `due-index.test.ts` postpones one in each run.
 */
const isByChance = (functionName: string, permission: string) =>
  functionName === 'reconcile' && /^dynamodb:UpdateItem on .*-entities$/.test(permission);

describe('the permissions of the functions, after all end-to-end tests', () => {
  const comparisons = comparePermissions(readTestBlueprint(assembly), uses);

  it('are compared with the calls of every test file that hosts the stacks', () => {
    expect([...new Set(uses.map(({ testFile }) => testFile))].toSorted()).toEqual(hostingTestFiles());
  });

  it.each(comparisons)(
    'are those that $functionName used, no more and no less',
    ({ functionName, unused, missing, used }) => {
      expect({ unused: unused.filter((permission) => !isByChance(functionName, permission)), missing }).toEqual({
        unused: [],
        missing: [],
      });
      expect(used).not.toEqual([]);
    },
  );
});
