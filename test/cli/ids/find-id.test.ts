import { describe, expect, it } from 'vitest';
import { ApiError } from '#cli/command/command-error.ts';
import type { ApiClient, ApiRequest } from '#cli/deployment/api-client.ts';
import { createIdFinder } from '#cli/ids/find-id.ts';

const eventId = '5e1f0807'.padEnd(64, '1');
const transferEvent = 'beef0000'.padEnd(64, '3');
const orderId = '0190a6f0-5678-7abc-8def-0123456789ab';
const otherOrder = '0190a6f0-5678-7abc-8def-0123456789ff';
const onboardingId = 'a0a0a0a0'.padEnd(64, '2');
const sibling = 'a0a0a0a1'.padEnd(64, '4');
const twin = 'a0a0a0a1'.padEnd(64, '5');
const stalled = '57a11ed0'.padEnd(64, '6');
const quarantined = 'bad00bad'.padEnd(64, '7');
const naturalPersonId = '0190a6f0-1234-7abc-8def-012345678901';
const externalUuid = '11111111-1234-7abc-8def-012345678901';

const about = (kind: string, id: string) => ({ entity: { kind, id } });
const answers: Readonly<Record<string, object>> = {
  '/events': { items: [{ eventId }, { eventId: transferEvent }] },
  [`/events/${eventId}`]: about('order', orderId),
  [`/events/${transferEvent}`]: about('transfer', 'transfer-1'),
  '/entities/order': { items: [{ id: orderId }, { id: otherOrder }] },
  [`/entities/order/${orderId}`]: {},
  '/events?ANY': { items: [{ eventId: quarantined }] },
  '/onboardings': {
    items: [
      { onboardingId, naturalPersonId, step: 'STOPPED' },
      // The platform creates several persons in the 65 seconds of one beginning.
      { onboardingId: sibling, naturalPersonId: naturalPersonId.replace(/1$/, '2') },
      { onboardingId: twin, naturalPersonId: '123456789' },
    ],
  },
  '/onboardings?STOPPED': { items: [{ onboardingId: stalled, stalledOn: '2026-01-02', since: '2026-01-01' }] },
  [`/onboardings/onboardingId%3A${onboardingId}/progress`]: {},
  [`/onboardings/${externalUuid}/progress`]: {},
};

const requests: string[] = [];
const notes: string[] = [];
const api: ApiClient = {
  send: async ({ path, query: { quarantineReason, step } = {} }: ApiRequest) => {
    const filter = quarantineReason ?? step;
    requests.push(path);
    const answer = filter === undefined ? answers[path] : (answers[`${path}?${filter}`] ?? { items: [] });
    if (answer === undefined) throw new ApiError('none', 'next', { status: 404, problemType: undefined });
    return answer as never;
  },
};

/** A deployment without `listEvents`. */
const withoutList: ApiClient = {
  send: async (request, schema) => {
    const { path, query = {} } = request;
    if (path !== '/events' || query['quarantineReason'] !== undefined) return api.send(request, schema);
    throw new ApiError('no list', 'set listEvents', { status: 409, problemType: 'list-not-kept' });
  },
};
const findUnlistedEvent = (given: string) =>
  createIdFinder({ api: withoutList, note: () => undefined }).findEvent(given);

const finder = () => createIdFinder({ api, note: (text) => notes.push(text) });
const findEvent = (given: string) => finder().findEvent(given);
const findOrder = (given: string) => finder().findEntity('order', given);
const findOnboarding = (given: string) => finder().findOnboarding(given);
const findPerson = (given: string) => finder().findPerson(given);

describe('an id that a command takes', () => {
  it.each<[string, () => Promise<string>, string]>([
    ['an event by its whole id', () => findEvent('f'.repeat(64)), 'f'.repeat(64)],
    ['an event by its first digits', () => findEvent('5e1f0807'), eventId],
    ['an event as the console shortens it', () => findEvent('5e1f0807…111111'), eventId],
    ['an event with three dots', () => findEvent('5e1f0807...111111'), eventId],
    ['an order by an event about it', () => findOrder(eventId), orderId],
    ['an order as the console shortens it', () => findOrder('0190a6f0…6789ab'), orderId],
    ['an onboarding by the id of a list', () => findOnboarding(onboardingId), `onboardingId:${onboardingId}`],
    ['an onboarding by its first digits', () => findOnboarding('a0a0a0a0'), `onboardingId:${onboardingId}`],
    ['an onboarding by its person', () => findOnboarding(naturalPersonId), `onboardingId:${onboardingId}`],
    ['an onboarding by an external id that is a UUID', () => findOnboarding(externalUuid), externalUuid],
    ['a person by its id on the platform', () => findPerson(naturalPersonId), `onboardingId:${onboardingId}`],
    ['a stalled onboarding that is not among the latest', () => findOnboarding('57a11ed0'), `onboardingId:${stalled}`],
    ['a person by an external id that is a digest', () => findPerson(eventId), eventId],
    ['an event in quarantine', () => finder().findEvent('bad00bad', true), quarantined],
    ['an event in quarantine where no list has all events', () => findUnlistedEvent('bad00bad'), quarantined],
    ['no person by a short id', () => findPerson('a0a0a0a0'), 'a0a0a0a0'],
  ])('names %s', async (_, find, expected) => expect(await find()).toBe(expected));

  it.each<[string, () => Promise<string>, RegExp]>([
    ['for several entities', () => findOrder('0190a6f0'), /stands for 2 ids.\nNext: .*6789ff$/],
    ['for an event of another entity', () => findOrder(transferEvent), /drawbridge transfers show transfer-1$/],
    ['for an entity in place of an event', () => findEvent(orderId), /drawbridge orders show .* --timeline/],
    [
      'for the beginning of several ids of persons',
      () => findOnboarding('0190a6f0'),
      /No onboarding among the latest 400/,
    ],
    [
      'for an external id like the id of a person',
      () => findOnboarding('12345678'),
      /No onboarding among the latest 400 matches 12345678\./,
    ],
    ['for two onboardings', () => findOnboarding('a0a0a0a1'), /stands for 2 ids/],
    ['for an order that no list has', () => findOrder('12345678'), /No order .* 12345678.\nNext: give the whole id/],
    ['for fewer than eight characters', () => findEvent('5…1'), /64 hexadecimal digits/],
    ['for an event that no list has', () => findUnlistedEvent('5e1f0807'), /no list\nNext: set listEvents/],
    ['for no id', () => findEvent('nope'), /64 hexadecimal digits/],
  ])('leads to the right command %s', (_, find, expected) => expect(find()).rejects.toThrow(expected));

  it('takes no error of the API for an entity', () => {
    const refused = new ApiError('refused', 'next', { status: 403, problemType: undefined });
    const { findEvent: find } = createIdFinder({ api: { send: () => Promise.reject(refused) }, note: () => undefined });
    return expect(find(orderId)).rejects.toBe(refused);
  });

  it('names an onboarding once, however often it is given, with one read of the list and a note of what is meant', async () => {
    for (const texts of [requests, notes]) texts.length = 0;
    const given = ['a0a0a0a0', onboardingId, 'a0a0a0a0…2222'];
    expect(await finder().findOnboardings(given)).toEqual([`onboardingId:${onboardingId}`]);
    expect(requests.filter((path) => path === '/onboardings')).toHaveLength(1);
    expect(notes[0]).toBe(`a0a0a0a0 is the onboarding ${onboardingId}, at STOPPED.`);
  });
});
