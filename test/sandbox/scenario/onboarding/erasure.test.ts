import { describe, expect, it } from 'vitest';
import { type ErasedPerson, remainsOf } from '#sandbox/scenario/onboarding/erasure.ts';
import type { ItemText } from '#sandbox/scenario/onboarding/read-tables.ts';

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
