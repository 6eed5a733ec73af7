import { describe, expect, it } from 'vitest';
import { createRepresentative } from '#sandbox/scenario/onboarding/platform-part.ts';
import { runOnboarding } from '#sandbox/scenario/onboarding/run-onboarding.ts';
import { createOnboardingWatch } from '#sandbox/scenario/onboarding/watch.ts';
import { startHostedSandbox } from './hosted-sandbox.ts';

const seed = 3;

type Run = Pick<Parameters<typeof startHostedSandbox>[0] & object, 'onboarding'> & { readonly persons: number };

/** What does not hold, and how often `advance` was killed. */
async function run({ persons, onboarding }: Run) {
  const watch = createOnboardingWatch(seed);
  const sandbox = await startHostedSandbox({ onAwsCall: watch.onAwsCall, platform: { seed }, onboarding });
  try {
    const told: string[] = [];
    const onStep = (step: string) => told.push(step);
    const checks = await runOnboarding({ sandbox, watch, persons, seed, onStep, onRound: () => undefined });
    return { failing: checks.filter(({ holds }) => !holds), told, kills: watch.kills.counts().get('advance') };
  } finally {
    await sandbox.close();
  }
}

describe('promises 6, 8 and 9, on the hosted stacks: answers and webhooks get lost, the platform fails, functions are killed', () => {
  it('one onboarding of each kind ends where it must, and nothing says whom it is about', {
    timeout: 360_000,
  }, async () => {
    const { failing, told, kills } = await run({ persons: 28 });
    expect(failing, told.join('\n')).toEqual([]);
    expect(kills).toBeGreaterThan(0);
  });

  it('so with a configured requestor, to which an operator gives the proxies that it lacks (section 5)', {
    timeout: 360_000,
  }, async () => {
    const { failing, told, kills } = await run({ persons: 16, onboarding: createRepresentative });
    expect(failing, told.join('\n')).toEqual([]);
    expect(kills).toBeGreaterThan(0);
  });
});
