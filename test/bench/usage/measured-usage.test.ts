import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type MeasuredInvocation, readMeasuredUsage } from '#infra/cost/measured-usage.ts';
import { measureUsage } from './measure-usage.ts';

const directory = mkdtempSync(join(tmpdir(), 'drawbridge-usage-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What no machine makes slower. */
const countsOf = ({ requests, writeUnits, readUnits, logBytes }: MeasuredInvocation) => ({
  requests,
  writeUnits,
  readUnits,
  logBytes,
});

describe('infra/cost/measured-usage.json', () => {
  it('has the requests, the units and the bytes of logs that receive and store take: run npm run bench -- --part usage --save', async () => {
    const counted = await measureUsage({ directory, rounds: 1, calls: 1, warmUp: 1, onRun: () => undefined });
    const kept = readMeasuredUsage();
    for (const design of ['drawbridge', 'reference'] as const)
      for (const of of ['receive', 'store', 'storeTen'] as const)
        expect(countsOf(counted[design][of]), `${of} of ${design}`).toEqual(countsOf(kept[design][of]));
  }, 120_000);
});
