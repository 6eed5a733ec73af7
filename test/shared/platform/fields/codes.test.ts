import { describe, expect, it } from 'vitest';
import { countryCodes, euLanguages } from '#shared/platform/fields/fields.ts';
import { assignedCountries } from './assigned-countries.ts';

describe('section 2, country fields: ISO 3166-1 alpha-2', () => {
  it('has the 249 assigned country codes', () => {
    expect([...countryCodes].toSorted()).toEqual(assignedCountries);
    expect(countryCodes.size).toBe(249);
  });
});

describe('section 2, language: ISO 639-1, EU languages only', () => {
  it('has the 24 official languages of the EU', () => {
    expect([...euLanguages].toSorted().join(' ')).toBe(
      'bg cs da de el en es et fi fr ga hr hu it lt lv mt nl pl pt ro sk sl sv',
    );
  });
});
