import { beforeEach, describe, expect, it } from 'vitest';
import { type StepWatch, watchSteps } from '#sandbox/scenario/onboarding/watch.ts';

let watch: StepWatch;
beforeEach(() => {
  watch = watchSteps();
});

const event = (sequence: number, detailType = 'OnboardingProgressed') => ({
  detailType,
  detail: { onboardingId: 'o', sequence },
});

/** @param sequences of what waits to be published in this version */
function put(version: number, ...sequences: readonly number[]): void {
  const Item = {
    onboardingId: { S: 'o' },
    version: { N: String(version) },
    outbox: { S: JSON.stringify(sequences.map((sequence) => event(sequence))) },
  };
  watch.onAwsCall({ when: 'after', operation: 'PutItem', input: () => ({ TableName: 'onboardings', Item }) });
}

function publish(sequence: number, detailType = 'OnboardingProgressed', when: 'before' | 'after' = 'after'): void {
  const Entries = [{ DetailType: detailType, Detail: JSON.stringify(event(sequence).detail) }];
  watch.onAwsCall({ when, operation: 'PutEvents', input: () => ({ Entries }) });
}

describe('sandbox scenario: watchSteps', () => {
  it('counts a written step as unpublished until it is published', () => {
    put(1, 1);
    put(2, 1, 2);
    expect(watch.unpublished()).toBe(2);
    publish(1, 'OnboardingAccepted');
    publish(2, 'OnboardingProgressed', 'before');
    expect(watch.unpublished()).toBe(1);
    publish(2);
    expect(watch.unpublished()).toBe(0);
  });

  it('expects no event when the onboarding stays at its step', () => {
    put(1);
    put(2, 1);
    expect(watch.unpublished()).toBe(0);
  });

  it('ignores a version of which it is unknown which write succeeded', () => {
    put(2, 2);
    put(2);
    expect(watch.unpublished()).toBe(0);
  });

  it('counts a step once, however often it is published', () => {
    publish(7, 'OnboardingCompleted');
    publish(7, 'OnboardingCompleted');
    expect(watch.count('OnboardingCompleted')).toBe(1);
  });

  it('ignores writes to other tables', () => {
    watch.onAwsCall({ when: 'after', operation: 'PutItem', input: () => ({ Item: { eventId: { S: 'e' } } }) });
    expect(watch.unpublished()).toBe(0);
  });
});
