import { describe, expect, it } from 'vitest';
import { chosenFaultKinds, type FaultKind, faultKinds } from './fault-kinds.ts';
import { createFaults } from './faults.ts';
import type { Call } from './io-behaviour.ts';

const call: Call = { service: 'dynamodb', operation: 'PutItem', caller: 'store' };

function faultsOf(kinds: readonly FaultKind[], suppressed: readonly string[] = [], seed = 1) {
  return createFaults({ seed, kinds, intensity: 3, suppressed: new Set(suppressed) });
}

/** The faults that happen at 1,000 fault points. */
function occurrencesIn(kinds: readonly FaultKind[], suppressed: readonly string[] = []) {
  const faults = faultsOf(kinds, suppressed);
  for (let faultPoint = 0; faultPoint < 1_000; faultPoint += 1) faults.behaviourOf(call);
  return faults.occurrences();
}

describe('the faults of a history', () => {
  it('have at least 24 kinds', () => {
    expect(new Set(faultKinds).size).toBeGreaterThanOrEqual(24);
  });

  it('happen only when their kind is chosen', () => {
    expect(occurrencesIn([])).toEqual([]);
    expect(occurrencesIn(['throttling']).every((one) => one.startsWith('throttling#'))).toBe(true);
  });

  it('happen at the same fault points when one of them is suppressed', () => {
    const all = occurrencesIn(['throttling']);
    const [first = '', ...others] = all;
    expect(others.length).toBeGreaterThan(10);
    expect(occurrencesIn(['throttling'], [first])).toEqual(others);
  });

  it('do not happen after their end', () => {
    const faults = faultsOf(chosenFaultKinds);
    faults.end();
    expect(faults.happens('clock skew')).toBe(false);
    expect(faults.behaviourOf(call)).toEqual({});
  });

  it('are counted, as are observed kinds', () => {
    const faults = faultsOf(['clock skew']);
    faults.happens('clock skew');
    faults.happens('clock skew');
    faults.observe('partial batch failure');
    expect([...faults.counts()]).toEqual([
      ['clock skew', 2],
      ['partial batch failure', 1],
    ]);
  });
});
