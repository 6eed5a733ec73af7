import { describe, expect, it } from 'vitest';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { compare, pageOf, person, record, undelivered, verification } from './recorded-platform.ts';

const persons = '/entities/natural-persons';
const oneVerification = `/entities/identification-verifications/${verification.identificationVerificationId}`;

const canary = 'Zwiebelmann';
const createdOn = '2026-01-02T03:04:05';

/** A platform that writes fields otherwise than the specification shows. */
const ofAnother: Readonly<Record<string, unknown>> = {
  '/entities/natural-persons': {
    data: [
      { naturalPersonId: 12_345, naturalPersonStatus: { code: 'ACTIVE' }, createdOn, modifiedOn: createdOn },
      { id: 12_346, naturalPersonStatus: { code: 'FROZEN', text: canary }, createdOn, birthDay: createdOn, loyalty: 1 },
    ],
    pagination: { cursor: '', limit: 100 },
  },
  '/entities/identification-verifications': [{ verification: 'one', status: 'RECEIVED' }],
  '/webhooks': [{ eventType: 'LOAN_NOTIFICATION', url: 'https://example.org', createdOn: '2026-01-02T03:04:05Z' }],
  '/webhooks-missing': [],
  '/webhooks-undelivered': {
    data: [
      ...['TRANSFER_NOTIFICATION', 'LOAN_NOTIFICATION'].map((eventType, index) => ({
        id: `record-${index}`,
        webhook: { eventType, url: 'https://example.org' },
        body: JSON.stringify({ transferNumber: index, status: 'PENDING', holder: canary }),
      })),
    ],
    pagination: { cursor: null },
  },
};

type Found = readonly [result: 'good' | 'problem' | 'unknown', detail: string];
type Expected = readonly [check: string, ...Found];

async function expectFinding(answers: Readonly<Record<string, unknown>>, [check, result, detail]: Expected) {
  const { findings } = compare(await record(answers));
  expect(findings).toContainEqual(expect.objectContaining({ check, result, detail: expect.stringContaining(detail) }));
}

describe('cli platform compare: compareRecording', () => {
  it('finds no problem in answers as the specification has them', async () => {
    const { findings } = compare(await record({}));
    expect(findings.filter(({ result }) => result !== 'good')).toEqual([]);
  });

  it('names each difference of another platform, and what to do about it', async () => {
    const recording = await record(ofAnother);
    expect(JSON.stringify(recording)).not.toContain(canary);
    expect(Object.keys(recording.webhooks['TRANSFER_NOTIFICATION']?.body?.fields ?? {})).toEqual([
      'holder',
      'status',
      'transferNumber',
    ]);
    const { findings, platformProfile: changed } = compare(recording);
    const expected = [
      [
        'Get natural persons',
        'good',
        'read as specified: naturalPersonId (whole number), naturalPersonStatus (object)',
      ],
      ['Get natural persons', 'good', 'under another name, and read: naturalPersonId'],
      ['Get natural persons', 'problem', 'cannot use, birthDay (date-time without a zone)'],
      ['Get natural persons', 'good', 'not in the specification, and not used: loyalty'],
      [
        'Get natural persons: status',
        'problem',
        '2 members have ACTIVE, FROZEN in naturalPersonStatus; not known: FROZEN',
        'platformProfile.statuses.natural-person',
      ],
      ['Get Identification Verifications', 'problem', 'cannot be read: identificationVerificationId'],
      ['List undelivered webhooks', 'problem', 'needs createdOn, and no answer has it'],
      ['List undelivered webhooks', 'problem', 'cannot use, id (word)'],
      ['TRANSFER_NOTIFICATION', 'problem', 'no id where the platform profile expects it', 'platformProfile.places'],
      ['event types', 'problem', 'LOAN_NOTIFICATION', 'platformProfile.eventTypes'],
      ['times', 'problem', 'without a zone: createdOn of Get natural persons', 'platformProfile.times.zone'],
      ['not found', 'good', '404, with errorCode, message'],
      ['error codes', 'good', 'NO_SUCH_PERSON'],
    ] as const;
    const unread = expected.filter(
      ([check, result, detail, remedy = '']) =>
        !findings.some(
          (one) =>
            one.check === check &&
            one.result === result &&
            one.detail.includes(detail) &&
            (one.remedy ?? '').includes(remedy),
        ),
    );
    expect(unread, JSON.stringify(findings, undefined, 1)).toEqual([]);
    expect(changed).toEqual({ eventTypes: expect.arrayContaining(['LOAN_NOTIFICATION']) });
  });

  it.each<readonly [string, unknown, Expected]>([
    ['a page without pagination', { data: [person] }, ['Get natural persons', 'problem', 'no answer has pagination,']],
    [
      'a cursor beside data',
      { data: [person], cursor: 'abc', limit: 1 },
      ['Get natural persons', 'problem', 'cursor, limit beside data. Drawbridge reads data and pagination.cursor'],
    ],
    [
      'a cursor that is an object',
      { data: [person], pagination: { cursor: { of: 'abc' } } },
      ['Get natural persons', 'problem', 'cannot be read: pagination.cursor'],
    ],
  ])('names what a list of persons has around its members: %s', async (_, answer, expected) => {
    await expectFinding({ [persons]: answer }, expected);
  });

  it.each<readonly [string, object, Found]>([
    ['an externalId that is an object', { externalId: { value: 'a' } }, ['problem', 'cannot use, externalId (object)']],
    [
      'no field of the identity',
      { firstName: undefined, lastName: undefined, birthDay: undefined },
      ['unknown', 'no answer has firstName, lastName, birthDay'],
    ],
  ])('names what leaves a search for a person undecided: %s', async (_, fields, expected) => {
    await expectFinding({ [persons]: pageOf([{ ...person, ...fields }]) }, ['Get natural persons', ...expected]);
  });

  it.each<readonly [string, object, Found]>([
    [
      'a link under another name',
      { identificationUrl: undefined, videoUrl: 'https://call.example/1' },
      ['unknown', 'no answer has identificationUrl'],
    ],
    [
      'a link that is an object',
      { identificationUrl: { href: 'https://call.example/1' } },
      ['problem', 'cannot use, identificationUrl (object)'],
    ],
  ])('names what keeps an onboarding from the link to the video call: %s', async (_, fields, expected) => {
    await expectFinding({ [oneVerification]: { ...verification, ...fields } }, [
      'Get Identification Verification',
      ...expected,
    ]);
  });

  it.each<readonly [string, object, 'good' | 'problem', string]>([
    ['pending', {}, 'good', '1 member has PENDING'],
    ['completed', { success: ['COMPLETED'] }, 'good', '1 member has COMPLETED'],
    ['handed-over', {}, 'problem', 'not known: HANDED_OVER'],
  ])('reads %s of a verification as an onboarding does', async (status, verificationWords, result, detail) => {
    const profile = platformProfile.parse({ verificationWords });
    const recorded = await record({ [oneVerification]: { ...verification, status } }, profile);
    expect(compare(recorded, profile).findings).toContainEqual(
      expect.objectContaining({
        check: 'Get Identification Verification: status',
        result,
        detail: expect.stringContaining(detail),
      }),
    );
  });
});

describe('cli platform record: recordPlatform', () => {
  it('records an event type with a space under no name, unless the profile has the type', async () => {
    const records = ['ERIKA MUSTERMANN', 'TRANSFER NOTIFICATION', { name: 'MUSTERMANN' }].map((eventType, index) => ({
      ...undelivered,
      id: `record-${index}`,
      webhook: { ...undelivered.webhook, eventType },
      body: `${undelivered.body}${' '.repeat(index)}`,
    }));
    const { webhooks, notRecorded } = await record({ '/webhooks-undelivered': pageOf(records) });
    expect(Object.keys(webhooks)).toEqual(['TRANSFER_NOTIFICATION']);
    expect(notRecorded).toContain('1 webhook with an event type that is not a word in capitals');
  });
});
