import { describe, expect, it } from 'vitest';
import { conflictOf, createMakeCall, outcomeOf } from '#functions/onboarding/advance/make-call.ts';
import type { Call } from '#functions/onboarding/state-machine/decide.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { newOnboarding, type OnboardingData } from '#shared/onboarding/onboarding-state.ts';
import {
  type PlatformCondition,
  PlatformInputError,
  PlatformNetworkError,
  PlatformSchemaError,
  PlatformTimeoutError,
  PlatformTokenError,
} from '#shared/platform/client/errors.ts';
import { type Answer, createAnsweringPlatform } from '#test/functions/onboarding/answering-platform.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';
import { httpError } from '#test/shared/platform/client/http-error.ts';
import { sampleIdentification } from '#test/shared/platform/resources/sample-persons.ts';

const naturalPersonId = '0190a6f0-1234-7abc-8def-00000000000a';
const requestor = '0190a6f0-1234-7abc-8def-00000000000b';
const verificationId = '0190a6f0-1234-7abc-8def-00000000000c';
const { data } = sampleOnboarding('partner-1');
const personOf = { naturalPersonId };
const verificationOf = { identificationVerificationId: verificationId };
const calls = ['create the person', 'create the verification', 'send the identification'] as const;

type Given = { readonly age?: number; readonly requestor?: string; readonly data?: OnboardingData };

/** Makes a call that was noted so many milliseconds ago. Gives what came of it, what was sent, and the time for the answer. */
async function makeCall(call: Call, answer: Answer, { age = 0, ...given }: Given = {}) {
  const attempts: number[] = [];
  const { client, clock, sent } = createAnsweringPlatform([answer], {
    profile: { deadlines: { attempt: 60_000 } },
    timeout: (milliseconds) => {
      attempts.push(milliseconds);
      return new AbortController().signal;
    },
  });
  const settings = onboardingSettings.parse({ requestor: given.requestor ?? 'self' });
  const state = { intentOn: new Date(clock.time - age).toISOString(), mode: 'video' } as const;
  const row = sampleOnboarding('partner-1', call === 'create the person' ? state : { ...state, naturalPersonId });
  const make = createMakeCall({ client, settings, now: () => new Date(clock.time) });
  return { outcome: await make(call, { ...row, data: given.data ?? row.data }), sent, attempts };
}

const verificationBody = {
  naturalPersonId,
  externalVerifier: 'EXTERNAL_VERIFIER_ID',
  identificationType: 'VIDEO_IDENT',
  redirectUrl: data.redirectUrl,
};
const { redirectUrl, ...withoutUrl } = verificationBody;

describe('a call of an onboarding', () => {
  it.each([
    ['create the person', personOf, data.person, { type: 'PersonCreated', ...personOf }],
    ['create the verification', verificationOf, verificationBody, { type: 'VerificationCreated', ...verificationOf }],
    ['send the identification', {}, sampleIdentification, { type: 'IdentificationAccepted' }],
  ] as const)('sends what the request has, and returns what came of it: %s', async (call, answer, body, input) => {
    const { outcome, sent } = await makeCall(call, answer);
    expect(outcome).toEqual({ input });
    expect(sent).toEqual([expect.objectContaining({ body })]);
  });

  it('leaves the redirectUrl out where the request has none', async () => {
    const { sent } = await makeCall('create the verification', verificationOf, { data: {} });
    expect(sent).toEqual([expect.objectContaining({ body: withoutUrl })]);
  });

  it.each([
    ['create the person', personOf, 'self', undefined],
    ['create the verification', verificationOf, 'self', naturalPersonId],
    ['create the verification', verificationOf, requestor, requestor],
    ['send the identification', {}, 'self', naturalPersonId],
    ['send the identification', {}, requestor, requestor],
  ] as const)('acts for the requestor of the settings: %s', async (call, answer, configured, expected) => {
    const { sent } = await makeCall(call, answer, { requestor: configured });
    expect(sent.map((one) => one.requestor)).toEqual([expected]);
  });

  it.each([
    ['create the person', 'person'],
    ['send the identification', 'identification'],
  ] as const)('is refused where the request was deleted: %s', async (call, field) => {
    const { outcome, sent } = await makeCall(call, {}, { data: {} });
    const reason = { code: 'REQUEST_DELETED', fields: [field] };
    expect([outcome, sent]).toEqual([{ input: { type: 'CallRefused', reason } }, []]);
  });

  it.each([
    ['an empty id', 'create the person', { naturalPersonId: '' }],
    ['an id that no row takes', 'create the person', { naturalPersonId: 'x'.repeat(3_000) }],
    ['an empty id', 'create the verification', { identificationVerificationId: '' }],
    ['an id that no row takes', 'create the verification', { identificationVerificationId: 'x'.repeat(3_000) }],
  ] as const)('has an unknown outcome with an answer that has %s: %s', async (_, call, answer) => {
    const { outcome } = await makeCall(call, answer);
    expect(outcome).toMatchObject({ input: { type: 'OutcomeUnknown' }, failure: 'UNREADABLE_ANSWER' });
  });
});

describe('promise 6: a call is made soon after it was noted, or not at all', () => {
  it.each(calls)('makes the call within what is left of its time: %s', async (call) => {
    const { attempts } = await makeCall(call, { ...personOf, ...verificationOf }, { age: 1_000 });
    expect(new Set(attempts)).toEqual(new Set([19_000]));
  });

  it.each(calls)('sends nothing from a process that slept since it was noted: %s', async (call) => {
    const { outcome, sent } = await makeCall(call, {}, { age: 20_000 });
    expect([outcome, sent]).toEqual([{ input: { type: 'CallNotTaken' } }, []]);
  });
});

const state = newOnboarding('video', '2026-01-02T03:04:05.678Z');
const operation = 'Create natural person';
const [person, verification] = ['create the person', 'create the verification'] as const;

const http = (status: number, condition?: PlatformCondition) => httpError({ status, condition, retryAfter: 7 });

describe('section 7: what each answer to a create means for the onboarding', () => {
  it.each([
    [400, 'BAD_REQUEST', person, 'CallRefused'],
    [400, 'VALIDATION_ERROR', person, 'CallRefused'],
    [409, 'CONFLICT', person, 'ConflictMet'],
    [403, 'FORBIDDEN', person, 'Stopped'],
    [404, 'NOT_FOUND', person, 'Stopped'],
    [501, 'NOT_IMPLEMENTED', person, 'Stopped'],
    [301, undefined, person, 'Stopped'],
    [422, undefined, person, 'CallRefused'],
    [401, undefined, person, 'CallNotTaken'],
    [429, undefined, person, 'CallNotTaken'],
    [408, undefined, person, 'OutcomeUnknown'],
    [500, undefined, person, 'OutcomeUnknown'],
    [503, undefined, person, 'OutcomeUnknown'],
    [400, 'BAD_REQUEST', verification, 'CallRefused'],
    [400, 'VALIDATION_ERROR', verification, 'RequestorNotActive'],
    [400, 'REQUESTOR_ID_INVALID', verification, 'Stopped'],
    [403, 'FORBIDDEN', verification, 'Stopped'],
    [404, 'NOT_FOUND', verification, 'CallNotTaken'],
    [409, 'CONFLICT', verification, 'OutcomeUnknown'],
    [501, 'NOT_IMPLEMENTED', verification, 'Stopped'],
    [500, undefined, verification, 'OutcomeUnknown'],
    [429, undefined, verification, 'CallNotTaken'],
  ] as const)('makes of a %d (%s) to %s: %s', (status, condition, call, type) => {
    const { input, retryAfter } = outcomeOf(http(status, condition), call, state);
    expect([input.type, retryAfter]).toEqual([type, 7]);
  });

  it.each([
    [403, 'FORBIDDEN', person, 'FORBIDDEN'],
    [301, undefined, person, 'HTTP_301'],
    [400, 'VALIDATION_ERROR', person, 'BAD_REQUEST'],
    [400, 'BAD_REQUEST', person, 'BAD_REQUEST'],
    [422, undefined, person, 'HTTP_422'],
    [400, 'VALIDATION_ERROR', verification, 'REQUESTOR_NOT_ACTIVE'],
  ] as const)('gives for a %d (%s) to %s the reason %s', (status, condition, call, code) => {
    expect(outcomeOf(http(status, condition), call, state).input).toMatchObject({ reason: { code } });
  });

  it('stops the onboarding at an error about the caller, which refuses no data', () => {
    const error = httpError({ status: 400, condition: 'BAD_REQUEST', isAboutCaller: true });
    expect(outcomeOf(error, person, state).input).toEqual({ type: 'Stopped', reason: { code: 'CALLER_REFUSED' } });
  });

  it('names the fields that the platform refuses, and none where it names none', () => {
    const reasonFor = (...fields: readonly (string | undefined)[]) => {
      const errorDetails = fields.map((field) => ({ field, errors: [] }));
      return outcomeOf(httpError({ status: 422, errorDetails }), person, state).input;
    };
    const code = 'HTTP_422';
    expect(reasonFor('email', undefined, 'birthDay')).toEqual({
      type: 'CallRefused',
      reason: { code, fields: ['email', 'birthDay'] },
    });
    expect(reasonFor(undefined)).toEqual({ type: 'CallRefused', reason: { code } });
  });

  it('stops the onboarding at a VALIDATION_ERROR when the requestor was ACTIVE', () => {
    const error = http(400, 'VALIDATION_ERROR');
    expect(outcomeOf(error, verification, { ...state, requestorWasActive: true }).input).toEqual({
      type: 'Stopped',
      reason: { code: 'VALIDATION_ERROR' },
    });
  });

  it.each<[Error, Call, string]>([
    [new PlatformNetworkError(operation, {}), person, 'OutcomeUnknown'],
    [new PlatformTimeoutError(operation, 1), verification, 'OutcomeUnknown'],
    [new PlatformSchemaError(operation, []), verification, 'OutcomeUnknown'],
    [new PlatformTokenError(operation), person, 'CallNotTaken'],
  ])('makes of a %s to %s: %s', (error, call, type) => {
    expect(outcomeOf(error, call, state).input.type).toBe(type);
  });

  it('refuses a call that breaks one of our rules, with the names of its fields', () => {
    const error = new PlatformInputError(operation, ['identificationDate: must be within the last 24 months']);
    expect(outcomeOf(error, 'send the identification', state).input).toEqual({
      type: 'CallRefused',
      reason: { code: 'INPUT_REFUSED', fields: ['identificationDate'] },
    });
  });

  it("throws what is not the platform's", () => {
    const error = new Error('DynamoDB is down.');
    expect(() => outcomeOf(error, person, state)).toThrow(error);
  });
});

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
