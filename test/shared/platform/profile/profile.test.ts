import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { eventTypeName, eventTypes, onErasure } from '#shared/platform/profile/event-place.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

describe('section 2.1: the event types', () => {
  it('has each event type once', () => {
    expect(new Set(eventTypes).size).toBe(eventTypes.length);
  });

  it('has valid names of event types only', () => {
    for (const eventType of eventTypes) expect(z.safeParse(eventTypeName, eventType).success).toBe(true);
  });

  it.each(['A', 'NEW_NOTIFICATION', 'RE_TOKEN_PRICES', 'V2', 'A'.repeat(100)])(
    'accepts the new event type %j',
    (word) => {
      expect(z.safeParse(eventTypeName, word).success).toBe(true);
    },
  );

  it.each(['', 'transfer', '_A', '2A', 'A-B', 'A B', 'A/B', 'Ä', 'A\n', 'A'.repeat(101)])(
    'refuses the event type %j',
    (word) => {
      expect(z.safeParse(eventTypeName, word).success).toBe(false);
    },
  );
});

describe('section 2.1: the event type whose first word stands for a vendor', () => {
  const standIn = 'VENDOR_EX_ANTE_DOCUMENT_READY_NOTIFICATION';
  const others = eventTypes.filter((eventType) => eventType !== standIn);
  const own = 'ACME_DOCUMENT_READY';

  it.each([
    ['has the stand-in where nothing is stated', {}, eventTypes],
    ['has the stand-in where the example was copied', { exAnteEventType: standIn }, eventTypes],
    ['has the stated name in its place', { exAnteEventType: own }, [...others, own]],
    ['is left out with "none"', { exAnteEventType: 'none' }, others],
    ['adds nothing to a list without the stand-in', { exAnteEventType: own, eventTypes: ['A'] }, ['A']],
  ])('%s', (_, given, expected) => {
    const profile = platformProfile.parse(given);
    expect(profile.eventTypes).toEqual(expected);
    // The functions parse what the stacks have parsed.
    expect(platformProfile.parse(profile)).toEqual(profile);
    expect(profile.places[standIn]).toBeUndefined();
  });

  it('has events that are kept when a person is erased, with its own name too, unless the profile says otherwise', () => {
    const places = { [own]: { kind: 'stored and published', onErasure: 'erased with the person' } } as const;
    expect(onErasure(standIn, {})).toBe('kept');
    expect(onErasure(own, platformProfile.parse({ exAnteEventType: own }).places)).toBe('kept');
    expect(onErasure(own, platformProfile.parse({ exAnteEventType: own, places }).places)).toBe(
      'erased with the person',
    );
  });

  it.each(['', 'Acme', 'NONE OF THEM'])('cannot be %j', (exAnteEventType) => {
    expect(platformProfile.safeParse({ exAnteEventType }).error?.issues).toMatchObject([{ path: ['exAnteEventType'] }]);
  });
});

describe('sections 4.3 and 8: the defaults of the platform profile', () => {
  it('has the default values of docs/reference/platform.md', () => {
    expect(platformProfile.parse({})).toEqual({
      eventTypes: [...eventTypes],
      places: {},
      times: {},
      statuses: {},
      token: { path: '/oauth2/token' },
      webhookPaths: {
        webhooks: '/webhooks',
        missing: '/webhooks-missing',
        undelivered: '/webhooks-undelivered',
        markDelivered: '/webhooks-undelivered/mark-delivered',
      },
      transfersPath: '/transfers',
      requestors: { naturalPerson: 'none', naturalPersons: 'none', webhooks: 'none', undeliveredWebhooks: 'none' },
      naturalPersonStatusParameter: 'naturalPersonStatus',
      additionalFields: {
        person: {},
        address: { state: { type: 'text', minLength: 1, maxLength: 35, requiredIn: ['CA'] } },
      },
      sentFields: {},
      isExternalIdUnique: true,
      pageSize: 20,
      undelivered: { settle: 60_000 },
      deadlines: { attempt: 10_000, call: 30_000 },
    });
  });
});

describe('a platform profile of an environment', () => {
  it('replaces one path, and keeps the others', () => {
    const { webhookPaths, token } = platformProfile.parse({
      webhookPaths: { undelivered: '/undelivered' },
      token: { scope: 'all' },
    });
    expect(webhookPaths).toEqual({ ...platformProfile.parse({}).webhookPaths, undelivered: '/undelivered' });
    expect(token).toEqual({ path: '/oauth2/token', scope: 'all' });
  });

  it.each([
    ['no event types at all', { eventTypes: [] }],
    ['a path without its slash', { webhookPaths: { webhooks: 'webhooks' } }],
    ['a path that is misspelt', { webhookPaths: { webhook: '/webhooks' } }],
    ['an empty scope', { token: { scope: '' } }],
    ['a page size of 0', { pageSize: 0 }],
    ['a deadline of 0', { deadlines: { attempt: 0 } }],
    ['a deadline of half a millisecond', { deadlines: { call: 0.5 } }],
    ['a malformed parameter', { naturalPersonStatusParameter: 'a&b' }],
    ['an event type that is no name', { eventTypes: ['new notification'] }],
    ['event types that are no list', { eventTypes: 'NEW_NOTIFICATION' }],
    ['no word for success', { verificationWords: { success: [] } }],
    ['a word that is not in capitals', { verificationWords: { waiting: ['pending'] } }],
    ['a setting that is misspelt', { eventType: ['NEW_NOTIFICATION'] }],
    ['null as the whole profile', null],
    ['a list as the whole profile', []],
  ])('refuses a profile with %s', (_, profile) => {
    expect(platformProfile.safeParse(profile).success).toBe(false);
  });

  it('starts from fresh defaults at each parse', () => {
    platformProfile.parse({}).eventTypes.push('NEW_NOTIFICATION');
    expect(platformProfile.parse({}).eventTypes).toEqual([...eventTypes]);
  });
});
