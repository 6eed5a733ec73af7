import { describe, expect, it } from 'vitest';
import { conflictOf } from '#functions/onboarding/advance/call-outcome.ts';
import { httpError } from './http-error.ts';

type Body = Pick<Parameters<typeof httpError>[0], 'errorCode' | 'errorDetails'>;

const subjectOf = (body: Body) => conflictOf(httpError({ status: 409, condition: 'CONFLICT', ...body }));

/** Details that name fields and no codes. */
const fields = (...names: readonly (string | undefined)[]) => names.map((field) => ({ field, errors: [] }));
/** A detail that names no field. */
const codes = (...all: readonly (string | undefined)[]) => [
  { field: undefined, errors: all.map((code) => ({ code })) },
];

describe('what a 409 to a new person is about', () => {
  it.each<[string, Body]>([
    ['a field externalId', { errorDetails: fields('externalId') }],
    ['a field written in another way', { errorDetails: fields('data.EXTERNAL-ID') }],
    ['a field externalId among others', { errorDetails: fields('email', 'externalId') }],
    [
      'a field externalId and a code for a known person',
      { errorCode: 'PERSON_EXISTS', errorDetails: fields('externalId') },
    ],
    ['the errorCode', { errorCode: 'EXTERNAL_ID_NOT_UNIQUE' }],
    ['the code of a detail', { errorCode: 'CONFLICT', errorDetails: codes(undefined, 'DUPLICATE_EXTERNALID') }],
  ])('is the externalId according to %s', (_, body) => {
    expect(subjectOf(body)).toBe('EXTERNAL_ID');
  });

  it.each<[string, Body]>([
    ['any other field', { errorDetails: fields('taxDetails[0].taxId') }],
    ['a field that only begins with externalId', { errorDetails: fields('externalIdentification') }],
    [
      'another field, although the code names the externalId',
      { errorCode: 'EXTERNAL_ID', errorDetails: fields('email') },
    ],
    ['the code of a detail', { errorDetails: codes('PERSON_EXISTS') }],
    ...['PERSON_EXISTS', 'personAlreadyExists', 'DUPLICATE_PERSON'].map((code): [string, Body] => [
      code,
      { errorCode: code },
    ]),
    ...['EXISTS_WITH_OTHER_EXTERNAL_ID', 'DIFFERENT_EXTERNAL_ID'].map((code): [string, Body] => [
      code,
      { errorCode: code },
    ]),
  ])('is the natural person according to %s', (_, body) => {
    expect(subjectOf(body)).toBe('PERSON');
  });

  it.each<[string, Body]>([
    ['has nothing', {}],
    ['names neither', { errorCode: 'CONFLICT', errorDetails: [...fields(undefined), ...codes('UNIQUE', undefined)] }],
  ])('is not known when the body %s', (_, body) => {
    expect(subjectOf(body)).toBeUndefined();
  });
});
