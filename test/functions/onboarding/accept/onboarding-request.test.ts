import { describe, expect, it } from 'vitest';
import { checkRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { sandboxProfile } from '#sandbox/platform/app/platform.ts';
import { notAllowed } from '#shared/platform/profile/additional-fields.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import {
  bornRecently,
  byVideo,
  notAtAll,
  sampleRequest,
  supplied,
  today,
} from '#test/functions/onboarding/requests.ts';

/** Looks like nothing else: no problem may repeat it. */
const canary = 'CANARY Mustermann';

const profile = sandboxProfile;
const { person } = sampleRequest();
const { redirectUrl } = byVideo;

const problemsOf = (body: unknown) => {
  const checked = checkRequest(body, today, profile);
  return 'problems' in checked ? checked.problems : [];
};
const fieldsOf = (body: unknown) => new Set(problemsOf(body).map(({ field }) => field));

describe('an onboarding request', () => {
  it.each([
    ['by video call', byVideo],
    ['by video call, without a redirectUrl', { mode: 'video' }],
    ['supplied by the partner', supplied],
    ['supplied for a minor, with a birth certificate', bornRecently],
    ['not at all', notAtAll],
  ] as const)('takes an identification %s', (_, identification) => {
    const request = sampleRequest({ identification });
    expect(checkRequest(request, today, profile)).toEqual({ request });
  });

  it.each([undefined, '', 7, null, `${canary}/1`, '..', `${canary}\u0000`, `onboardingId:${canary}`, '\ud800'])(
    'is refused with only the name of the field for the externalId %j',
    (externalId) => {
      const problems = problemsOf({ ...sampleRequest(), externalId });
      expect(new Set(problems.map(({ field }) => field))).toEqual(new Set(['externalId']));
      expect(JSON.stringify(problems)).not.toContain(canary);
    },
  );

  // The rules of a person (section 2.4) and of a supplied identification (section 4.2) have tests beside their schemas.
  it.each([
    ['a field that there is not', 'requestedBy', { requestedBy: canary }],
    ['a second externalId', 'person.externalId', { person: { ...person, externalId: canary } }],
    ['a read-only field', 'person.naturalPersonStatus', { person: { ...person, naturalPersonStatus: 'ACTIVE' } }],
    ['an unknown mode', 'identification.mode', { identification: { mode: 'VIDEO' } }],
    [
      'a redirectUrl without a video call',
      'identification.redirectUrl',
      { identification: { ...notAtAll, redirectUrl } },
    ],
    ['a redirectUrl beside a document', 'identification.redirectUrl', { identification: { ...supplied, redirectUrl } }],
    [
      'a redirectUrl that is no https URL',
      'identification.redirectUrl',
      { identification: { mode: 'video', redirectUrl: `http://partner.example/${canary}` } },
    ],
    [
      'a document beside a video call',
      'identification.documentNumber',
      { identification: { ...byVideo, documentNumber: canary } },
    ],
    [
      'half a surrogate pair',
      'identification.documentNumber',
      { identification: { ...supplied, documentNumber: `\udc00${canary}` } },
    ],
    ['no country code', 'identification.documentCountry', { identification: { ...supplied, documentCountry: canary } }],
  ])('is refused with only the name of the field for %s', (_, field, wrong) => {
    const problems = problemsOf({ ...sampleRequest(), ...wrong });
    expect(problems.map((problem) => problem.field)).toEqual([field]);
    expect(JSON.stringify(problems)).not.toContain(canary);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['text', canary],
    ['a list', [sampleRequest()]],
  ])('is refused when it is %s', (_, body) => {
    expect(problemsOf(body)).toEqual([{ field: 'the body', reason: 'is missing or malformed' }]);
  });

  it('is refused when it has more problems than the stack of a process holds', () => {
    const nationalities = Array.from({ length: 200_000 }, () => 1);
    const body = sampleRequest();
    expect(problemsOf({ ...body, person: { ...body.person, nationalities } })).toEqual([
      { field: 'the body', reason: 'has too many problems' },
    ]);
  });

  it('is refused with the first 100 of its problems', () => {
    const unknown = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`field${index}`, 1]));
    const nationalities = Array.from({ length: 99 }, () => 1);
    expect(problemsOf({ ...sampleRequest(), ...unknown, person: { ...person, nationalities } })).toHaveLength(100);
  });

  it('is refused with the rule that each field breaks', () => {
    const { birthDay, ...person } = sampleRequest().person;
    const identification = { ...supplied, identificationDate: '2024-01-01', documentMotherFullName: '' };
    const body = { ...sampleRequest({ identification }), person: { ...person, birthCountry: 'XX' } };
    expect(Object.fromEntries(problemsOf(body).map(({ field, reason }) => [field, reason]))).toEqual({
      'person.birthDay': 'must be an ISO 8601 calendar date such as 2026-11-21 (section 2)',
      'person.birthCountry': 'must be an ISO 3166-1 alpha-2 country code (section 2)',
      'identification.identificationDate': 'must be within the last 24 months (section 4.2)',
      'identification.documentMotherFullName': 'must not be empty',
    });
  });

  it('is refused without the name of a field that is no name', () => {
    const problems = problemsOf({ ...sampleRequest(), 'Erika Mustermann': true, another: 1 });
    expect(problems).toEqual([
      { field: '?', reason: 'is not a field' },
      { field: 'another', reason: 'is not a field' },
    ]);
  });

  it('is refused when a key that every object has stands in place of a field', () => {
    const body: unknown = JSON.parse(`{"__proto__": {"externalId": "x"}, "constructor": 1}`);
    expect(fieldsOf(body)).toEqual(new Set(['externalId', 'person', 'identification', '?', 'constructor']));
  });
});

describe('a field that section 2.4 does not name', () => {
  const rules = platformProfile.parse({
    additionalFields: {
      person: {
        nickname: { type: 'text', minLength: 2, maxLength: 5 },
        children: { type: 'number', minimum: 0, maximum: 20 },
        isStudent: { type: 'boolean' },
        segment: { type: 'word', words: ['RETAIL', 'PRIVATE'] },
      },
      address: { state: { type: 'text', maxLength: 35, requiredIn: ['CA'] }, floor: { type: 'text' } },
    },
  });
  const right = {
    person: { nickname: 'Eri', children: 2, isStudent: false, segment: 'RETAIL' },
    address: { state: 'Ontario', floor: '3', country: 'CA' },
  };
  const requestWith = (person: object, mainAddress?: object) => ({
    ...sampleRequest({ identification: notAtAll }),
    person: { ...sampleRequest().person, ...person, ...(mainAddress && { mainAddress }) },
  });

  it('is taken as it is where the profile allows it', () => {
    const request = requestWith(right.person, right.address);
    expect(checkRequest(request, today, rules)).toEqual({ request });
  });

  it.each([
    [{ nickname: 'E' }, undefined, 'person.nickname', 'must have 2 characters or more'],
    [{ nickname: 'Erikaa' }, undefined, 'person.nickname', 'must have 5 characters at most'],
    [{ nickname: 7 }, undefined, 'person.nickname', 'must be text'],
    [{ children: 21 }, undefined, 'person.children', 'must be 20 or less'],
    [{ children: '2' }, undefined, 'person.children', 'must be a number (section 2.4)'],
    [{ isStudent: 'no' }, undefined, 'person.isStudent', 'must be true or false (section 2.4)'],
    [{ segment: 'OTHER' }, undefined, 'person.segment', 'must be one of RETAIL, PRIVATE'],
    [{}, { country: 'CA' }, 'person.mainAddress.state', 'must be given where the country is CA'],
    [{}, { state: 'x'.repeat(36) }, 'person.mainAddress.state', 'must have 35 characters at most'],
    [{ shoeSize: 38 }, undefined, 'person.shoeSize', notAllowed],
    [{ constructor: 1 }, undefined, 'person.constructor', notAllowed],
    [{}, { planet: 'Earth' }, 'person.mainAddress.planet', notAllowed],
  ])('is refused where it breaks its rule, or has none: %j %j', (person, address, field, reason) => {
    const checked = checkRequest(requestWith(person, address), today, rules);
    expect('problems' in checked && checked.problems).toEqual([{ field, reason }]);
  });

  it('is refused together with every other problem', () => {
    const checked = checkRequest(requestWith({ gender: undefined, shoeSize: 38 }), today, rules);
    expect('problems' in checked && checked.problems.map(({ field }) => field).toSorted()).toEqual([
      'person.gender',
      'person.shoeSize',
    ]);
  });

  it('is only `state` of an address by default, which Canada requires', () => {
    const address = { country: 'CA', state: 'Ontario' };
    const request = requestWith({}, address);
    expect(checkRequest(request, today, profile)).toEqual({ request });
    expect(problemsOf(requestWith({}, { country: 'CA' }))).toMatchObject([{ field: 'person.mainAddress.state' }]);
  });
});
