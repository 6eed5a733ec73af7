import { describe, expect, it } from 'vitest';
import { createRandom } from '#sandbox/platform/core/random.ts';
import type { Call, IoBehaviour } from '#test/simulation/faults/io-behaviour.ts';
import { createProcess } from './process.ts';
import { createScheduler } from './scheduler.ts';

const call: Call = { service: 'dynamodb', operation: 'PutItem', caller: 'store' };

/** A process whose I/Os have these behaviours in turn, and no fault after that. */
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
  /** Performs an I/O and keeps its result. */
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
    ['is performed and answered without a fault', {}, ['a'], ['a']],
    ['is performed twice when it is retried', { times: 2 }, ['a', 'a'], ['a']],
    ['fails and is not performed when it is lost', { times: 0, ...failure }, [], ['Error: lost']],
    ['is performed although its response is lost', failure, ['a'], ['Error: lost']],
    ['is performed after its error was returned', { late: 100, ...failure }, ['a'], ['Error: lost']],
    ['returns the response that replaces the true one', { times: 0, answer: () => 'other' }, [], ['other']],
    ['is performed although no response arrives', { isSilent: true }, ['a'], []],
    ['is not performed when the process crashes before it', { crash: 'before' }, [], []],
    ['is performed when the process crashes after it', { crash: 'after' }, ['a'], []],
  ])('%s', async (_, behaviour, done, outcomes) => {
    const simulated = start(behaviour);
    void simulated.write('a');
    await simulated.runFor(1_000);
    expect([simulated.done, simulated.outcomes]).toEqual([done, outcomes]);
  });

  it('has no effect after the process has ended', async () => {
    const { process, done, outcomes, write, runFor } = start();
    process.kill('dies');
    void write('a');
    await runFor(1_000);
    expect([process.isDead(), done, outcomes]).toEqual([true, [], []]);
  });

  it('is performed while the process is frozen, and answered after the thaw', async () => {
    const { process, done, outcomes, write, runFor } = start({ delay: 10 });
    void write('a');
    process.freeze();
    await runFor(1_000);
    expect([done, outcomes]).toEqual([['a'], []]);
    process.thaw();
    await runFor(1_000);
    expect(outcomes).toEqual(['a']);
  });

  it('rejects when its signal aborts', async () => {
    const { process, runFor } = start({ isSilent: true });
    const controller = new AbortController();
    const answer = process.io(call, () => 'a', controller.signal).catch((reason: unknown) => reason);
    await runFor(1_000);
    controller.abort('enough');
    expect(await answer).toBe('enough');
  });
});
