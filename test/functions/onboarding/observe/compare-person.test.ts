import { describe, expect, it } from 'vitest';
import { differingFields, isIdentifiedBy } from '#functions/onboarding/observe/compare-person.ts';
import { sampleIdentification, samplePerson } from '#test/shared/platform/resources/sample-persons.ts';

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
});

describe('promise 6: an identification whose answer was lost is known by what the platform shows', () => {
  it.each([
    ['it is there', [{}], true],
    ['among others', [{ documentNumber: 'other' }, {}], true],
    ['with a field that is not shown', [{ identificationDate: null }], true],
    ['another document', [{ documentNumber: 'other' }], false],
    ['a document without its number', [{ documentNumber: undefined }], false],
    ['another day', [{ identificationDate: '2025-11-30' }], false],
    ['nothing is there', [], false],
  ])('recognizes the identification after a lost answer: %s', (_, shown, isIdentified) => {
    const naturalPersonIdentifications = shown.map((more) => ({ ...sampleIdentification, ...more }));
    expect(isIdentifiedBy(sampleIdentification, { naturalPersonId, naturalPersonIdentifications })).toBe(isIdentified);
  });

  it('recognizes no identification that shows nothing, and none where nothing was supplied', () => {
    expect(isIdentifiedBy(sampleIdentification, { naturalPersonId, naturalPersonIdentifications: [{}] })).toBe(false);
    expect(isIdentifiedBy(sampleIdentification, { naturalPersonId })).toBe(false);
    expect(isIdentifiedBy(undefined, { naturalPersonId, naturalPersonIdentifications: [sampleIdentification] })).toBe(
      false,
    );
  });
});
