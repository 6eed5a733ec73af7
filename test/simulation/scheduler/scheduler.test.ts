import { describe, expect, it } from 'vitest';
import { createScheduler } from './scheduler.ts';

const owner = (name: string) => ({ name, isAwake: () => true });

describe('the scheduler of a simulation', () => {
  it('gives a task its own owner, although work on behalf of another ends during the task', async () => {
    const scheduler = createScheduler({ random: () => 0, startAt: 0 });
    const owners: unknown[] = [];
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    // No task waits for this work, as none waits for what a promise of a function does.
    void asked.then(() => scheduler.runAs(owner('platform'), () => undefined));
    scheduler.after(0, ask, { owner: owner('function') });
    scheduler.after(
      1_000,
      async () => {
        for (let turn = 0; turn < 10; turn += 1) {
          await Promise.resolve();
          owners.push(scheduler.current()?.name);
        }
      },
      { owner: owner('other function') },
    );
    await scheduler.run(2_000);
    expect(new Set(owners)).toEqual(new Set(['other function']));
  });

  it('has work on behalf of an owner inside a task, and then the owner of the task again', async () => {
    const scheduler = createScheduler({ random: () => 0, startAt: 0 });
    const owners: unknown[] = [];
    const note = () => void owners.push(scheduler.current()?.name);
    const task = async () => {
      note();
      await scheduler.runAs(owner('platform'), note);
      note();
    };
    scheduler.after(0, task, { owner: owner('function') });
    await scheduler.run(1_000);
    expect(owners).toEqual(['function', 'platform', 'function']);
  });
});
