import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CountedUsage, readCountedUsage, type Usage } from '#cli/cost/counted-usage.ts';
import { readPricedResources } from '#cli/cost/priced-resources.ts';
import { quantitiesOf } from '#cli/cost/quantities.ts';
import type { Host } from '#sandbox/aws/host.ts';
import { type HostedSandbox, startHostedSandbox } from '#test/end-to-end/hosted-sandbox.ts';
import { deployedStack } from '#test/infra/deployed-stack.ts';
import { countPeers } from '#tools/usage/count-peers.ts';
import { countUsage, createCounting } from '#tools/usage/count-usage.ts';
import { createUsageCounter } from '#tools/usage/usage-counter.ts';

let host: Host | undefined;
let sandbox: HostedSandbox;
const counter = createUsageCounter({ stacks: () => host, readLog: () => sandbox.log() });
beforeAll(async () => {
  sandbox = await startHostedSandbox({
    onAwsCall: (moment) => (host === undefined ? undefined : counter.onAwsCall(moment)),
  });
  host = sandbox.host;
});
afterAll(() => sandbox.close());

/** Without sizes: a number in a log line has one digit more on another day. */
function withoutSizes({ logBytes: _, busBytes: __, ...counts }: Usage) {
  return counts;
}

function countsOf({ webhook: { storedBytes: _, lists, ...webhook }, runs, reconcile }: Omit<CountedUsage, 'peers'>) {
  const ofRuns = Object.entries(runs).map(([name, run]) => [name, withoutSizes(run)]);
  const listUnits = [lists.events.writeUnits, lists.entities.writeUnits];
  return { webhook: withoutSizes(webhook), listUnits, runs: Object.fromEntries(ofRuns), reconcile };
}

/** How far a figure is from another one, as a share. */
const difference = (one: number, other: number) => Math.abs(one - other) / other;

describe('cli/cost/counted-usage.json', () => {
  it('is what the functions ask of AWS: run node tools/usage/main.ts --save', async () => {
    const counted = await countUsage({ sandbox, counter });
    const kept = readCountedUsage();
    expect(countsOf(counted)).toEqual(countsOf(kept));
    const sizes = ({ webhook: { logBytes, busBytes, storedBytes, lists } }: Pick<CountedUsage, 'webhook'>) => [
      logBytes,
      busBytes,
      ...Object.values(storedBytes),
      lists.events.storedBytes,
      lists.entities.storedBytes,
    ];
    for (const [index, bytes] of sizes(counted).entries())
      expect(difference(bytes, sizes(kept)[index] ?? 0)).toBeLessThan(0.05);
  });

  it('makes a model that agrees within 5% with what further webhooks and runs take', async () => {
    const { countOrders, runSchedules } = createCounting({ sandbox, counter });
    const counted = await countOrders([5, 6, 7, 8, 9, 10], async () => {
      for (const _ of [1, 2]) await runSchedules();
    });
    const resources = readPricedResources([deployedStack('data'), deployedStack('service')]);
    const schedules = resources.schedules.map(({ name }) => ({ name, runsPerMonth: 2 }));
    const settings = {
      eventRetentionDays: 90,
      callsPerSecond: 5,
      listEveryHours: 24,
      readBackAfterHours: 6,
      lists: { events: false, entities: false },
    };
    const model = quantitiesOf({
      ...settings,
      resources: { ...resources, schedules },
      usage: readCountedUsage(),
      webhooks: 6,
      entities: 0,
    });
    const { archived, logged } = model;
    const platformLines = 2 * schedules.length * 700;
    const pairs = {
      writeUnits: [model.writeUnit + model.rareWriteUnit + model.reconcileWrite, counted.writeUnits],
      readUnits: [model.readUnit + model.reconcileRead, counted.readUnits],
      busEvents: [model.busEvent, counted.busEvents],
      busBytes: [archived * 1_024 ** 3, counted.busBytes],
      logBytes: [logged * 1_024 ** 3 - platformLines, counted.logBytes],
    };
    for (const [name, [modelled = 0, found = 0]] of Object.entries(pairs))
      expect(difference(modelled, found), name).toBeLessThan(0.05);
  });

  it('has what the peers ask of AWS', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'drawbridge-peers-'));
    try {
      const { logBytes, ...counts } = await countPeers(directory);
      const { logBytes: kept, ...keptCounts } = readCountedUsage().peers;
      expect(counts).toEqual(keptCounts);
      expect(difference(logBytes, kept)).toBeLessThan(0.05);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
