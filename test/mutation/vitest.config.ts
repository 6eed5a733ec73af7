import { defineConfig } from 'vitest/config';
import { SmallestFirst } from './smallest-first.ts';

/** The tests of the pure core that need neither processes nor synthesized stacks. */
export default defineConfig({
  test: {
    root: process.cwd(),
    include: [
      'test/shared/entities/*.test.ts',
      'test/functions/onboarding/{onboarding,onboarding-document,waiting,call-outcome,former-ids,compare-person}.test.ts',
      'test/functions/retry-undelivered/{drain-progress,drain-properties,reconcile-progress}.test.ts',
      'test/functions/token-refresher/decide-refresh.test.ts',
      'test/functions/webhook-ingest/{decide-rotation,plan-registrations,describe-plan}.test.ts',
    ],
    sequence: { sequencer: SmallestFirst },
    testTimeout: 120_000,
  },
});
