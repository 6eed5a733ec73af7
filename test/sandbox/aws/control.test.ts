import { describe, expect, it } from 'vitest';
import { createHostControl } from '#sandbox/aws/control.ts';

function controlOf(names: readonly string[]) {
  const runs: string[] = [];
  const all = names.map((name) => ({
    name,
    expression: 'rate(5 minutes)',
    runNow: () => Promise.resolve(void runs.push(name)),
  }));
  return { runs, control: createHostControl(() => all) };
}

describe('sandbox aws: schedules over the control API', () => {
  it('lists the schedules with their expressions', async () => {
    const { control } = controlOf(['refresh', 'drain']);
    expect(await (await control.request('/schedules')).json()).toEqual([
      { name: 'refresh', expression: 'rate(5 minutes)' },
      { name: 'drain', expression: 'rate(5 minutes)' },
    ]);
  });

  it('runs only the named schedule', async () => {
    const { control, runs } = controlOf(['refresh', 'drain']);
    expect((await control.request('/schedules/drain/run', { method: 'POST' })).status).toBe(202);
    expect(runs).toEqual(['drain']);
  });

  it('lists the known schedules when it rejects an unknown one', async () => {
    const { control, runs } = controlOf(['refresh']);
    const answer = await control.request('/schedules/reconcile/run', { method: 'POST' });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ message: 'There is no schedule reconcile. There are: refresh.' });
    expect(runs).toEqual([]);
  });
});
