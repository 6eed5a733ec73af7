import { describe, expect, it } from 'vitest';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { watchSteps } from '#sandbox/scenario/onboarding/watch.ts';
import { checkDays } from '#sandbox/scenario/soak/days.ts';
import { createRequestCounter } from '#sandbox/scenario/soak/meter.ts';
import { runSoak } from '#sandbox/scenario/soak/run-soak.ts';
import { startHostedSandbox } from './hosted-sandbox.ts';

/** Too small to compare days: test/sandbox/scenario/soak/days.test.ts does. */
const size = { days: 1, hours: 2, webhooks: 24, orders: 6, transfers: 4, persons: 4, seed: 1 };

const ignore = () => undefined;

describe('the scenario soak, with a short day', () => {
  it('loses, doubles and leaves nothing, and measures what the day costs', { timeout: 360_000 }, async () => {
    const counter = createRequestCounter();
    const steps = watchSteps();
    const onAwsCall = (moment: AwsCallMoment) => {
      counter.onAwsCall(moment);
      steps.onAwsCall(moment);
    };
    const sandbox = await startHostedSandbox({ onAwsCall, platform: { onCall: counter.onPlatformCall } });
    try {
      const { days, checks } = await runSoak({ sandbox, counter, steps, ...size, onStep: ignore, onDay: ignore });
      expect([...checkDays(days), ...checks].filter(({ holds }) => !holds)).toEqual([]);
      expect(days).toHaveLength(size.days);
      for (const { counts, rows, requests, memory } of days) {
        expect(counts.webhooks).toBeGreaterThan(size.webhooks);
        expect(rows['events']).toBe(counts['events stored']);
        expect(Object.keys(requests).toSorted()).toEqual([
          'dynamodb',
          'eventBridge',
          'platform',
          'secretsManager',
          'sqs',
        ]);
        for (const name of ['emulators and platform', 'store', 'advance']) expect(memory[name]).toBeGreaterThan(10);
      }
    } finally {
      await sandbox.close();
    }
  });
});
