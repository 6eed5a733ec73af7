import { describe, expect, it } from 'vitest';
import { createUpdatePerson, updateDeadlineMs } from '#functions/onboarding/update-person/update-person.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { OnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { PlatformHttpError, PlatformSchemaError } from '#shared/platform/client/errors.ts';
import { notAllowed } from '#shared/platform/profile/additional-fields.ts';
import { type Answer, createAnsweringPlatform } from '#test/functions/onboarding/answering-platform.ts';
import { deployedStack, theResource } from '#test/infra/deployed-stack.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';

const naturalPersonId = '0190a6f0-1234-7abc-8def-00000000000a';
const requestor = '0190a6f0-1234-7abc-8def-00000000000b';
const documentId = '0190a6f0-1234-7abc-8def-0123456789ab';
const row = sampleOnboarding('partner-1', { naturalPersonId });
const erased = { onboardingId: row.onboardingId, version: 2, erasedOn: '', acceptedOn: undefined, step: undefined };
const accepted = { status: 202 };
const ofProfession = { profession: 'Lighthouse keeper' };

type Given = {
  readonly stored?: Awaited<ReturnType<OnboardingStore['load']>> | 'none';
  /** In milliseconds: how long the onboarding takes to load. */
  readonly loadTime?: number;
};

/** Sends an update to a platform that gives these answers in turn. Gives the answer, what was sent, and the times for a call. */
async function patch(
  body: unknown,
  answers: readonly Answer[] = [accepted],
  { stored = row, loadTime = 0 }: Given = {},
) {
  const attempts: number[] = [];
  const { client, clock, sent } = createAnsweringPlatform(answers, {
    profile: { deadlines: { attempt: 60_000 } },
    timeout: (milliseconds) => {
      attempts.push(milliseconds);
      return new AbortController().signal;
    },
  });
  const lines = captureLines();
  const update = createUpdatePerson({
    client,
    settings: onboardingSettings.parse({ requestor }),
    store: {
      load: async () => {
        clock.time += loadTime;
        return stored === 'none' ? undefined : stored;
      },
    },
    now: () => new Date(clock.time),
    deadlineMs: updateDeadlineMs,
    log: lines.log,
  });
  const answer = await update({
    routeKey: 'PATCH /onboardings/{externalId}/person',
    isBase64Encoded: false,
    pathParameters: { externalId: 'partner-1' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  expect(lines.text()).not.toMatch(/Erika|Musterfrau|Lighthouse|partner-/);
  return { status: answer.statusCode, body: JSON.parse(answer.body ?? 'null'), sent, attempts };
}

const update = (naturalPersonUpdateData: object, answers?: readonly Answer[], given?: Given) =>
  patch({ naturalPersonUpdateData }, answers, given);

describe('PATCH /onboardings/{externalId}/person', () => {
  it.each([
    ['data', { naturalPersonUpdateData: ofProfession }],
    [
      'title and lastName with a documentId',
      { naturalPersonUpdateData: { lastName: 'Musterfrau', title: 'DR' }, documentId },
    ],
    [
      'a field that the profile allows',
      { naturalPersonUpdateData: { mainAddress: { country: 'CA', state: 'Ontario' } } },
    ],
  ])(
    'answers 202 once the platform has accepted the update, for the requestor of the settings: %s',
    async (_, body) => {
      const { status, sent } = await patch(body);
      expect(status).toBe(202);
      expect(sent).toEqual([
        { call: expect.stringContaining(`/entities/natural-persons/${naturalPersonId}`), requestor, body },
      ]);
    },
  );

  it.each([
    ['no JSON', '{', [{ pointer: '#' }]],
    [
      'a field that the update has not',
      { mainAddress: { planet: 'Earth' } },
      [{ pointer: '#/naturalPersonUpdateData/mainAddress/planet', detail: notAllowed }],
    ],
    [
      'a field that can only be set at first',
      { birthDay: '1990-01-01' },
      [{ pointer: '#/naturalPersonUpdateData/birthDay' }],
    ],
    ['the externalId', { externalId: 'x' }, [{ pointer: '#/naturalPersonUpdateData/externalId' }]],
    [
      'title without a documentId, and another problem',
      { title: 'DR', language: 'de' },
      [
        { pointer: '#/naturalPersonUpdateData/language', detail: notAllowed },
        { pointer: '#/documentId', detail: 'must be given with title (section 4.1)' },
      ],
    ],
    [
      'more problems than the stack of a process holds',
      { taxDetails: Array.from({ length: 200_000 }, () => 1) },
      [{ pointer: '#', detail: 'has too many problems' }],
    ],
  ])('answers 400 with each field and sends nothing: %s', async (_, data, errors) => {
    const { status, body, sent } = await (typeof data === 'string' ? patch(data) : update(data));
    expect([status, sent]).toEqual([400, []]);
    expect(body).toMatchObject({ type: 'urn:drawbridge:problem:invalid-request', errors });
  });

  it.each([
    ['409 while the platform does not have the person', 409, sampleOnboarding('partner-1'), 'person-not-on-platform'],
    ['404 for an unknown onboarding', 404, 'none', 'onboarding-not-found'],
    ['410 for an erased person', 410, erased, 'person-erased'],
  ] as const)('answers %s', async (_, status, stored, type) => {
    expect(await update(ofProfession, [], { stored })).toMatchObject({
      status,
      body: { type: `urn:drawbridge:problem:${type}` },
    });
  });

  it.each([
    ['VALIDATION_ERROR', 'REQUESTOR_NOT_ACTIVE', 'send the update again'],
    ['REQUESTOR_ID_INVALID', 'REQUESTOR_ID_INVALID', 'give it one on the platform'],
  ])('answers 409 with what to do when the platform refuses the requestor: %s', async (errorCode, reason, remedy) => {
    expect(await update(ofProfession, [{ status: 400, body: { errorCode } }])).toMatchObject({
      status: 409,
      body: { title: 'Requestor refused by the platform', reason, remedy: expect.stringContaining(remedy) },
    });
  });

  it('answers 400 with the fields that the platform refuses, and nothing that the platform says of them', async () => {
    const errorDetails = [
      { field: 'profession', errors: [{ code: 'UNKNOWN', message: 'Lighthouse' }] },
      { field: 'taxDetails[0].taxId', errors: [{ code: 'INVALID', message: 'Lighthouse' }] },
      { field: 'naturalPersonUpdateData.title', errors: [] },
      { errors: [] },
    ];
    const { status, body } = await update(ofProfession, [{ status: 400, body: { errorDetails } }]);
    expect([status, body.errors]).toEqual([
      400,
      [
        { pointer: '#/naturalPersonUpdateData/profession', detail: 'UNKNOWN' },
        { pointer: '#/naturalPersonUpdateData/taxDetails/0/taxId', detail: 'INVALID' },
        { pointer: '#/naturalPersonUpdateData/title', detail: 'is refused by the platform' },
        { pointer: '#', detail: 'is refused by the platform' },
      ],
    ]);
  });

  it.each([
    ['says nothing', '', 'is refused by the platform'],
    ['says why in words', { message: 'The profession Lighthouse keeper is unknown' }, 'is refused by the platform'],
    ['has an empty list of fields', { errorDetails: [] }, 'is refused by the platform'],
    ['has a code', { errorCode: 'PROFESSION_UNKNOWN' }, 'PROFESSION_UNKNOWN'],
    ['has a code in place of a field', { errorDetails: [{ errors: [{ code: 'UNKNOWN' }] }] }, 'UNKNOWN'],
  ])('answers 400 about the whole body when the platform names no field: its error %s', async (_, error, detail) => {
    expect(await update(ofProfession, [{ status: 400, body: error }])).toMatchObject({
      status: 400,
      body: {
        type: 'urn:drawbridge:problem:invalid-request',
        errors: [{ pointer: '#', detail }],
        remedy: expect.stringContaining('Check the fields of the update'),
      },
    });
  });

  it.each([
    ['a text', { message: 'No ACTIVE proxy for the person' }],
    ['a code', { error: 'insufficient_scope' }],
    ['a field', { errorDetails: [{ field: 'Requestor-ID', errors: [{ code: 'MISSING' }] }] }],
  ])('answers 409 when the platform refuses who calls, which %s of its error says', async (_, error) => {
    expect(await update(ofProfession, [{ status: 400, body: error }])).toMatchObject({
      status: 409,
      body: {
        type: 'urn:drawbridge:problem:requestor-refused',
        reason: 'CALLER_REFUSED',
        remedy: expect.stringContaining('onboarding.requestor'),
      },
    });
  });

  it('answers 400 when the platform names a field of the update with a code that sounds like rights', async () => {
    const errorDetails = [{ field: 'profession', errors: [{ code: 'NOT_ALLOWED' }] }];
    expect(await update(ofProfession, [{ status: 400, body: { errorDetails } }])).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '#/naturalPersonUpdateData/profession', detail: 'NOT_ALLOWED' }] },
    });
  });

  it('answers 502 when the platform refuses the update otherwise', async () => {
    expect(await update(ofProfession, [{ status: 501 }])).toMatchObject({
      status: 502,
      body: { type: 'urn:drawbridge:problem:platform-refused', reason: 'NOT_IMPLEMENTED' },
    });
  });

  it.each([
    ['the platform is down', { status: 503 }, PlatformHttpError],
    ['the answer is not the platform’s', { status: 200, body: '<html>Maintenance</html>' }, PlatformSchemaError],
  ] as const)('throws, so that the update is sent again, when %s', async (_, answer, kind) => {
    await expect(update(ofProfession, new Array<Answer>(9).fill(answer))).rejects.toThrow(kind);
  });
});

describe('the time of an update', () => {
  it('is over some seconds before that of the function, so that no gateway answers in its place', () => {
    const { Properties } = theResource(deployedStack('service'), 'AWS::Lambda::Function', 'UpdatePerson');
    expect(updateDeadlineMs).toBeLessThanOrEqual(Number(Properties['Timeout']) * 1_000 - 5_000);
  });

  it('includes what was read before the platform is called', async () => {
    const { attempts } = await update(ofProfession, [accepted], { loadTime: 9_000 });
    expect(new Set(attempts)).toEqual(new Set([updateDeadlineMs - 9_000]));
  });
});
