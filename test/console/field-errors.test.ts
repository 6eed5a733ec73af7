import { expect, it } from 'vitest';
import { fieldErrorsOf } from '#console/data/field-errors.ts';

it('finds what a refusal says of each field', () => {
  const refusal =
    'The API answered 400: The request has errors.\n  #/person/birthDay: must be a date: 2026-11-21\nexternalId: is missing\nNext: drawbridge doctor';
  expect([...fieldErrorsOf(refusal)]).toEqual([
    ['person/birthDay', 'must be a date: 2026-11-21'],
    ['externalId', 'is missing'],
  ]);
});
