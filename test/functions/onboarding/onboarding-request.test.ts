import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkRequest } from '#functions/onboarding/onboarding-request.ts';
import {
  anyRequest,
  bornRecently,
  brokenRequest,
  byVideo,
  canary,
  notAtAll,
  sampleRequest,
  supplied,
  today,
} from './requests.ts';

const problemsOf = (body: unknown) => {
  const checked = checkRequest(body, today);
  return 'problems' in checked ? checked.problems : [];
};
const fieldsOf = (body: unknown) => new Set(problemsOf(body).map(({ field }) => field));

describe('issue 6: one schema, with every rule of sections 2.4 and 4.2', () => {
  it.each([
    ['video', byVideo],
    ['supplied by the partner', supplied],
    ['supplied for a minor, with a birth certificate', bornRecently],
    ['none', notAtAll],
  ])('takes an identification: %s', (_, identification) => {
    const request = sampleRequest({ identification });
    expect(checkRequest(request, today)).toEqual({ request });
  });

  it('takes 5,000 requests that are right, as they are', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        expect(checkRequest(request, today)).toEqual({ request });
      }),
      { numRuns: 5_000 },
    );
  });

  it('refuses 5,000 that are broken: exactly the fields that are wrong are named, and no value', () => {
    fc.assert(
      fc.property(brokenRequest, ({ body, fields }) => {
        expect(fieldsOf(body)).toEqual(fields);
        expect(JSON.stringify(problemsOf(body))).not.toContain(canary);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['text', canary],
    ['a list', [sampleRequest()]],
  ])('refuses %s', (_, body) => {
    expect(problemsOf(body)).toEqual([{ field: 'the body', reason: 'is missing or malformed' }]);
  });

  it('says for each field what rule it breaks', () => {
    const { birthDay, ...person } = sampleRequest().person;
    const identification = { ...supplied, identificationDate: '2024-01-01', documentMotherFullName: canary };
    const body = { ...sampleRequest({ identification }), person: { ...person, birthCountry: 'XX' } };
    expect(Object.fromEntries(problemsOf(body).map(({ field, reason }) => [field, reason]))).toEqual({
      'person.birthDay': 'must be an ISO 8601 calendar date such as 2026-11-21 (section 2)',
      'person.birthCountry': 'must be an ISO 3166-1 alpha-2 country code (section 2)',
      'identification.identificationDate': 'must be within the last 24 months (section 4.2)',
      'identification.documentMotherFullName': 'may be given only with BIRTH_CERTIFICATE (section 4.2)',
    });
  });

  it('does not repeat a name that is none', () => {
    const problems = problemsOf({ ...sampleRequest(), 'Erika Mustermann': true, another: 1 });
    expect(problems).toEqual([
      { field: '?', reason: 'is no field' },
      { field: 'another', reason: 'is no field' },
    ]);
  });

  it('takes no key that every object has for a field', () => {
    const body: unknown = JSON.parse(`{"__proto__": {"externalId": "x"}, "constructor": 1}`);
    expect(fieldsOf(body)).toEqual(new Set(['externalId', 'person', 'identification', '?', 'constructor']));
  });
});
