import { describe, expect, it } from 'vitest';
import {
  failureOf,
  isIdentifiedBy,
  platformWords,
  unknownStatusOf,
} from '#functions/onboarding/advance/platform-answers.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import {
  type PlatformError,
  PlatformInputError,
  PlatformNetworkError,
  PlatformSchemaError,
  PlatformTimeoutError,
  PlatformTokenError,
} from '#shared/platform/client/errors.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { httpError } from '#test/shared/platform/client/http-error.ts';
import { sampleIdentification } from '#test/shared/platform/resources/sample-persons.ts';

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
    [
      'DONE',
      {
        verificationWords: { success: ['DONE'] },
        statuses: {
          'identification-verification': [{ status: 'DONE', after: 'PENDING', final: false, from: ['PENDING'] }],
        },
      },
      {},
      'success',
    ],
  ])('reads %s by the setting %j %j as %s', (status, profile, settings, meaning) => {
    expect(words(profile, settings).meaningOf(status)).toBe(meaning);
  });
});

describe('an unknown status that a read of the platform shows', () => {
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
  ])('is read from %j with the profile %j: %j', (read, profile, expected) => {
    expect(unknownStatusOf(read, { unknownStatus: before }, words(profile))).toEqual(expected);
  });
});

const operation = 'Get natural person';

describe('the name of a failure, as a reason of the onboarding shows it', () => {
  it.each<[string, PlatformError]>([
    ['HTTP_500', httpError({ status: 500 })],
    ['HTTP_404', httpError({ status: 404, condition: 'NOT_FOUND' })],
    ['REQUESTOR_ID_INVALID', httpError({ status: 400, condition: 'REQUESTOR_ID_INVALID' })],
    ['VALIDATION_ERROR', httpError({ status: 400, condition: 'VALIDATION_ERROR' })],
    ['FORBIDDEN', httpError({ status: 403, condition: 'FORBIDDEN' })],
    ['NO_ANSWER', new PlatformTimeoutError(operation, 1)],
    ['NO_CONNECTION', new PlatformNetworkError(operation, {})],
    ['NO_TOKEN', new PlatformTokenError(operation)],
    ['INPUT_REFUSED', new PlatformInputError(operation, ['email: must be an address'])],
    ['UNREADABLE_ANSWER', new PlatformSchemaError(operation, [])],
  ])('is %s for: %s', (name, error) => {
    expect(failureOf(error)).toBe(name);
  });
});

const naturalPersonId = 'person';

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
