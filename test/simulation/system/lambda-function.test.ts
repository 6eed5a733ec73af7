import { describe, expect, it } from 'vitest';
import { createRandom } from '#sandbox/platform/core/random.ts';
import { createFaults } from '#test/simulation/faults/faults.ts';
import { createProcess } from '#test/simulation/scheduler/process.ts';
import { createScheduler } from '#test/simulation/scheduler/scheduler.ts';
import { createLambdaFunction, type Environment, type Outcome } from './lambda-function.ts';

/** A function without faults, which answers each event with the name of the process. */
function start() {
  const random = createRandom(1);
  const scheduler = createScheduler({ random, startAt: 0 });
  const faults = createFaults({ seed: 1, kinds: [], intensity: 1, suppressed: new Set() });
  const trace = () => undefined;
  const started: Environment[] = [];
  const lambda = createLambdaFunction('store', {
    scheduler,
    faults,
    trace,
    start: () => {
      const name = `store (${started.length + 1})`;
      const process = createProcess({ name, caller: 'store' }, { scheduler, random, behaviourOf: () => ({}), trace });
      const environment = { process, handler: async () => name };
      started.push(environment);
      return environment;
    },
  });
  async function invoke(): Promise<Outcome | undefined> {
    let outcome: Outcome | undefined;
    void lambda.invoke({}).then((one) => {
      outcome = one;
    });
    await scheduler.run(scheduler.now() + 60_000);
    return outcome;
  }
  return { invoke, started };
}

// In 40 histories, a reused process that had ended was not noticed.
describe('a simulated function', () => {
  it('starts a new process when the idle one has ended', async () => {
    const { invoke, started } = start();
    await invoke();
    started[0]?.process.kill('dies');
    expect(await invoke()).toEqual({ answer: 'store (2)' });
  });
});
