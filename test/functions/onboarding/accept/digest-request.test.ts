import { describe, expect, it } from 'vitest';
import { differencesFrom, digestRequest } from '#functions/onboarding/accept/accept-request.ts';
import type { OnboardingRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { sampleRequest } from '#test/functions/onboarding/requests.ts';

describe('a repeated request', () => {
  it('has no difference when the fields come in another order', () => {
    const { person, ...rest } = sampleRequest();
    const reordered = { person: Object.fromEntries(Object.entries(person).toReversed()), ...rest };
    const digests = digestRequest(sampleRequest(), 'salt');
    expect(differencesFrom(digests, reordered as OnboardingRequest)).toEqual([]);
  });

  it('names each field with another value, each new field and each missing field', () => {
    const request = sampleRequest();
    const { birthPlace, ...person } = request.person;
    const other = { ...request, person: { ...person, lastName: 'Muster', title: 'DR' } };
    const differing = differencesFrom(digestRequest(request, 'salt'), other as typeof request);
    expect(differing.toSorted()).toEqual(['person.birthPlace', 'person.lastName', 'person.title']);
  });

  it('differs as a whole when the short digests of all fields are the same', () => {
    const before = digestRequest(sampleRequest(), 'salt');
    expect(differencesFrom({ ...before, whole: 'another' }, sampleRequest())).toEqual(['the body']);
  });

  it('differs as a whole without the digests of fields, and is the same as before', () => {
    const before = { ...digestRequest(sampleRequest(), 'salt'), fields: {} };
    const { person } = sampleRequest();
    const other = sampleRequest({ person: { ...person, lastName: 'Muster' } });
    expect([differencesFrom(before, sampleRequest()), differencesFrom(before, other)]).toEqual([[], ['the body']]);
  });

  it('is compared by 16 bits of each field, which differ from salt to salt', () => {
    const [one, other] = ['one', 'other'].map((salt) => digestRequest(sampleRequest(), salt).fields);
    for (const digest of Object.values(one ?? {})) expect(digest).toMatch(/^[0-9a-f]{4}$/);
    expect(one).not.toEqual(other);
  });
});
