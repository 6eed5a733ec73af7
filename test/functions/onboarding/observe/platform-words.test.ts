import { describe, expect, it } from 'vitest';
import { platformWords, unknownStatusOf } from '#functions/onboarding/observe/platform-words.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

function words(profile: object = {}, settings: object = {}) {
  return platformWords(platformProfile.parse(profile), onboardingSettings.parse(settings));
}

describe('section 3.2: what a status of a verification means', () => {
  it.each([
    ['APPROVED', 'success'],
    ['Approved', 'success'],
    ['RECEIVED', 'waiting'],
    ['PENDING', 'waiting'],
    ['FAILED', 'failure'],
    ['failed', 'failure'],
    ['IDENT_FAILED', 'failure'],
    ['REJECTED_BY_AGENT', 'failure'],
    ['COMPLETED', 'unknown'],
    ['NOT_APPROVED', 'unknown'],
    ['UNFAILED', 'unknown'],
    // The second part is a word for failure, and the first one may be a name.
    ['Erika_FAILED', 'unknown'],
    ['constructor', 'unknown'],
    ['', 'unknown'],
  ])('reads %s as %s', (status, meaning) => {
    expect(words().meaningOf(status)).toBe(meaning);
  });

  it.each<[string, object, object, string]>([
    ['COMPLETED', { verificationWords: { success: ['COMPLETED'] } }, {}, 'success'],
    ['APPROVED', { verificationWords: { success: ['COMPLETED'] } }, {}, 'unknown'],
    ['in-progress', { verificationWords: { waiting: ['IN_PROGRESS'] } }, {}, 'waiting'],
    ['ERROR_CORRECTION', { verificationWords: { waiting: ['ERROR_CORRECTION'] } }, {}, 'waiting'],
    ['IDENT_KO', { verificationWords: { failure: ['KO'] } }, {}, 'failure'],
    ['FAILED', { verificationWords: { failure: ['KO'] } }, {}, 'unknown'],
    // The setting of release 0.2.0.
    ['IDENT_KO', {}, { failureWords: ['KO'] }, 'failure'],
    ['FAILED', {}, { failureWords: ['KO'] }, 'unknown'],
    [
      'ON_HOLD',
      {
        statuses: {
          'identification-verification': [{ status: 'ON_HOLD', after: 'PENDING', final: false, from: ['PENDING'] }],
        },
      },
      {},
      'waiting',
    ],
  ])('reads %s by the setting %j %j as %s', (status, profile, settings, meaning) => {
    expect(words(profile, settings).meaningOf(status)).toBe(meaning);
  });
});

describe('an unknown status that an observation shows', () => {
  const before = { kind: 'identification-verification', status: 'COMPLETED' } as const;
  const person = (status: string | undefined) => ({ of: 'PERSON', status, isIdentified: false }) as const;
  const verification = (status: string | undefined) =>
    ({ of: 'VERIFICATION', status, identificationUrl: undefined }) as const;
  const declared = {
    statuses: { 'natural-person': [{ status: 'VETTED', after: 'CREATED', final: false, from: ['CREATED'] }] },
  };

  it.each([
    [verification('COMPLETED'), {}, before],
    [verification('PENDING'), {}, undefined],
    [verification(undefined), {}, undefined],
    [verification('Erika Mustermann'), {}, { kind: 'identification-verification' }],
    [{ ...verification(undefined), isStatusUnreadable: true }, {}, { kind: 'identification-verification' }],
    [{ ...person(undefined), isStatusUnreadable: true }, {}, { kind: 'natural-person' }],
    [person('VETTED'), {}, { kind: 'natural-person', status: 'VETTED' }],
    [person('VETTED'), declared, undefined],
    [person('REVIEW'), {}, undefined],
    // What was shown stands until the platform answers again.
    [{ of: 'UNREAD', why: 'HTTP_503' } as const, {}, before],
    [{ of: 'PERSON_MISSING' } as const, {}, undefined],
  ])('of %j with the profile %j is %j', (observation, profile, expected) => {
    expect(unknownStatusOf(observation, { unknownStatus: before }, words(profile))).toEqual(expected);
  });
});
