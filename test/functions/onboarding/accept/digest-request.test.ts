import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differencesFrom, digestRequest } from '#functions/onboarding/accept/digest-request.ts';
import { anyRequest, sampleRequest } from '#test/functions/onboarding/requests.ts';

describe('a repeated request with different data', () => {
  it('the same in another order is the same', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { person, ...rest } = request;
        const reordered = { person: Object.fromEntries(Object.entries(person).toReversed()), ...rest };
        expect(differencesFrom(digestRequest(request, 'salt'), reordered as typeof request)).toEqual([]);
      }),
    );
  });

  it('another value, one more and one less are named', () => {
    const request = sampleRequest();
    const { birthPlace, ...person } = request.person;
    const other = { ...request, person: { ...person, lastName: 'Muster', title: 'DR' } };
    const differing = differencesFrom(digestRequest(request, 'salt'), other as typeof request);
    expect(differing.toSorted()).toEqual(['person.birthPlace', 'person.lastName', 'person.title']);
  });

  it('tells two requests apart whose short digests are the same', () => {
    const before = digestRequest(sampleRequest(), 'salt');
    expect(differencesFrom({ ...before, whole: 'another' }, sampleRequest())).toEqual(['the body']);
  });

  it('keeps 16 bits of each field, which differ from salt to salt', () => {
    const [one, other] = ['one', 'other'].map((salt) => digestRequest(sampleRequest(), salt).fields);
    for (const digest of Object.values(one ?? {})) expect(digest).toMatch(/^[0-9a-f]{4}$/);
    expect(one).not.toEqual(other);
  });
});
