import { describe, expect, it } from 'vitest';
import { listTests } from './list-tests.ts';
import { measureCoverage, untested, writeCoverage } from './write-coverage.ts';

describe('the contract suite', () => {
  it('has a test for every rule, none that is named after no rule, and a page that says which', () => {
    const coverage = measureCoverage(listTests());
    expect(untested(coverage)).toEqual([]);
    expect(coverage.strays).toEqual([]);
    expect(writeCoverage(coverage)).toContain('[2-1-webhook.test.ts](../../test/spec/2-1-webhook.test.ts)');
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
