import { describe, expect, it } from 'vitest';
import { createRepresentative, requireRequestorEverywhere } from '#sandbox/scenario/onboarding/platform-part.ts';
import { runOnboarding } from '#sandbox/scenario/onboarding/run-onboarding.ts';
import { createOnboardingWatch } from '#sandbox/scenario/onboarding/watch.ts';
import { startHostedSandbox } from './hosted-sandbox.ts';

const seed = 3;

type Run = Pick<Parameters<typeof startHostedSandbox>[0] & object, 'onboarding' | 'requestors'> & {
  readonly persons: number;
};

/** Runs the onboarding scenario. Returns the checks that fail, the steps, and how often `advance` was killed. */
async function run({ persons, ...settings }: Run) {
  const watch = createOnboardingWatch(seed);
  const sandbox = await startHostedSandbox({ onAwsCall: watch.onAwsCall, platform: { seed }, ...settings });
  try {
    const steps: string[] = [];
    const onStep = (step: string) => steps.push(step);
    const checks = await runOnboarding({ sandbox, watch, persons, seed, onStep, onRound: () => undefined });
    return { failing: checks.filter(({ holds }) => !holds), steps, kills: watch.kills.counts().get('advance') };
  } finally {
    await sandbox.close();
  }
}

const requestors = [
  { requestor: 'the person itself', persons: 28, requestors: requireRequestorEverywhere },
  { requestor: 'a configured person, with proxies from an operator', persons: 16, onboarding: createRepresentative },
];

describe('an onboarding while answers and webhooks are lost, the platform fails and functions are killed', () => {
  it.each(requestors)(
    'ends as planned for each persona, without personal data in logs, queues and bus events: the requestor is $requestor',
    { timeout: 360_000 },
    async ({ requestor: _, ...settings }) => {
      const { failing, steps, kills } = await run(settings);
      expect(failing, steps.join('\n')).toEqual([]);
      expect(kills).toBeGreaterThan(0);
    },
  );
});
