import { devNull } from 'node:os';
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
      'Sleeper',
      `const { setTimeout: wait } = require('node:timers/promises');
       exports.handler = async ({ name }) => {
         console.log(JSON.stringify({ began: name, pid: process.pid }));
         await wait(300);
         return { name, pid: process.pid };
       };`,
    );
    addFunction(stack, 'Alone', 'exports.handler = async () => process.pid;', { reservedConcurrentExecutions: 1 });
    addFunction(
      stack,
      'Keeper',
      `const kept = [];
       exports.handler = async ({ mebibytes }) => {
         Buffer.alloc(50 * 1024 * 1024);
         kept.push(Buffer.alloc(mebibytes * 1024 * 1024));
       };`,
    );
    addFunction(
      stack,
      'Mirror',
      `exports.handler = async (event, context) => ({
         event,
         context: { ...context, remaining: context.getRemainingTimeInMillis() },
         variables: process.env,
         execArgv: process.execArgv,
         directory: process.cwd(),
       });`,
      {
        environment: { TABLE: 'orders', AWS_LAMBDA_LOG_FORMAT: 'not to be set', QUOTES: `"'$HOME` },
        memorySize: 256,
        timeout: Duration.seconds(7),
      },
    );
  });
});
afterAll(() => fixture.close());

const mirrored = z.object({
  event: z.unknown(),
  context: z.record(z.string(), z.unknown()),
  variables: z.record(z.string(), z.string()),
  execArgv: z.array(z.string()),
  directory: z.string(),
});
const mirror = async (event?: unknown) => mirrored.parse(await fixture.call('mirror', event));

describe('sandbox aws: a variable that changes', () => {
  it('is in later invocations, and the invocation that runs ends', async () => {
    expect(fixture.host.functions.variable('COLOUR')).toBeUndefined();
    await mirror();
    const running = fixture.call('sleeper', { name: 'running' });
    await expect.poll(() => fixture.written('sleeper')).toContainEqual(expect.objectContaining({ began: 'running' }));
    fixture.host.functions.setVariable('COLOUR', 'blue');
    expect(await running).toMatchObject({ name: 'running' });
    expect((await mirror()).variables).toMatchObject({ COLOUR: 'blue', TABLE: 'orders' });
    const { pid } = z.object({ pid: z.number() }).parse(await running);
    expect(await fixture.call('sleeper', { name: 'later' })).not.toMatchObject({ pid });
  });
});

describe('sandbox aws: an invocation beside others', () => {
  it('waits for a free process and is answered', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `name ${index}`);
    const answers = await Promise.all(names.map((name) => fixture.call('sleeper', { name })));
    expect(answers).toEqual(names.map((name) => ({ name, pid: expect.any(Number) })));
  });

  it('shares no process of a function with a concurrency of one', async () => {
    const pids = await Promise.all(Array.from({ length: 5 }, () => fixture.call('alone')));
    expect(new Set(pids).size).toBe(1);
  });
});

describe('sandbox aws: the memory of a function', () => {
  it('is what its processes keep, without garbage', async () => {
    const keeper = fixture.host.functions.find('keeper');
    await fixture.call('keeper', { mebibytes: 0 });
    const [before = 0] = (await keeper?.keptMebibytes()) ?? [];
    await fixture.call('keeper', { mebibytes: 20 });
    const [after = 0] = (await keeper?.keptMebibytes()) ?? [];
    expect(before).toBeGreaterThan(0);
    expect(Math.round(after - before)).toBe(20);
  });

  it('is none once its processes have ended', async () => {
    const keeper = fixture.host.functions.find('keeper');
    keeper?.kill();
    expect(await keeper?.keptMebibytes()).toEqual([]);
  });
});

describe('sandbox aws: what a function receives', () => {
  it('is the environment of the stack, character by character, and the one that Lambda sets regardless of it', async () => {
    const { variables } = await mirror();
    expect(variables).toMatchObject({ TABLE: 'orders', QUOTES: `"'$HOME` });
    expect(variables).toMatchObject({
      AWS_REGION: 'eu-central-1',
      AWS_LAMBDA_FUNCTION_NAME: 'fixture-mirror',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      _HANDLER: 'index.handler',
      TZ: ':UTC',
    });
  });

  it('is the endpoint of the emulators with keys that identify the function, and no profile of the developer', async () => {
    expect((await mirror()).variables).toMatchObject({
      AWS_ENDPOINT_URL: fixture.host.place.awsOrigin,
      AWS_ACCESS_KEY_ID: 'sandbox.mirror',
      // A setting of a profile, such as use_fips_endpoint, would fail every call.
      AWS_CONFIG_FILE: devNull,
      AWS_SHARED_CREDENTIALS_FILE: devNull,
    });
  });

  it("is no variable of the host's environment", async () => {
    const { variables } = await mirror();
    expect(Object.keys(variables).filter((name) => /^(npm_|VITEST|HOME$|USER$)/.test(name))).toEqual([]);
  });

  it('is the remaining time of its time limit, and a heap no larger than its memory', async () => {
    const { context, execArgv } = await mirror();
    const { remaining } = z.object({ remaining: z.number() }).parse(context);
    expect(remaining).toBeGreaterThan(0);
    expect(remaining).toBeLessThanOrEqual(7_000);
    expect(execArgv).toContain('--max-old-space-size=256');
  });
});

describe('sandbox aws: a function on the host', () => {
  it('fails when it is killed during an invocation, and gets a new process for the next one', async () => {
    const failure = fixture.failureOf('sleeper', { name: 'killed' });
    await expect
      .poll(() => fixture.written('sleeper'), { timeout: 20_000 })
      .toContainEqual(expect.objectContaining({ began: 'killed' }));
    fixture.host.functions.find('sleeper')?.kill();
    expect(await failure).toEqual({
      errorType: 'Runtime.ExitError',
      errorMessage: 'Runtime exited with error: signal: SIGKILL',
    });
    expect(await fixture.call('sleeper', { name: 'after' })).toMatchObject({ name: 'after' });
  });
});

describe('sandbox aws: a host that closes', () => {
  it('ends every process and fails the invocations in progress', async () => {
    const closing = await startFixture((stack) => {
      addFunction(
        stack,
        'Endless',
        `exports.handler = () => {
           console.log(JSON.stringify({ pid: process.pid }));
           return new Promise(() => setInterval(() => {}, 1000));
         };`,
        { timeout: Duration.minutes(5) },
      );
      addFunction(stack, 'Idle', 'exports.handler = async () => process.pid;');
    });
    const idle = z.number().parse(await closing.call('idle'));
    // More than there are processes: the last two wait for one.
    const failures = Promise.all(Array.from({ length: 6 }, () => closing.failureOf('endless')));
    await expect.poll(() => closing.written('endless'), { timeout: 20_000 }).toHaveLength(4);
    const busy = closing.written('endless').map((entry) => z.object({ pid: z.number() }).parse(entry).pid);
    expect([idle, ...busy].filter(isAlive)).toHaveLength(5);

    await closing.close();

    expect([idle, ...busy].filter(isAlive)).toEqual([]);
    const errorTypes = (await failures).map(({ errorType }) => errorType);
    expect(errorTypes.toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => 'Runtime.ExitError'),
      ...Array.from({ length: 2 }, () => 'Sandbox.Closed'),
    ]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
