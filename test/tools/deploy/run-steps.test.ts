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
});
