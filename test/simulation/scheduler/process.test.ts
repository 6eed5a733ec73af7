import { describe, expect, it } from 'vitest';
import { createRandom } from '#sandbox/platform/core/random.ts';
import type { Call, IoBehaviour } from '#test/simulation/faults/io-behaviour.ts';
import { createProcess } from './process.ts';
import { createScheduler } from './scheduler.ts';

const call: Call = { service: 'dynamodb', operation: 'PutItem', caller: 'store' };

/** A process whose I/Os take these courses, in turn; then the usual one. */
function start(...behaviours: readonly IoBehaviour[]) {
  const left = [...behaviours];
  const random = createRandom(1);
  const scheduler = createScheduler({ random, startAt: 0 });
  const traced: string[] = [];
  const behaviourOf = () => left.shift() ?? {};
  const deps = { scheduler, random, behaviourOf, trace: (_: string, what: string) => traced.push(what) };
  const process = createProcess({ name: 'store (1)', caller: 'store' }, deps);
  const done: string[] = [];
  const outcomes: string[] = [];
  /** Does an I/O, and keeps what it was answered with. */
  const write = (name: string) =>
    process
      .io(call, () => {
        done.push(name);
        return name;
      })
      .then(
        (answer) => outcomes.push(String(answer)),
        (error: unknown) => outcomes.push(String(error)),
      );
  const runFor = (milliseconds: number) => scheduler.run(scheduler.now() + milliseconds);
  return { scheduler, process, done, outcomes, traced, write, runFor };
}

const failure = { error: () => new Error('lost') };

describe('an I/O of a simulated process', () => {
  it.each<readonly [string, IoBehaviour, readonly string[], readonly string[]]>([
    ['is done and answered', {}, ['a'], ['a']],
    ['is done twice', { times: 2 }, ['a', 'a'], ['a']],
    ['is lost', { times: 0, ...failure }, [], ['Error: lost']],
    ['is done, and its answer lost', failure, ['a'], ['Error: lost']],
    ['is done later than it was answered', { late: 100, ...failure }, ['a'], ['Error: lost']],
    ['is answered otherwise', { times: 0, answer: () => 'other' }, [], ['other']],
    ['is never answered', { isSilent: true }, ['a'], []],
    ['is not done where the process crashes before', { crash: 'before' }, [], []],
    ['is done where the process crashes after', { crash: 'after' }, ['a'], []],
  ])('%s', async (_, behaviour, done, outcomes) => {
    const simulated = start(behaviour);
    void simulated.write('a');
    await simulated.runFor(1_000);
    expect([simulated.done, simulated.outcomes]).toEqual([done, outcomes]);
  });

  it('comes to nothing once the process has died', async () => {
    const { process, done, outcomes, write, runFor } = start();
    process.kill('dies');
    void write('a');
    await runFor(1_000);
    expect([process.isDead(), done, outcomes]).toEqual([true, [], []]);
  });

  it('is done while the process is frozen, and answered once it is thawed', async () => {
    const { process, done, outcomes, write, runFor } = start({ delay: 10 });
    void write('a');
    process.freeze();
    await runFor(1_000);
    expect([done, outcomes]).toEqual([['a'], []]);
    process.thaw();
    await runFor(1_000);
    expect(outcomes).toEqual(['a']);
  });

  it('ends for who waits when its signal aborts', async () => {
    const { process, runFor } = start({ isSilent: true });
    const controller = new AbortController();
    const answer = process.io(call, () => 'a', controller.signal).catch((reason: unknown) => reason);
    await runFor(1_000);
    controller.abort('enough');
    expect(await answer).toBe('enough');
  });
});

describe('the scheduler', () => {
  it('chooses among what is due, and keeps to the times of the rest', async () => {
    const orders = new Set<string>();
    for (let seed = 0; seed < 50; seed += 1) {
      const scheduler = createScheduler({ random: createRandom(seed), startAt: 0 });
      const order: string[] = [];
      for (const name of ['a', 'b', 'c']) scheduler.after(0, () => void order.push(name));
      scheduler.after(1_000, () => void order.push('later'));
      await scheduler.run(2_000);
      orders.add(order.join(' '));
      expect(scheduler.now()).toBe(2_000);
    }
    expect(orders.size).toBe(6);
    expect([...orders].every((order) => order.endsWith('later'))).toBe(true);
  });

  it('does the next task once all that followed from the one before has run', async () => {
    const scheduler = createScheduler({ random: createRandom(1), startAt: 0 });
    const seen: string[] = [];
    const task = (name: string) => async () => {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      seen.push(`${name} 1`);
      void Promise.resolve().then(() => seen.push(`${name} 2`));
    };
    scheduler.after(0, task('a'));
    scheduler.after(1_000, task('b'));
    await scheduler.run(2_000);
    expect(seen).toEqual(['a 1', 'a 2', 'b 1', 'b 2']);
  });
});
