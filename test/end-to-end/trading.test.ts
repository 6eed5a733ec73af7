import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { watchChanges } from '#sandbox/scenario/common/published-changes.ts';
import { runTrading } from '#sandbox/scenario/trading/run-trading.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';

/** So many moments of its calls apart the processes of store end, so often at the most: no message is tried ten times. */
const killEvery = 149;
const maxKills = 10;

const { onAwsCall, changes } = watchChanges();
const kills = { before: 0, after: 0 };
let moments = 0;
let sandbox: HostedSandbox;
beforeAll(async () => {
  sandbox = await startHostedSandbox({
    onAwsCall: (moment) => {
      killNowAndThen(moment);
      onAwsCall(moment);
    },
  });
}, 120_000);
afterAll(() => sandbox.close());

function killNowAndThen({ operation, when }: AwsCallMoment): void {
  if (!['PutItem', 'UpdateItem', 'PutEvents'].includes(operation)) return;
  moments += 1;
  const isBefores = kills.before === kills.after;
  if (moments < killEvery || when !== (isBefores ? 'before' : 'after') || kills.after === maxKills / 2) return;
  moments = 0;
  kills[when] += 1;
  sandbox?.host.functions.find('store')?.kill();
}

describe('promises 2 to 4, on the hosted stacks: store is killed before and after its writes, and deliveries are unreliable', () => {
  it('every entity ends as the platform has it, and every change was published', { timeout: 180_000 }, async () => {
    const checks = await runTrading({ sandbox, changes, orders: 50, transfers: 30, seed: 7, onStep: () => undefined });
    expect(checks.filter(({ holds }) => !holds)).toEqual([]);
    expect(kills).toEqual({ before: maxKills / 2, after: maxKills / 2 });
  });
});
