import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWaitingOnboardings } from '#functions/retry-undelivered/reconcile/wake-onboardings.ts';
import { createBatchQueue } from '#shared/aws/batch-queue.ts';
import { createOnboardingFinder } from '#shared/onboarding/onboarding-finder.ts';
import { readOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';

const now = new Date('2026-01-02T12:00:00Z');
let emulators: Emulators;
beforeAll(async () => {
  emulators = await startEmulators();
  await emulators.createTable('onboardings', 'waiting');
});
afterAll(() => emulators.close());

describe('promise 9: an onboarding whose wake was lost is woken when it is due', () => {
  it('finds it in every shard, and wakes none that is due later or has ended', async () => {
    const { dynamodb, sqs, queueUrl } = emulators;
    const store = createOnboardingStore({ dynamodb, tableName: 'waiting', now: () => now });
    const dues = Array.from({ length: 60 }, (_, index) =>
      [now.toISOString(), '2026-01-02T12:00:00.001Z', undefined].at(index % 3),
    );
    const rows = dues.map((dueOn, index) => sampleOnboarding(`partner-${index}`, { dueOn }));
    for (const row of rows) await store.create(row);
    const waiting = createWaitingOnboardings({
      finder: createOnboardingFinder({ dynamodb, tableName: 'waiting' }),
      queue: createBatchQueue({ sqs, queueUrl }),
    });
    const due = await waiting.listDue(now);
    expect(new Set(due)).toEqual(new Set(rows.filter((_, index) => index % 3 === 0).map((row) => row.onboardingId)));
    await waiting.wake(due);
    const woken = (await emulators.receiveAll()).map((text) => readOnboardingMessage(text).onboardingId);
    expect(new Set(woken)).toEqual(new Set(due));
  });
});
