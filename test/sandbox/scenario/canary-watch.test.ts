import { describe, expect, it } from 'vitest';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { canaryFinder } from '#sandbox/scenario/canary.ts';
import { type CanaryPlace, checkCanaries, createCanaryWatch } from '#sandbox/scenario/canary-watch.ts';

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

describe('promise 8, as the scenarios watch it: a canary', () => {
  it.each(['Canarybird', 'canarybird', 'x%20CANARYBIRD%20', '{"a":"Canarybird 7"}'])('is found in %s', (text) => {
    expect(canaryFinder(['Canarybird'])(text)).toBe(true);
  });

  it.each(['', 'x', 'xy', 'xyz', '{"firstName":"'])('is found in Base64, after %j', (before) => {
    const text = Buffer.from(`${before}Canarybird, and more`).toString('base64');
    expect(canaryFinder(['Canarybird'])(text)).toBe(true);
  });

  it('is not found where it is not', () => {
    expect(canaryFinder(['Canarybird'])(`Canary bird ${Buffer.from('Canary').toString('base64')}`)).toBe(false);
  });

  it.each<[CanaryPlace, AwsCallMoment]>([
    ['bus', call('PutEvents', event('OnboardingProgressed', { reasons: ['Canarybird'] }))],
    ['bus', call('PutEvents', event('OnboardingRequested', { reasons: ['Canarybird'] }))],
    ['queue', call('SendMessage', { ...toOnboarding, MessageBody: 'Canarybird' })],
    ['queue', call('SendMessage', { ...toOnboarding, MessageBody: '', MessageAttributes: { of: 'Canarybird' } })],
    ['queue', call('SendMessageBatch', { ...toOnboarding, Entries: [{ MessageBody: 'Canarybird' }] })],
    ['webhooks queue', call('SendMessage', { ...toWebhooks, MessageBody: 'Canarybird' })],
  ])('is seen on its way to a %s', (place, moment) => {
    const watch = createCanaryWatch(['Canarybird']);
    watch.onAwsCall(moment);
    watch.onAwsCall({ ...moment, when: 'after' });
    expect(watch.sightings(place)).toHaveLength(1);
    expect(checkCanaries(watch, [place])).toEqual([expect.objectContaining({ found: 1, holds: false })]);
  });

  it('may be in what a partner requests on the bus', () => {
    const watch = createCanaryWatch(['Canarybird']);
    const { input, operation, when, service } = call('PutEvents', event('OnboardingRequested', { a: 'Canarybird' }));
    watch.onAwsCall({ input, operation, when, service, caller: undefined });
    expect(watch.looks('bus')).toBe(0);
  });

  it('is seen in a line that a function wrote, and not in those of the platform', () => {
    const watch = createCanaryWatch(['Canarybird']);
    watch.lookAtLog('advance {"level":"INFO"}\nplatform Canarybird\nstore {"message":"Canarybird"}\n');
    expect(watch.looks('log')).toBe(2);
    expect(watch.sightings('log')).toEqual(['by store']);
  });

  it('is not said to be nowhere by whoever has not looked', () => {
    const watch = createCanaryWatch(['Canarybird']);
    expect(checkCanaries(watch, ['bus']).every(({ holds }) => holds)).toBe(false);
    expect(checkCanaries(watch, ['dead letter']).every(({ holds }) => holds)).toBe(true);
    watch.look('dead letter', 'Canarybird', 'webhook-dlq');
    expect(checkCanaries(watch, ['dead letter']).every(({ holds }) => holds)).toBe(false);
  });
});
