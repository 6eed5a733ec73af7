import { describe, expect, it } from 'vitest';
import { runSteps, type Step } from '#tools/deploy/run-steps.ts';

function run(steps: readonly Step<string>[]) {
  const printed: string[] = [];
  let time = 0;
  const now = () => (time += 1_500);
  const results = runSteps(steps, 'context', { now, print: (text) => printed.push(text) });
  return results.then((all) => ({ all, printed }));
}

describe('runSteps', () => {
  it('prints each step with its result, its time and what it saw', async () => {
    const { all, printed } = await run([
      { name: 'deploy', run: (context) => Promise.resolve(`in ${context}\ntwo lines`) },
      { name: 'upgrade', run: () => Promise.resolve({ skipped: 'no earlier release' }) },
    ]);
    expect(all).toEqual([
      { name: 'deploy', result: 'passed', seconds: 1.5 },
      { name: 'upgrade', result: 'skipped', seconds: 1.5 },
    ]);
    expect(printed).toEqual([
      'passed      1.5 s  deploy\n                   in context\n                   two lines',
      'skipped     1.5 s  upgrade\n                   no earlier release',
    ]);
  });

  it('ends with the first step that fails, and prints the failure', async () => {
    const { all, printed } = await run([
      { name: 'deploy', run: () => Promise.reject(new TypeError('no stack')) },
      { name: 'destroy', run: () => Promise.resolve('gone') },
    ]);
    expect(all.map(({ name, result }) => [name, result])).toEqual([['deploy', 'FAILED']]);
    expect(printed).toEqual([expect.stringContaining('TypeError: no stack')]);
  });

  it('runs an independent step concurrently with the steps after it, and waits for its result', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { all } = await run([
      { name: 'scan', isIndependent: true, run: () => promise },
      { name: 'deploy', run: () => Promise.resolve('deployed').finally(() => resolve('nothing found')) },
    ]);
    expect(Object.fromEntries(all.map(({ name, result }) => [name, result]))).toEqual({
      scan: 'passed',
      deploy: 'passed',
    });
  });
});
