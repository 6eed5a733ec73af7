import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOnboarding } from '#sandbox/scenario/onboarding.ts';
import { createOnboardingWatch } from '#sandbox/scenario/onboarding-watch.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';

const seed = 3;
const watch = createOnboardingWatch(seed);
let sandbox: HostedSandbox;
beforeAll(async () => {
  sandbox = await startHostedSandbox({ onAwsCall: watch.onAwsCall, platform: { seed } });
}, 120_000);
afterAll(() => sandbox.close());

describe('promises 6, 8 and 9, on the hosted stacks: answers and webhooks get lost, the platform fails, functions are killed', () => {
  it('one onboarding of each kind ends where it must, and nothing says whom it is about', {
    timeout: 240_000,
  }, async () => {
    const told: string[] = [];
    const checks = await runOnboarding({
      sandbox,
      watch,
      persons: 20,
      seed,
      onStep: (step) => told.push(step),
      onRound: () => undefined,
    });
    expect(
      checks.filter(({ holds }) => !holds),
      told.join('\n'),
    ).toEqual([]);
    expect(watch.kills.counts().get('advance')).toBeGreaterThan(0);
  });
});
