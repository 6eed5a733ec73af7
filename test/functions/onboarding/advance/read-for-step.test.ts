import { describe, expect, it } from 'vitest';
import { platformWords } from '#functions/onboarding/advance/platform-answers.ts';
import { createReadForStep, type ReadReasons } from '#functions/onboarding/advance/read-for-step.ts';
import type { ReadResult } from '#functions/onboarding/state-machine/decide.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import type { OnboardingStep } from '#shared/onboarding/onboarding-steps.ts';
import { type Answer, createAnsweringPlatform } from '#test/functions/onboarding/answering-platform.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';
import { sampleIdentification, samplePerson } from '#test/shared/platform/resources/sample-persons.ts';

const [id, requestorId, verificationId] = ['a', 'b', 'c'].map((last) => `0190a6f0-1234-7abc-8def-00000000000${last}`);
const externalId = 'partner-1';
const persons = 'GET /entities/natural-persons';
const verifications = 'GET /entities/identification-verifications';
/** What webhooks have reported. */
const codes: Readonly<Record<string, readonly string[]>> = {
  [`natural-person ${id} INVALID`]: ['NAME_INVALID'],
  [`identification-verification ${verificationId} FAILED`]: ['NO_FACE'],
};
const intentOn = '2026-01-02T03:04:05.678Z';

type Given = Partial<OnboardingState> & {
  readonly requestor?: string | undefined;
  /** Of the profile: who reads verifications. */
  readonly reader?: string | undefined;
  readonly isExternalIdUnique?: boolean;
  /** In seconds: how long each call takes. */
  readonly seconds?: number;
};

/** What a step reads, when the platform gives these answers in turn; and the calls that it makes. */
async function readAt(step: OnboardingStep, answers: readonly Answer[], given: Given = {}) {
  const { requestor = 'self', reader, isExternalIdUnique = true, seconds = 0, ...state } = given;
  const profile = { isExternalIdUnique, ...(reader !== undefined && { requestors: { verifications: reader } }) };
  const { client, clock, sent } = createAnsweringPlatform(answers, { profile });
  const settings = onboardingSettings.parse({ requestor });
  const now = () => {
    clock.time += seconds * 1_000;
    return new Date(clock.time);
  };
  const words = platformWords(client.profile, settings);
  const readReasons: ReadReasons = async ({ kind, id: of }, status) => codes[`${kind} ${of} ${status}`] ?? [];
  const readForStep = createReadForStep({ client, settings, words, readReasons, now });
  const row = sampleOnboarding(externalId, {
    step,
    naturalPersonId: id,
    identificationVerificationId: verificationId,
    ...state,
  });
  const read = await readForStep(row);
  return { read, sent, calls: sent.map(({ call }) => call) };
}

const listOf = (items: readonly object[], cursor: string | null = null) => ({ data: items, pagination: { cursor } });
const seen = (naturalPersonStatus: string | null, more: object = {}) => ({
  naturalPersonId: id,
  naturalPersonStatus,
  ...more,
});
const person = { ...samplePerson, naturalPersonId: id, externalId };
/** Where a search continues, with any memory of the pages before. */
const placeAt = (cursor: string) => expect.stringContaining(`{"cursor":"${cursor}"`);
const unread = (why: string, retryAfter?: number): ReadResult => ({ of: 'UNREAD', why, retryAfter });
const unreadable = unread('UNREADABLE_ANSWER');
const long = 'x'.repeat(3_000);
const notFound = { status: 404 };

describe('a step that needs nothing of the platform', () => {
  it.each<[OnboardingStep, Given]>([
    ['REQUESTED', {}],
    ['STOPPED', {}],
    ['COMPLETED', {}],
    // A create that was not accepted has made no person.
    ['CREATING_PERSON', { isExternalIdUnique: false }],
    // The platform answers 409 to a second create.
    ['CREATING_PERSON', { intentOn }],
    ['CREATING_PERSON', { mustSeek: true, hasUnknownCreate: true }],
  ])('makes no call at %s, given %j', async (step, given) => {
    expect(await readAt(step, [], given)).toMatchObject({ read: { of: 'NOTHING' }, calls: [] });
  });
});

describe('a search for the person', () => {
  const namesake = { ...person, naturalPersonId: requestorId, externalId: 'another' };
  const ended: ReadResult = { of: 'SEARCH_ENDED', hasNamesake: false };

  it.each<[string, object, ReadResult]>([
    ['the person of the externalId', person, { of: 'PERSON_FOUND', naturalPersonId: id ?? '', differing: [] }],
    [
      'another person of the externalId',
      { ...person, firstName: 'Erna', birthDay: '1991-01-01' },
      { of: 'PERSON_FOUND', naturalPersonId: id ?? '', differing: ['firstName', 'birthDay'] },
    ],
    ['the person under another externalId', namesake, { of: 'SEARCH_ENDED', hasNamesake: true }],
    ['another person', { ...namesake, firstName: 'Erna' }, ended],
    [
      'a person of the externalId whose identity cannot be compared',
      { ...person, firstName: { first: 'Max' }, lastName: { v: 'Meier' }, birthDay: [1950, 5, 6] },
      unreadable,
    ],
    [
      'a person of the externalId with nothing to compare',
      { ...person, firstName: null, lastName: undefined, birthDay: null },
      unreadable,
    ],
    [
      'the person of the externalId by only one name',
      { naturalPersonId: id, externalId, lastName: person.lastName },
      { of: 'PERSON_FOUND', naturalPersonId: id ?? '', differing: [] },
    ],
    ['the person with a birthDay that is a number', { ...person, birthDay: 19_900_203 }, unreadable],
    ['the person with an empty id', { ...person, naturalPersonId: '' }, unreadable],
    ['the person with an id that no row takes', { ...person, naturalPersonId: long }, unreadable],
  ])('finds %s', async (_, listed, expected) => {
    expect((await readAt('FINDING_PERSON', [listOf([listed])])).read).toEqual(expected);
  });

  it.each([{ intentOn }, { hasUnknownCreate: true }, { mustSeek: true }])(
    'comes before a second create where the platform may take a second person, given %j',
    async (given) => {
      const read = readAt('CREATING_PERSON', [listOf([])], { ...given, isExternalIdUnique: false });
      expect((await read).read).toEqual(ended);
    },
  );

  it('reads a list from the cursor of the state to the end of the list', async () => {
    const { read, calls } = await readAt('FINDING_PERSON', [listOf([], 'b'), listOf([])], { cursor: 'a' });
    expect(read).toEqual(ended);
    expect(calls.map((call) => new URLSearchParams(call.split('?')[1]).get('cursor'))).toEqual(['a', 'b']);
  });

  it.each([5, { naturalPersonId: 'x', externalId: {} }])(
    'is undecided where it reads %j, in each later run',
    async (member) => {
      const first = [listOf([member as object, person], 'a')];
      expect((await readAt('FINDING_PERSON', first)).read).toMatchObject({ of: 'PERSON_FOUND' });
      const pages = [listOf([member as object], 'a'), listOf([], 'b')];
      const { read } = await readAt('FINDING_PERSON', pages, { seconds: 8 });
      const { cursor } = read.of === 'SEARCH_CONTINUES' ? read : {};
      expect((await readAt('FINDING_PERSON', [listOf([])], { cursor })).read).toEqual(unreadable);
      expect((await readAt('FINDING_PERSON', [listOf([person])], { cursor })).read).toMatchObject({
        naturalPersonId: id,
      });
    },
  );

  it('ends where the list starts over with new cursors, however many runs it takes', async () => {
    let cursor: string | undefined;
    for (let run = 0; run < 20; run += 1) {
      const pages = Array.from({ length: 50 }, (_, at) => {
        const page = run * 50 + at;
        return listOf([{ naturalPersonId: `${page % 60}` }], `${page}`);
      });
      const { read } = await readAt('FINDING_PERSON', pages, { cursor });
      if (read.of !== 'SEARCH_CONTINUES') return expect(read).toEqual(unreadable);
      ({ cursor } = read);
    }
    throw new Error('The search did not end.');
  });

  it.each([
    ['50 pages', 0, 50],
    ['15 seconds', 8, 2],
  ])('continues in a later run after %s', async (_, seconds, pages) => {
    const answers = Array.from({ length: 60 }, (__, page) => listOf([], `${page}`));
    const { read, calls } = await readAt('FINDING_PERSON', answers, { seconds });
    expect(read).toEqual({ of: 'SEARCH_CONTINUES', cursor: placeAt(`${pages - 1}`), hasNamesake: false });
    expect(calls).toHaveLength(pages);
  });

  it.each([
    ['is too long', 'x'.repeat(4_097)],
    ['has half a surrogate pair', 'x\ud800'],
  ])('does not take a list for one read to its end where a cursor %s', async (_, cursor) => {
    const { read, calls } = await readAt('FINDING_PERSON', [listOf([], cursor)]);
    expect([read, calls.length]).toEqual([unreadable, 1]);
  });
});

describe('a step that reads the person', () => {
  it.each<[string, Answer, ReadResult]>([
    ['a status', seen('REVIEW'), { of: 'PERSON', status: 'REVIEW', isIdentified: false }],
    ['no status', seen(null), { of: 'PERSON', status: undefined, isIdentified: false }],
    [
      'a status that is no word',
      { naturalPersonId: id, naturalPersonStatus: { id: 3 } },
      { of: 'PERSON', status: undefined, isIdentified: false, isStatusUnreadable: true },
    ],
    [
      'the identification',
      seen('CREATED', { naturalPersonIdentifications: [sampleIdentification] }),
      { of: 'PERSON', status: 'CREATED', isIdentified: true },
    ],
    [
      'another identification',
      seen('CREATED', { naturalPersonIdentifications: [{ ...sampleIdentification, documentNumber: null }] }),
      { of: 'PERSON', status: 'CREATED', isIdentified: false },
    ],
    [
      'why it is INVALID',
      seen('INVALID'),
      { of: 'PERSON', status: 'INVALID', isIdentified: false, reasons: ['NAME_INVALID'] },
    ],
    ['404', notFound, { of: 'PERSON_MISSING' }],
    ['403', { status: 403 }, unread('FORBIDDEN')],
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '120' } }, unread('HTTP_429', 120_000)],
    ['what is no person', { naturalPersonStatus: 7 }, unreadable],
  ])('observes %s', async (_, answer, expected) => {
    const { read, calls } = await readAt('AWAITING_CHECKS', [answer]);
    expect(read).toEqual(expected);
    expect(calls).toEqual([`${persons}/${id}`]);
  });
});

describe('a list of the identifications of a person', () => {
  const unreadableLists = [
    ['a member that is no object', [7]],
    ['a member that is null', [null]],
    ['a documentNumber that cannot be read', [{ ...sampleIdentification, documentNumber: { value: 'B2' } }]],
    ['no list', { data: [sampleIdentification] }],
  ] as const;
  const readList = async (step: OnboardingStep, shown: unknown, status: string, given: Given = {}) => {
    const { read } = await readAt(step, [seen(status, { naturalPersonIdentifications: shown })], given);
    return read;
  };

  it.each(unreadableLists)('proves no identification to be missing where it has %s', async (_, shown) => {
    for (const step of ['AWAITING_CHECKS', 'SENDING_IDENTIFICATION'] as const) {
      expect(await readList(step, shown, 'PENDING')).toEqual(unreadable);
      if (Array.isArray(shown))
        expect(await readList(step, [...shown, sampleIdentification], 'PENDING')).toMatchObject({
          isIdentified: true,
        });
    }
  });

  it.each<[string, OnboardingStep, string, Given]>([
    ['the person ends the onboarding', 'SENDING_IDENTIFICATION', 'REJECTED', {}],
    ['the person is ACTIVE', 'SENDING_IDENTIFICATION', 'ACTIVE', {}],
    ['the person is not checked yet', 'AWAITING_CHECKS', 'REVIEW', {}],
    ['the person is identified by video', 'AWAITING_CHECKS', 'CREATED', { mode: 'video' }],
    ['the platform has the identification', 'AWAITING_CHECKS', 'CREATED', { isIdentified: true }],
    ['nothing is to be sent', 'AWAITING_ACTIVATION', 'PENDING', {}],
  ])('is not needed where %s', async (_, step, status, given) => {
    expect(await readList(step, [7], status, given)).toEqual({ of: 'PERSON', status, isIdentified: false });
  });
});

describe('a step that reads the person and the requestor', () => {
  it.each<[string, string | undefined, readonly Answer[], ReadResult]>([
    [
      'the person itself',
      undefined,
      [seen('PENDING')],
      { of: 'PERSON', status: 'PENDING', isIdentified: false, requestorStatus: 'PENDING' },
    ],
    [
      'a configured person',
      requestorId,
      [seen('CREATED'), { naturalPersonId: requestorId, naturalPersonStatus: 'SUSPENDED' }],
      { of: 'PERSON', status: 'CREATED', isIdentified: false, requestorStatus: 'SUSPENDED' },
    ],
    [
      'not read when the person ends the onboarding',
      requestorId,
      [seen('REJECTED')],
      { of: 'PERSON', status: 'REJECTED', isIdentified: false },
    ],
    [
      'not read when the person is ACTIVE',
      requestorId,
      [seen('ACTIVE')],
      { of: 'PERSON', status: 'ACTIVE', isIdentified: false },
    ],
    ['not read when the platform has no person', requestorId, [notFound], { of: 'PERSON_MISSING' }],
  ])('has a requestor that is %s', async (_, requestor, answers, expected) => {
    const { read, calls } = await readAt('AWAITING_REQUESTOR', answers, { requestor });
    expect(read).toEqual(expected);
    expect(calls).toEqual([`${persons}/${id}`, `${persons}/${requestorId}`].slice(0, answers.length));
  });
});

describe('a step that reads the person and its verifications', () => {
  const one = (identificationVerificationId: string | undefined, more: object = {}) => ({
    identificationVerificationId,
    naturalPersonId: id,
    status: 'PENDING',
    ...more,
  });

  it.each<[string, readonly Answer[], ReadResult]>([
    [
      'one that runs, and neither one that has failed nor one of another person',
      [listOf([one('failed', { status: 'FAILED' }), one('other', { naturalPersonId: requestorId }), one('runs')])],
      { of: 'VERIFICATION_FOUND', identificationVerificationId: 'runs' },
    ],
    ['none', [listOf([one('failed', { status: 'FAILED' })])], { of: 'SEARCH_ENDED' }],
    ['one without a readable naturalPersonId', [listOf([one('other', { naturalPersonId: {} })])], unreadable],
    ['one with an empty id', [listOf([one('')])], unreadable],
    ['one with an id that no row takes', [listOf([one(long)])], unreadable],
    [
      'more pages than one run reads',
      Array.from({ length: 50 }, () => listOf([], 'next')).map((page, at) => ({
        ...page,
        pagination: { cursor: `${at}` },
      })),
      { of: 'SEARCH_CONTINUES', cursor: placeAt('49') },
    ],
  ])('finds %s', async (_, pages, expected) => {
    const answers = [seen('CREATED'), ...pages];
    const { read, sent } = await readAt('CREATING_VERIFICATION', answers, {
      requestor: requestorId,
    });
    expect(read).toEqual(expected);
    expect(sent[1]).toMatchObject({ call: expect.stringContaining(verifications), requestor: requestorId });
  });

  it.each(['BLOCKED', 'ACTIVE'])('searches nothing when the person ends the onboarding: %s', async (status) => {
    const { read, calls } = await readAt('CREATING_VERIFICATION', [seen(status)]);
    expect([read, calls.length]).toEqual([{ of: 'PERSON', status, isIdentified: false }, 1]);
  });
});

describe('a step that reads the person and the verification', () => {
  const verification = (status: string | null, identificationUrl: string | null) => ({
    identificationVerificationId: verificationId,
    status,
    identificationUrl,
  });
  const url = 'https://video.example/1';

  it.each<[string, readonly Answer[], ReadResult]>([
    [
      'a status and the URL',
      [verification('PENDING', url)],
      { of: 'VERIFICATION', status: 'PENDING', identificationUrl: url },
    ],
    [
      'why it has failed',
      [verification('FAILED', null)],
      { of: 'VERIFICATION', status: 'FAILED', identificationUrl: undefined, reasons: ['NO_FACE'] },
    ],
    [
      'a status that is no word',
      [{ identificationVerificationId: verificationId, status: { id: 3 } }],
      { of: 'VERIFICATION', status: undefined, identificationUrl: undefined, isStatusUnreadable: true },
    ],
    ['neither', [verification(null, null)], { of: 'VERIFICATION', status: undefined, identificationUrl: undefined }],
    ['a URL that no row takes', [verification('PENDING', 'x'.repeat(500_000))], unreadable],
    ['404', [notFound], { of: 'VERIFICATION_MISSING' }],
    ['403', [{ status: 403 }], unread('FORBIDDEN')],
  ])('observes %s', async (_, answers, expected) => {
    const { read, sent } = await readAt('AWAITING_VIDEO_CALL', [seen('CREATED'), ...answers]);
    expect(read).toEqual(expected);
    expect(sent[1]).toMatchObject({ call: `${verifications}/${verificationId}`, requestor: id });
  });

  it.each<[string, Answer, ReadResult]>([
    [
      'the verification with it',
      verification('APPROVED', null),
      { of: 'VERIFICATION', status: 'APPROVED', identificationUrl: undefined, isPersonActive: true },
    ],
    ['only the person after 404', notFound, { of: 'PERSON', status: 'ACTIVE', isIdentified: false }],
    ['only the person after 403', { status: 403 }, { of: 'PERSON', status: 'ACTIVE', isIdentified: false }],
    ['nothing the first time that the platform fails', { status: 503 }, unread('NO_CONNECTION')],
  ])('observes of an ACTIVE person %s', async (_, answer, expected) => {
    expect((await readAt('AWAITING_VIDEO_CALL', [seen('ACTIVE'), answer])).read).toEqual(expected);
  });

  it('reads no verification when the person ends the onboarding', async () => {
    const { read, calls } = await readAt('AWAITING_VIDEO_CALL', [notFound]);
    expect([read, calls.length]).toEqual([{ of: 'PERSON_MISSING' }, 1]);
  });
});

describe('a step that reads verifications', () => {
  it.each<[string, Given, string | undefined]>([
    ['the person itself', {}, id],
    ['the requestor of the onboardings', { requestor: requestorId }, requestorId],
    ['whom the profile names', { reader: requestorId }, requestorId],
    ['the person itself, when the profile says so', { requestor: requestorId, reader: 'self' }, id],
    ['no one, when the profile says so', { requestor: requestorId, reader: 'none' }, undefined],
  ])('names as the requestor %s', async (_, given, requestor) => {
    const read = { identificationVerificationId: verificationId, status: 'PENDING' };
    const steps = [
      ['CREATING_VERIFICATION', listOf([])],
      ['AWAITING_VIDEO_CALL', read],
    ] as const;
    for (const [step, answer] of steps)
      expect((await readAt(step, [seen('CREATED'), answer], given)).sent[1]?.requestor).toBe(requestor);
  });
});

describe('a read of the platform', () => {
  it("throws what is not the platform's, so that the message comes again", async () => {
    const readForStep = createReadForStep({
      client: createAnsweringPlatform([]).client,
      settings: onboardingSettings.parse({}),
      words: { meaningOf: () => 'unknown' },
      readReasons: async () => [],
      now: () => {
        throw new RangeError('There is no time.');
      },
    });
    await expect(readForStep(sampleOnboarding(externalId, { step: 'FINDING_PERSON' }))).rejects.toThrow(RangeError);
  });
});
