import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapConcurrent } from '#shared/map-concurrent.ts';

describe('mapConcurrent works on items concurrently up to its limit', () => {
  it('gives the results in the order of the items, in any order of completion', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(5), { maxLength: 20 }),
        fc.integer({ min: 1, max: 8 }),
        async (turns, atOnce) => {
          let working = 0;
          let most = 0;
          const results = await mapConcurrent(turns, atOnce, async (turn) => {
            working += 1;
            most = Math.max(most, working);
            for (let left = turn; left > 0; left -= 1) await setImmediate();
            working -= 1;
            return turn * 2;
          });
          expect(results).toEqual(turns.map((turn) => turn * 2));
          expect(most).toBeLessThanOrEqual(atOnce);
        },
      ),
    );
  });

  it('runs as many concurrently as the limit allows', async () => {
    let begun = 0;
    const all = Promise.withResolvers<void>();
    await mapConcurrent([1, 2, 3], 3, () => {
      begun += 1;
      if (begun === 3) all.resolve();
      return all.promise;
    });
    expect(begun).toBe(3);
  });

  it('keeps a result that is undefined', async () => {
    expect(await mapConcurrent([1, 2], 1, async () => undefined)).toEqual([undefined, undefined]);
  });
});

describe('failure modes: Promise.all over records. A failure is thrown once nothing is under way any more', () => {
  it('begins nothing after the failure', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const work = mapConcurrent([1, 2, 3, 4], 2, async (item) => {
      begun.push(item);
      if (item === 1) throw new Error('one');
      await setImmediate();
      await setImmediate();
      ended.push(item);
    });
    await expect(work).rejects.toThrow('one');
    expect(begun).toEqual([1, 2]);
    expect(ended).toEqual([2]);
  });

  it('throws the first of several failures', async () => {
    const work = mapConcurrent([1, 2], 2, async (item) => {
      throw new Error(`${item}`);
    });
    await expect(work).rejects.toThrow('1');
  });

  it('throws a failure that comes before there is a promise, too', async () => {
    const work = mapConcurrent([1], 1, () => {
      throw new Error('immediately');
    });
    await expect(work).rejects.toThrow('immediately');
  });
});
