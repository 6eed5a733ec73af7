import { describe, expect, it } from 'vitest';
import { entityKinds, eventTypes, placeOf } from '#shared/platform/profile/event-place.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

const ofTransfers = ['validationError', 'rejectReason', 'errorCode', 'code', 'reason', 'message'];

const kindOf = (eventType: string) => {
  const place = placeOf(eventType, {});
  return place === 'stored and published' ? place : place.kind;
};

describe('the places of the event types of section 2.1', () => {
  it('names an entity kind for each event type that the specification describes', () => {
    const named = eventTypes.map((eventType) => [eventType, kindOf(eventType)]);
    expect(named.filter(([, kind]) => kind !== 'stored and published').toSorted()).toEqual([
      ['IDENTIFICATION_VERIFICATION_NOTIFICATION', 'identification-verification'],
      ['NATURAL_PERSON_NOTIFICATION', 'natural-person'],
      ['TRADITIONAL_ASSET_ORDER_NOTIFICATION', 'order'],
      ['TRANSFER_NOTIFICATION', 'transfer'],
    ]);
    expect(new Set(named.map(([, kind]) => kind))).toEqual(new Set([...entityKinds, 'stored and published']));
  });
});

describe('the places of the platform profile', () => {
  it('uses the default names when the profile has none', () => {
    expect(placeOf('TRANSFER_NOTIFICATION', {})).toEqual({
      kind: 'transfer',
      wrappers: ['transfer'],
      id: ['transferId', 'id'],
      status: ['transferStatus', 'status'],
      modifiedOn: ['modifiedOn'],
      reason: ofTransfers,
      codes: ofTransfers,
    });
  });

  it('keeps the default names of a kind except those that the profile gives', () => {
    const { places } = platformProfile.parse({
      places: { TRANSFER_NOTIFICATION: { kind: 'transfer', wrappers: [], status: ['state'] } },
    });
    expect(placeOf('TRANSFER_NOTIFICATION', places)).toEqual({
      kind: 'transfer',
      wrappers: [],
      id: ['transferId', 'id'],
      status: ['state'],
      modifiedOn: ['modifiedOn'],
      reason: ofTransfers,
      codes: ofTransfers,
    });
  });

  it.each([
    ['an unknown kind', { TRANSFER_NOTIFICATION: { kind: 'payment' } }],
    ['no kind', { TRANSFER_NOTIFICATION: { id: ['id'] } }],
    ['a misspelt field', { TRANSFER_NOTIFICATION: { kind: 'transfer', ids: ['id'] } }],
    ['no name for the id', { TRANSFER_NOTIFICATION: { kind: 'transfer', id: [] } }],
    ['an empty name', { TRANSFER_NOTIFICATION: { kind: 'transfer', status: [''] } }],
    ['an unknown word instead of a place', { TRANSFER_NOTIFICATION: 'ignored' }],
    ['a name that is no event type', { transfers: { kind: 'transfer' } }],
    ['an event type that the profile does not know', { NEW_NOTIFICATION: { kind: 'transfer' } }],
  ])('refuses a place with %s', (_, places) => {
    expect(platformProfile.safeParse({ places }).success).toBe(false);
  });

  it('accepts a place of an event type that the profile adds', () => {
    const eventTypes = ['NEW_NOTIFICATION'];
    expect(platformProfile.safeParse({ eventTypes, places: { NEW_NOTIFICATION: { kind: 'order' } } }).success).toBe(
      true,
    );
  });

  it('survives the trip through an environment variable', () => {
    const profile = platformProfile.parse({ places: { TRANSFER_NOTIFICATION: { kind: 'transfer', id: ['key'] } } });
    expect(platformProfile.parse(JSON.parse(JSON.stringify(profile)))).toEqual(profile);
  });
});
