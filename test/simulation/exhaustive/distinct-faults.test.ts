import { describe, expect, it } from 'vitest';
import { everyNth } from '#test/full-size.ts';
import type { Call } from '#test/simulation/faults/io-behaviour.ts';
import { createPlatformAppForAll } from '#test/simulation/system/platform-app.ts';
import { distinctFaults, sameForReads } from './distinct-faults.ts';
import type { EnumeratedFault } from './enumerated-fault.ts';
import type { FaultPoint } from './enumerated-faults.ts';
import { runEnumerated } from './enumerated-history.ts';
import { variantsOfIo } from './fault-variants.ts';

const app = createPlatformAppForAll();
const lines = /FAULT|crashes (before|after)|(dynamodb|platform) (GetItem|BatchGetItem|Query|Scan|GET)|GetSecretValue/;

/** What is done in a history, except reads, once each and in no order: one that waits for a late read has more runs of a schedule. */
async function effectsOf(faults: readonly EnumeratedFault[]): Promise<readonly string[]> {
  const done = new Set<string>();
  const trace = (_: number, who: string, what: string) => done.add(`${who} ${what}`);
  await runEnumerated({ seed: 1, name: 4, faults }, { app, trace });
  return [...done].filter((line) => !lines.test(line)).toSorted();
}

async function faultsOfReads(): Promise<readonly (readonly EnumeratedFault[])[]> {
  const { faultPoints } = await runEnumerated({ seed: 1, name: 4, faults: [] }, { app });
  const distinct = distinctFaults(faultPoints);
  return faultPoints.flatMap(({ number: at, variants }) => {
    const tried = distinct.find(({ number }) => number === at)?.variants ?? [];
    const leftOut = variants.filter((variant) => !tried.includes(variant));
    return leftOut.map((variant) => [
      { at, variant },
      ...tried.filter(({ kind }) => kind === sameForReads.get(variant.kind)).map((other) => ({ at, variant: other })),
    ]);
  });
}

const call = (operation: string, list?: string): Call => ({
  service: 'dynamodb',
  operation,
  caller: 'reconcile',
  list,
});
const pointsOf = (calls: readonly Call[], at = 0): readonly FaultPoint[] =>
  calls.map((one, index) => ({ number: index + 1, call: one, at, variants: variantsOfIo(one) }));
const numbersOf = (points: readonly FaultPoint[]) => distinctFaults(points).map(({ number }) => number);

describe('the selection of distinct faults in a history', () => {
  it('leaves out no fault at a read that has other effects than a fault that is tried', async () => {
    const pairs = everyNth(6, await faultsOfReads());
    expect(pairs.length).toBeGreaterThan(10);
    for (const [leftOut, ...same] of pairs)
      expect(await effectsOf(leftOut ? [leftOut] : [])).toEqual(await effectsOf(same));
  });

  it.each(['PutItem', 'UpdateItem', 'DeleteItem'])('has every variant at a write: %s', (operation) => {
    const points = pointsOf([call(operation)]);
    expect(distinctFaults(points)).toEqual(points);
  });

  it('has the first, the last and a middle part of a list that is read at once in more than four parts', () => {
    expect(numbersOf(pointsOf(Array.from({ length: 16 }, () => call('Query', 'a list'))))).toEqual([1, 8, 16]);
    expect(numbersOf(pointsOf(Array.from({ length: 4 }, () => call('Query', 'a list'))))).toEqual([1, 2, 3, 4]);
  });

  it('has all reads of different items or lists, and all parts that are read one after the other', () => {
    const all = [1, 2, 3, 4, 5, 6];
    expect(numbersOf(pointsOf(all.map(() => call('GetItem'))))).toEqual(all);
    expect(numbersOf(pointsOf(all.map((number) => call('Query', `list ${number}`))))).toEqual(all);
    const [first] = pointsOf([call('Query', 'a list')]);
    expect(numbersOf(all.flatMap((number) => (first ? [{ ...first, number, at: number }] : [])))).toEqual(all);
  });
});
