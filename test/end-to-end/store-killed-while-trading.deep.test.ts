import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { watchChanges } from '#sandbox/scenario/common/published-changes.ts';
import { runTrading } from '#sandbox/scenario/trading/run-trading.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';

/** The calls of store between two kills, and the number of kills: too few to use up the receives of a message. */
const killEvery = 97;
const maxKills = 10;
/** With this seed the orders and transfers reach every status. */
const trade = { orders: 50, transfers: 30, seed: 7 };

const { onAwsCall, changes } = watchChanges();
const kills = { before: 0, after: 0 };
let moments = 0;
let sandbox: HostedSandbox;
beforeAll(async () => {
  sandbox = await startHostedSandbox({
    onAwsCall: (moment) => {
      killSometimes(moment);
      onAwsCall(moment);
    },
  });
}, 120_000);
afterAll(() => sandbox.close());

function killSometimes({ operation, when }: AwsCallMoment): void {
  if (!['PutItem', 'UpdateItem', 'PutEvents'].includes(operation)) return;
  moments += 1;
  const isNextBefore = kills.before === kills.after;
  if (moments < killEvery || when !== (isNextBefore ? 'before' : 'after') || kills.after === maxKills / 2) return;
  moments = 0;
  kills[when] += 1;
  sandbox?.host.functions.find('store')?.kill();
}

describe('store, killed before and after its writes while deliveries are unreliable', () => {
  it('ends with every entity as on the platform, and has published every change', { timeout: 180_000 }, async () => {
    const checks = await runTrading({ sandbox, changes, ...trade, onStep: () => undefined });
    expect(checks.filter(({ holds }) => !holds)).toEqual([]);
    expect(kills).toEqual({ before: maxKills / 2, after: maxKills / 2 });
  });
});
