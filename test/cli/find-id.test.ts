import { describe, expect, it } from 'vitest';
import { ApiError } from '#cli/command/command-error.ts';
import type { ApiClient, ApiRequest } from '#cli/deployment/api-client.ts';
import { findEntityId, findEventId, findOnboardingKey, findPersonKey } from '#cli/ids/find-id.ts';

const eventId = '5e1f0807'.padEnd(64, '1');
const transferEvent = 'beef0000'.padEnd(64, '3');
const orderId = '0190a6f0-5678-7abc-8def-0123456789ab';
const otherOrder = '0190a6f0-5678-7abc-8def-0123456789ff';
const onboardingId = 'a0a0a0a0'.padEnd(64, '2');
const naturalPersonId = '0190a6f0-1234-7abc-8def-012345678901';
const externalUuid = '11111111-1234-7abc-8def-012345678901';

const about = (kind: string, id: string) => ({ entity: { kind, id } });
const answers: Readonly<Record<string, object>> = {
  '/events': { items: [{ eventId }, { eventId: transferEvent }] },
  [`/events/${eventId}`]: about('order', orderId),
  [`/events/${transferEvent}`]: about('transfer', 'transfer-1'),
  '/entities/order': { items: [{ id: orderId }, { id: otherOrder }] },
  [`/entities/order/${orderId}`]: {},
  '/onboardings': { items: [{ onboardingId, naturalPersonId }] },
  [`/onboardings/${externalUuid}`]: {},
};

const api: ApiClient = {
  send: async ({ path }: ApiRequest) => {
    const answer = answers[path];
    if (answer === undefined) throw new ApiError('none', 'next', { status: 404, problemType: undefined });
    return answer as never;
  },
};

describe('the ids that commands take', () => {
  it.each<[string, () => Promise<string>, string]>([
    ['an event by its whole id', () => findEventId(api, 'f'.repeat(64)), 'f'.repeat(64)],
    ['an event by its first digits', () => findEventId(api, '5e1f0807'), eventId],
    ['an event as the console shortens it', () => findEventId(api, '5e1f0807…111111'), eventId],
    ['an event with three dots', () => findEventId(api, '5e1f0807...111111'), eventId],
    ['an order by an event about it', () => findEntityId(api, 'order', eventId), orderId],
    ['an order as the console shortens it', () => findEntityId(api, 'order', '0190a6f0…6789ab'), orderId],
    ['an order that no list has', () => findEntityId(api, 'order', '12345678'), '12345678'],
    ['an onboarding by the id of a list', () => findOnboardingKey(api, onboardingId), `onboardingId:${onboardingId}`],
    ['an onboarding by its first digits', () => findOnboardingKey(api, 'a0a0a0a0'), `onboardingId:${onboardingId}`],
    ['an onboarding by its person', () => findOnboardingKey(api, naturalPersonId), `onboardingId:${onboardingId}`],
    ['an onboarding by an external id that is a UUID', () => findOnboardingKey(api, externalUuid), externalUuid],
    ['a person by its id on the platform', () => findPersonKey(api, naturalPersonId), `onboardingId:${onboardingId}`],
    ['no person by a short id', () => findPersonKey(api, 'a0a0a0a0'), 'a0a0a0a0'],
  ])('name %s', async (_, find, expected) => expect(await find()).toBe(expected));

  it.each<[string, () => Promise<string>, RegExp]>([
    [
      'for several entities',
      () => findEntityId(api, 'order', '0190a6f0'),
      /is the beginning of 2 ids.\nNext: .*6789ff$/,
    ],
    [
      'for an event of another entity',
      () => findEntityId(api, 'order', transferEvent),
      /drawbridge transfers show transfer-1$/,
    ],
    ['for an entity in place of an event', () => findEventId(api, orderId), /drawbridge orders show .* --timeline/],
    ['for no id', () => findEventId(api, 'nope'), /64 hexadecimal digits/],
  ])('lead to the right command %s', (_, find, expected) => expect(find()).rejects.toThrow(expected));
});
