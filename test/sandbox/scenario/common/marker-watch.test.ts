import { describe, expect, it } from 'vitest';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { checkMarkers, createMarkerWatch, type MarkerPlace } from '#sandbox/scenario/common/marker-watch.ts';
import { markerFinder } from '#sandbox/scenario/common/marker-words.ts';

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

describe('sandbox scenario: createMarkerWatch (promise 8)', () => {
  it.each(['Canarybird', 'canarybird', 'x%20CANARYBIRD%20', '{"a":"Canarybird 7"}'])(
    'finds a marker word in %s',
    (text) => {
      expect(markerFinder(['Canarybird'])(text)).toBe(true);
    },
  );

  it.each(['', 'x', 'xy', 'xyz', '{"firstName":"'])('finds a marker word in Base64, after %j', (before) => {
    const text = Buffer.from(`${before}Canarybird, and more`).toString('base64');
    expect(markerFinder(['Canarybird'])(text)).toBe(true);
  });

  it('finds no marker word in a text without one', () => {
    expect(markerFinder(['Canarybird'])(`Canary bird ${Buffer.from('Canary').toString('base64')}`)).toBe(false);
  });

  it.each<[MarkerPlace, AwsCallMoment]>([
    ['bus', call('PutEvents', event('OnboardingProgressed', { reasons: ['Canarybird'] }))],
    ['bus', call('PutEvents', event('OnboardingRequested', { reasons: ['Canarybird'] }))],
    ['queue', call('SendMessage', { ...toOnboarding, MessageBody: 'Canarybird' })],
    ['queue', call('SendMessage', { ...toOnboarding, MessageBody: '', MessageAttributes: { of: 'Canarybird' } })],
    ['queue', call('SendMessageBatch', { ...toOnboarding, Entries: [{ MessageBody: 'Canarybird' }] })],
    ['webhooks queue', call('SendMessage', { ...toWebhooks, MessageBody: 'Canarybird' })],
  ])('finds a marker word on its way to a %s', (place, moment) => {
    const watch = createMarkerWatch(['Canarybird']);
    watch.onAwsCall(moment);
    watch.onAwsCall({ ...moment, when: 'after' });
    expect(watch.sightings(place)).toHaveLength(1);
    expect(checkMarkers(watch, [place])).toEqual([expect.objectContaining({ found: 1, holds: false })]);
  });

  it('allows a marker word in a request that the partner puts on the bus', () => {
    const watch = createMarkerWatch(['Canarybird']);
    const { input, operation, when, service } = call('PutEvents', event('OnboardingRequested', { a: 'Canarybird' }));
    watch.onAwsCall({ input, operation, when, service, caller: undefined });
    expect(watch.inspected('bus')).toBe(0);
  });

  it('finds a marker word in the log line of a function, and ignores the lines of the platform', () => {
    const watch = createMarkerWatch(['Canarybird']);
    watch.inspectLog('advance {"level":"INFO"}\nplatform Canarybird\nstore {"message":"Canarybird"}\n');
    expect(watch.inspected('log')).toBe(2);
    expect(watch.sightings('log')).toEqual(['by store']);
  });

  it('fails the check of a place that it has not inspected', () => {
    const watch = createMarkerWatch(['Canarybird']);
    expect(checkMarkers(watch, ['bus']).every(({ holds }) => holds)).toBe(false);
    expect(checkMarkers(watch, ['dead letter']).every(({ holds }) => holds)).toBe(true);
    watch.inspect('dead letter', 'Canarybird', 'webhook-dlq');
    expect(checkMarkers(watch, ['dead letter']).every(({ holds }) => holds)).toBe(false);
  });
});
