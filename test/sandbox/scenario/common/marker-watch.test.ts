import { describe, expect, it } from 'vitest';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { canaryFinder } from '#sandbox/scenario/common/canary.ts';
import { type CanaryPlace, checkCanaries, createCanaryWatch } from '#sandbox/scenario/common/canary-watch.ts';

const call = (operation: string, input: unknown, caller: string | undefined = 'advance'): AwsCallMoment => ({
  when: 'before',
  service: 'sqs',
  operation,
  caller,
  input: () => input,
});
const event = (DetailType: string, Detail: object) => ({ Entries: [{ DetailType, Detail: JSON.stringify(Detail) }] });
const toOnboarding = { QueueUrl: 'http://sqs/0/drawbridge-sandbox-service-onboarding' };
const toWebhooks = { QueueUrl: 'http://sqs/0/drawbridge-sandbox-service-WebhookIngestWebhooks1' };

describe('sandbox scenario: createCanaryWatch (promise 8)', () => {
  it.each(['Canarybird', 'canarybird', 'x%20CANARYBIRD%20', '{"a":"Canarybird 7"}'])('finds a canary in %s', (text) => {
    expect(canaryFinder(['Canarybird'])(text)).toBe(true);
  });

  it.each(['', 'x', 'xy', 'xyz', '{"firstName":"'])('finds a canary in Base64, after %j', (before) => {
    const text = Buffer.from(`${before}Canarybird, and more`).toString('base64');
    expect(canaryFinder(['Canarybird'])(text)).toBe(true);
  });

  it('finds no canary in a text without one', () => {
    expect(canaryFinder(['Canarybird'])(`Canary bird ${Buffer.from('Canary').toString('base64')}`)).toBe(false);
  });

  it.each<[CanaryPlace, AwsCallMoment]>([
    ['bus', call('PutEvents', event('OnboardingProgressed', { reasons: ['Canarybird'] }))],
    ['bus', call('PutEvents', event('OnboardingRequested', { reasons: ['Canarybird'] }))],
    ['queue', call('SendMessage', { ...toOnboarding, MessageBody: 'Canarybird' })],
    ['queue', call('SendMessage', { ...toOnboarding, MessageBody: '', MessageAttributes: { of: 'Canarybird' } })],
    ['queue', call('SendMessageBatch', { ...toOnboarding, Entries: [{ MessageBody: 'Canarybird' }] })],
    ['webhooks queue', call('SendMessage', { ...toWebhooks, MessageBody: 'Canarybird' })],
  ])('finds a canary on its way to a %s', (place, moment) => {
    const watch = createCanaryWatch(['Canarybird']);
    watch.onAwsCall(moment);
    watch.onAwsCall({ ...moment, when: 'after' });
    expect(watch.sightings(place)).toHaveLength(1);
    expect(checkCanaries(watch, [place])).toEqual([expect.objectContaining({ found: 1, holds: false })]);
  });

  it('allows a canary in a request that the partner puts on the bus', () => {
    const watch = createCanaryWatch(['Canarybird']);
    const { input, operation, when, service } = call('PutEvents', event('OnboardingRequested', { a: 'Canarybird' }));
    watch.onAwsCall({ input, operation, when, service, caller: undefined });
    expect(watch.inspected('bus')).toBe(0);
  });

  it('finds a canary in the log line of a function, and ignores the lines of the platform', () => {
    const watch = createCanaryWatch(['Canarybird']);
    watch.inspectLog('advance {"level":"INFO"}\nplatform Canarybird\nstore {"message":"Canarybird"}\n');
    expect(watch.inspected('log')).toBe(2);
    expect(watch.sightings('log')).toEqual(['by store']);
  });

  it('fails the check of a place that it has not inspected', () => {
    const watch = createCanaryWatch(['Canarybird']);
    expect(checkCanaries(watch, ['bus']).every(({ holds }) => holds)).toBe(false);
    expect(checkCanaries(watch, ['dead letter']).every(({ holds }) => holds)).toBe(true);
    watch.inspect('dead letter', 'Canarybird', 'webhook-dlq');
    expect(checkCanaries(watch, ['dead letter']).every(({ holds }) => holds)).toBe(false);
  });
});
