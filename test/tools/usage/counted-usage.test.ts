import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CountedUsage, readCountedUsage, type Usage } from '#cli/cost/counted-usage.ts';
import type { Host } from '#sandbox/aws/host.ts';
import { type HostedSandbox, startHostedSandbox } from '#test/end-to-end/hosted-sandbox.ts';
import { countUsage } from '#tools/usage/count-usage.ts';
import { createUsageCounter } from '#tools/usage/usage-counter.ts';

let host: Host | undefined;
let sandbox: HostedSandbox;
const counter = createUsageCounter({ stacks: () => host, readLog: () => sandbox.log() });
beforeAll(async () => {
  sandbox = await startHostedSandbox({
    onAwsCall: (moment) => (host === undefined ? undefined : counter.onAwsCall(moment)),
  });
  host = sandbox.host;
}, 120_000);
afterAll(() => sandbox.close());

/** Without sizes: a number in a log line has one digit more on another day. */
function withoutSizes({ logBytes: _, busBytes: __, ...counts }: Usage) {
  return counts;
}

function countsOf({ webhook: { storedBytes: _, lists, ...webhook }, runs }: CountedUsage) {
  const ofRuns = Object.entries(runs).map(([name, run]) => [name, withoutSizes(run)]);
  const listUnits = [lists.events.writeUnits, lists.entities.writeUnits];
  return { webhook: withoutSizes(webhook), listUnits, runs: Object.fromEntries(ofRuns) };
}

describe('cli/cost/counted-usage.json', () => {
  it('is what the functions ask of AWS: run node tools/usage/main.ts --save', async () => {
    const counted = await countUsage({ sandbox, counter });
    const kept = readCountedUsage();
    expect(countsOf(counted)).toEqual(countsOf(kept));
    const sizes = ({ webhook }: CountedUsage) => [
      webhook.logBytes,
      webhook.busBytes,
      ...Object.values(webhook.storedBytes),
      webhook.lists.events.storedBytes,
      webhook.lists.entities.storedBytes,
    ];
    for (const [index, bytes] of sizes(counted).entries()) {
      const keptBytes = sizes(kept)[index] ?? 0;
      expect(Math.abs(bytes - keptBytes) / keptBytes).toBeLessThan(0.1);
    }
  }, 120_000);
});
