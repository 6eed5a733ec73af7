import { describe, expect, it } from 'vitest';
import { createPlatformAppForAll } from '#test/simulation/system/platform-app.ts';
import { readFaults } from './enumerated-fault.ts';
import { FaultNotReachedError, runEnumerated } from './enumerated-history.ts';
import { historyNames } from './small-history.ts';
import { traceEnumerated } from './trace-enumerated.ts';

const app = createPlatformAppForAll();
const whole = { seed: 1, name: 4 } as const;

describe('an enumerated history', () => {
  it.each(historyNames)('numbers each I/O of the history: %s', async (name) => {
    const traced: string[] = [];
    const trace = (_: number, __: string, what: string) => traced.push(what);
    const { faultPoints } = await runEnumerated({ seed: 1, name, faults: [] }, { app, trace });
    const done = traced.filter((what) =>
      /^(dynamodb|sqs|secrets-manager|eventbridge|platform|token-service) /.test(what),
    );
    expect(faultPoints.filter(({ call }) => call !== undefined)).toHaveLength(done.length);
    expect(faultPoints.map(({ number }) => number)).toEqual(faultPoints.map((_, index) => index + 1));
    expect(faultPoints.every(({ call, variants }) => call === undefined || variants.length > 1)).toBe(true);
  });

  it('repeats exactly, and equals the history without the fault until the fault', async () => {
    const { faultPoints } = await runEnumerated({ ...whole, faults: [] }, { app });
    const at = faultPoints.findIndex(({ number, call }) => call !== undefined && number > 20);
    const faults = readFaults(`${at + 1}:crash-after-an-io`);
    const crashed = await runEnumerated({ ...whole, faults }, { app });
    expect(crashed.faultPoints.slice(0, at)).toEqual(faultPoints.slice(0, at));
    const { text } = await traceEnumerated({ ...whole, faults }, { app });
    expect((await traceEnumerated({ ...whole, faults }, { app })).text).toBe(text);
    expect(text).toMatch(/FAULT +\d+:crash-after-an-io/);
  });

  it('throws a FaultNotReachedError when a fault does not happen', async () => {
    const faults = readFaults('9999:throttling');
    await expect(runEnumerated({ ...whole, faults }, { app })).rejects.toThrow(FaultNotReachedError);
  });

  it('has the command that repeats it in its trace', async () => {
    const { text } = await traceEnumerated({ ...whole, faults: readFaults('1:gateway-throttling') }, { app });
    const [first] = text.split('\n');
    expect(first).toBe('npm run simulate -- --exhaustive --seed 1 --events 4 --faults 1:gateway-throttling');
  });
});
