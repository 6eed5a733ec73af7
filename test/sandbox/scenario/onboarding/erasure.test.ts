import { describe, expect, it } from 'vitest';
import { countErasedLate, type ErasedPerson, remainsOf } from '#sandbox/scenario/onboarding/erasure.ts';
import type { ItemText } from '#sandbox/scenario/onboarding/read-tables.ts';
import type { EventRow } from '#shared/events/event-row.ts';

const person: ErasedPerson = {
  externalId: 'Crossbill-0001@partner.example',
  onboardingId: 'a1b2',
  firstName: 'Canarybird 0001 Erika',
  platformIds: ['person-id', 'verification-id'],
};
const item = (text: string, isErased = false): ItemText => ({ table: 'events', onboardingId: '', text, isErased });
const remains = (...items: readonly ItemText[]) => remainsOf(items, [person]).length;

describe('sandbox scenario: remainsOf an erased person', () => {
  it.each(['person-id', 'verification-id', 'a1b2', person.externalId, person.firstName])(
    'finds an item that contains %s',
    (text) => {
      expect(remains(item('of another'), item(`{"S":"${text}"}`))).toBe(1);
    },
  );

  it('ignores a record of the erasure that names the person by an id', () => {
    expect(remains(item('natural-person#person-id', true), item('a1b2', true))).toBe(0);
  });
});

describe('sandbox scenario: countErasedLate', () => {
  const since = new Date('2026-11-21T08:00:00Z');
  const row: EventRow = {
    eventId: 'e',
    eventType: 'NATURAL_PERSON_NOTIFICATION',
    receivedOn: '2026-11-21T08:00:01Z',
    deflatedBody: new Uint8Array(),
    deliveries: 1,
    deliveryIds: [],
    expiresAt: 0,
    quarantineReason: undefined,
    erasedOn: '2026-11-21T08:00:02Z',
  };

  it.each<[string, Partial<EventRow>, number]>([
    ['that was erased', {}, 1],
    ['that was erased, and spoke of no entity', { eventType: 'CUSTOMER_NOTIFICATION' }, 1],
    ['that was kept', { erasedOn: undefined }, 0],
    ['that had come before', { receivedOn: '2026-11-21T07:59:59Z' }, 0],
    ['of a verification, which may be an old one', { eventType: 'IDENTIFICATION_VERIFICATION_NOTIFICATION' }, 0],
  ])('counts a late webhook %s', (_, more, count) => {
    expect(countErasedLate([{ ...row, ...more }], { since })).toBe(count);
  });
});
