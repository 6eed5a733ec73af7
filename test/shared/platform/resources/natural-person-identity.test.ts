import { describe, expect, it } from 'vitest';
import { differingFields, isComparable, isNamesake } from '#shared/platform/resources/natural-person-identity.ts';
import { samplePerson } from './sample-persons.ts';

const naturalPersonId = 'person';

describe('comparing the person that is found after a 409', () => {
  it.each([
    ['the same', {}, []],
    ['written otherwise', { firstName: ' ERIKA ', lastName: 'mustermann' }, []],
    ['with a field that is not shown', { birthDay: null, lastName: undefined }, []],
    ['changed since in what may change', { mainAddress: { city: 'Köln' }, title: 'DR' }, []],
    ['another person', { firstName: 'Erna', birthDay: '1991-01-01' }, ['firstName', 'birthDay']],
  ])('names the fields that differ: %s', (_, more, differing) => {
    expect(differingFields(samplePerson, { ...samplePerson, naturalPersonId, ...more })).toEqual(differing);
  });

  it.each<[string, string, boolean]>([
    ['Erika Maria', 'ERIKA \t maria', false],
    ['Erika Maria', 'ErikaMaria', true],
    ['x'.repeat(1_000), 'X'.repeat(1_000), false],
    ['x'.repeat(1_001), 'X'.repeat(1_001), true],
  ])(
    'compares names without regard to capitals and runs of spaces, if they have at most 1,000 characters: %#',
    (one, other, differs) => {
      const [requested, found] = [one, other].map((firstName) => ({ ...samplePerson, naturalPersonId, firstName }));
      expect(differingFields(requested, found ?? { naturalPersonId })).toEqual(differs ? ['firstName'] : []);
    },
  );

  it('compares nothing without the request, and takes a person for a namesake only if all fields are shown', () => {
    const found = { ...samplePerson, naturalPersonId };
    const { birthDay: _, ...partly } = found;
    expect([isComparable(undefined, found), isComparable(samplePerson, partly)]).toEqual([false, true]);
    expect(differingFields(undefined, found)).toEqual([]);
    expect([isNamesake(samplePerson, found), isNamesake(samplePerson, partly)]).toEqual([true, false]);
  });
});
