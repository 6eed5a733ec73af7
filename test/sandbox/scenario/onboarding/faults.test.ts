import { describe, expect, it } from 'vitest';
import { createRandom } from '#sandbox/platform/core/random.ts';
import { createFunctionKills } from '#sandbox/scenario/onboarding/faults.ts';

function killsOf(calls: readonly (string | undefined)[], maxKills: number, seed = 1): readonly string[] {
  const killed: string[] = [];
  const kills = createFunctionKills({ random: createRandom(seed), maxKills });
  kills.onAwsCall({ caller: 'advance' });
  kills.begin((name) => killed.push(name));
  for (const caller of calls) kills.onAwsCall({ caller });
  expect([...kills.counts().values()].reduce((sum, count) => sum + count, 0)).toBe(killed.length);
  kills.end();
  for (const caller of calls) kills.onAwsCall({ caller });
  return killed;
}

const many = (caller: string | undefined) => Array.from({ length: 10_000 }, () => caller);

describe('sandbox scenario: createFunctionKills', () => {
  it('kills each function that makes calls, fewer times than a message is delivered', () => {
    const killed = killsOf([...many('advance'), ...many('store')], 5);
    expect(killed.filter((name) => name === 'advance')).toHaveLength(5);
    expect(killed.filter((name) => name === 'store')).toHaveLength(5);
  });
});
