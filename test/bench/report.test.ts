import { describe, expect, it } from 'vitest';
import { ours, reference } from './peers.ts';
import { type BenchResult, formatMissed, formatResult, judge, verdict } from './report.ts';
import type { Sample } from './run-sample.ts';
import { spreadOf } from './statistics.ts';

const taken = (milliseconds: number) => ({ wall: milliseconds, cpu: milliseconds });
const sample = (milliseconds: number): Sample => ({ load: taken(milliseconds), first: taken(milliseconds), warm: {} });
const peer = (name: string, bytes: number, milliseconds: readonly number[]) => ({
  peer: { name, bundle: '', bytes },
  samples: milliseconds.map(sample),
});

/** Three rounds: the reference takes 101, 201 and 301 ms, the empty handler 1. */
function resultOf(milliseconds: readonly number[], requests: number): BenchResult {
  const peers = [peer(ours, 100, milliseconds), peer(reference, 400, [101, 201, 301])];
  const counts = { fresh: { requests: { PutItem: requests }, writeUnits: 0, readUnits: 0 } };
  return {
    rounds: 3,
    empty: [1, 1, 1].map(sample),
    peers: { receive: peers, store: peers },
    requests: [{ of: 'store', peer: ours, counts }],
  };
}

const verdictOf = (result: BenchResult, what: string) => judge(result).find((one) => one.what === what);

describe('the report of a bench', () => {
  it('compares each round with the same round of the reference', () => {
    const result = resultOf([21, 41, 31], 23);
    const { value, isMet } = verdictOf(result, 'receive: first call, above an empty handler') ?? {};
    expect(value).toBeCloseTo(0.2);
    expect(isMet).toBe(true);
  });

  it('fails a target that is missed', () => {
    const result = resultOf([51, 101, 151], 24);
    expect(verdictOf(result, 'receive: first call, above an empty handler')).toMatchObject({
      value: 0.5,
      isMet: false,
    });
    expect(verdictOf(result, 'store: requests for ten records, fresh')).toMatchObject({ value: 24, isMet: false });
    expect(verdictOf(result, 'store: bytes of the bundle')).toMatchObject({ value: 0.25, isMet: true });
    expect(formatResult(result)).toContain('| receive: first call, above an empty handler | 0.50 | 0.25 | **no** |');
  });

  it('says of a duplicate in store why its target cannot be met', () => {
    const result = resultOf([21, 41, 31], 23);
    expect(verdictOf(result, 'store: a record, duplicate, batch of 1: warm CPU')?.why).toContain('three requests');
    expect(verdictOf(result, 'store: a record, fresh, batch of 1: warm CPU')).toHaveProperty('target', 0.45);
    expect(verdictOf(result, 'store: a record, fresh, batch of 1: warm CPU')).not.toHaveProperty('why');
  });

  it.each([
    ['the limit that the verdict names', 'The services cost as much.', 9, 'The services cost as much.'],
    ['a busy machine', undefined, 1.5, 'The machine is busy: 1.5 for each processor.'],
    ['a change, on a quiet machine', undefined, 0.5, 'look for the change'],
  ])('says of a missed target that its cause is %s', (_, why, load, cause) => {
    const text = formatMissed(verdict('cost', 0.77, 0.5, why), load);
    expect(text).toMatch(/^missed: cost is 0\.77, and the target is 0\.50\. /);
    expect(text).toContain(cause);
  });

  it.each([
    [[3, 1, 2], { median: 2, low: 1, high: 3 }],
    [[4, 1, 2, 3], { median: 2.5, low: 1, high: 4 }],
  ])('has the median of %j', (values, spread) => {
    expect(spreadOf(values)).toEqual(spread);
  });
});
