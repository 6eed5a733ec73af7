import { expect, it } from 'vitest';
import { fieldErrorsOf, personFields } from '#console/pages/person-fields.ts';
import { additionalFields } from '#shared/platform/profile/additional-fields.ts';
import { naturalPersonBodies } from '#shared/platform/resources/natural-person-schema.ts';

it('asks in the form for every field that the API requires', () => {
  const { error } = naturalPersonBodies({
    additionalFields: additionalFields.parse({}),
    sentFields: {},
  }).requestedPerson.safeParse({});
  const required = error?.issues.map(({ path }) => String(path[0])) ?? [];
  expect(personFields.map(({ name }) => name).toSorted()).toEqual(required.toSorted());
});

it('finds what a refusal says of each field', () => {
  const refusal =
    'The API answered 400: The request has errors.\n  #/person/birthDay: must be a date: 2026-11-21\nexternalId: is missing\nNext: drawbridge doctor';
  expect([...fieldErrorsOf(refusal)]).toEqual([
    ['person/birthDay', 'must be a date: 2026-11-21'],
    ['externalId', 'is missing'],
  ]);
});
