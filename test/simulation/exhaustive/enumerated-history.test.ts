import { describe, expect, it } from 'vitest';
import { createPlatformAppForAll } from '#test/simulation/world/platform-app.ts';
import { readFaults } from './enumerated-fault.ts';
import { FaultNotReachedError, runEnumerated } from './enumerated-history.ts';
import { historyNames } from './small-history.ts';
import { tellEnumerated } from './tell-enumerated.ts';

const app = createPlatformAppForAll();
const whole = { seed: 1, name: 4 } as const;

describe('an enumerated history', () => {
  it.each(historyNames)('numbers each I/O that is done: %s', async (name) => {
    const told: string[] = [];
    const tell = (_: number, __: string, what: string) => told.push(what);
    const { occasions } = await runEnumerated({ seed: 1, name, faults: [] }, { app, tell });
    const done = told.filter((what) =>
      /^(dynamodb|sqs|secrets-manager|eventbridge|platform|token-service) /.test(what),
    );
    expect(occasions.filter(({ caller }) => caller !== undefined)).toHaveLength(done.length);
    expect(occasions.map(({ number }) => number)).toEqual(occasions.map((_, index) => index + 1));
    expect(occasions.every(({ caller, ways }) => caller === undefined || ways.length > 1)).toBe(true);
  });

  it('is the same each time, and the same as without a fault until that happens', async () => {
    const { occasions } = await runEnumerated({ ...whole, faults: [] }, { app });
    const at = occasions.findIndex(({ number, caller }) => caller !== undefined && number > 20);
    const faults = readFaults(`${at + 1}:crash-after-an-io`);
    const crashed = await runEnumerated({ ...whole, faults }, { app });
    expect(crashed.occasions.slice(0, at)).toEqual(occasions.slice(0, at));
    const { text } = await tellEnumerated({ ...whole, faults }, { app });
    expect((await tellEnumerated({ ...whole, faults }, { app })).text).toBe(text);
    expect(text).toMatch(/FAULT +\d+:crash-after-an-io/);
  });

  it('goes on with what was done because of its fault, in which another can happen', async () => {
    const { occasions } = await runEnumerated({ ...whole, name: 1, faults: [] }, { app });
    const [crash] = occasions.flatMap(({ number, caller, ways }) =>
      caller !== undefined ? ways.map((way) => ({ at: number, way })) : [],
    );
    const crashed = await runEnumerated({ ...whole, name: 1, faults: crash ? [crash] : [] }, { app });
    expect(crash?.way.kind).toBe('crash before an I/O');
    expect(crashed.occasions.length).toBeGreaterThan(occasions.length);
  });

  it('fails where a fault does not happen', async () => {
    const faults = readFaults('9999:throttling');
    await expect(runEnumerated({ ...whole, faults }, { app })).rejects.toThrow(FaultNotReachedError);
  });

  it('fetches what nobody was there to take in', async () => {
    const { text } = await tellEnumerated({ ...whole, faults: [] }, { app });
    expect(text).toContain('platform POST /webhooks-undelivered/mark-delivered');
  });

  it('is told with what repeats it', async () => {
    const { text } = await tellEnumerated({ ...whole, faults: readFaults('1:gateway-throttling') }, { app });
    const [first] = text.split('\n');
    expect(first).toBe('npm run simulate -- --exhaustive --seed 1 --events 4 --faults 1:gateway-throttling');
  });
});
