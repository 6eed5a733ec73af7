import { Duration } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addFunction } from '#test/sandbox/aws/fixture-assembly.ts';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';

let fixture: FixtureHost;
beforeAll(async () => {
  fixture = await startFixture((stack) => {
    addFunction(
      stack,
      'Fragile',
      `let count = 0;
       const trouble = {
         none: () => ({ count, pid: process.pid }),
         sleep: () => new Promise(() => setInterval(() => {}, 1000)),
         spin: () => { for (;;); },
         exit: () => process.exit(3),
         throw: () => { throw new TypeError('no such order'); },
         rejectUnseen: () => { void Promise.reject(new Error('unseen')); return new Promise(() => setInterval(() => {}, 1000)); },
         waitForNothing: () => new Promise(() => {}),
         throwLater: () => new Promise(() => setTimeout(() => { throw new Error('later'); }, 1)),
       };
       exports.handler = async ({ mode = 'none' }) => { count += 1; return trouble[mode](); };`,
      { timeout: Duration.seconds(1) },
    );
    addFunction(stack, 'Unloadable', "throw new RangeError('cannot load');");
  });
});
afterAll(() => fixture.close());

const aliveAnswer = z.object({ count: z.number(), pid: z.number() });

async function alive(): Promise<z.infer<typeof aliveAnswer>> {
  return aliveAnswer.parse(await fixture.call('fragile'));
}

/** It has lost its process: the next invocation finds a module that has just been loaded. */
async function expectFreshProcess(): Promise<void> {
  expect((await alive()).count).toBe(1);
}

describe('sandbox aws: a function that exceeds its time limit', () => {
  it('is reported as timed out, and logged', async () => {
    expect(await fixture.failureOf('fragile', { mode: 'sleep' })).toEqual({
      errorType: 'Sandbox.Timedout',
      errorMessage: 'Task timed out after 1.00 seconds',
    });
    expect(fixture.written('fragile')).toContainEqual(expect.objectContaining({ errorType: 'Sandbox.Timedout' }));
  });

  it('is killed even when it blocks its event loop', async () => {
    expect(await fixture.failureOf('fragile', { mode: 'spin' })).toMatchObject({ errorType: 'Sandbox.Timedout' });
    await expectFreshProcess();
  });
});

describe('sandbox aws: a function that throws', () => {
  it('is reported with the name and message of the error, and keeps its process', async () => {
    const { pid: before } = await alive();
    expect(await fixture.failureOf('fragile', { mode: 'throw' })).toEqual({
      errorType: 'TypeError',
      errorMessage: 'no such order',
    });
    expect((await alive()).pid).toBe(before);
  });
});

describe('sandbox aws: a function whose process ends during an invocation', () => {
  it('is reported with the exit code or signal', async () => {
    expect(await fixture.failureOf('fragile', { mode: 'exit' })).toEqual({
      errorType: 'Runtime.ExitError',
      errorMessage: 'Runtime exited with error: exit status 3',
    });
  });

  it.each(['exit', 'rejectUnseen', 'throwLater', 'waitForNothing'])(
    'gets a new process for the next invocation (%s)',
    async (mode) => {
      expect(await fixture.failureOf('fragile', { mode })).toMatchObject({ errorType: 'Runtime.ExitError' });
      await expectFreshProcess();
    },
  );
});

describe('sandbox aws: a function that cannot be loaded', () => {
  it('is reported with the error of its module', async () => {
    expect(await fixture.failureOf('unloadable')).toEqual({ errorType: 'RangeError', errorMessage: 'cannot load' });
  });
});
