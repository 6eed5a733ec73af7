import { describe, expect, it } from 'vitest';
import { outcomeOf } from '#functions/onboarding/advance/call-outcome.ts';
import type { Call } from '#functions/onboarding/state-machine/decisions.ts';
import { newOnboarding } from '#shared/onboarding/onboarding-state.ts';
import {
  type PlatformCondition,
  PlatformInputError,
  PlatformNetworkError,
  PlatformSchemaError,
  PlatformTimeoutError,
  PlatformTokenError,
} from '#shared/platform/client/errors.ts';
import { httpError } from './http-error.ts';

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
    [400, 'VALIDATION_ERROR', verification, 'REQUESTOR_NOT_ACTIVE'],
  ] as const)('gives for a %d (%s) to %s the reason %s', (status, condition, call, code) => {
    expect(outcomeOf(http(status, condition), call, state).input).toMatchObject({ reason: { code } });
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

  it('refuses what breaks a rule of ours, by the names of its fields', () => {
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
