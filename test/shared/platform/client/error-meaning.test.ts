import { describe, expect, it } from 'vitest';
import { readMeaning } from '#shared/platform/client/read-http-error.ts';

/** Whether an onboarding waits for this error, because it is about the caller or about the requestor, or FAILED for its data. */
function waitsFor(body: unknown): boolean {
  const { names, isAboutCaller } = readMeaning(body);
  return isAboutCaller || names !== undefined;
}

describe('an error body', () => {
  it.each<[unknown]>([
    // The Requestor-ID.
    [{ 'Requestor-ID': 'invalid' }],
    [{ requestorId: 'must be an ACTIVE person' }],
    [{ requestor_id: 'MISSING' }],
    [{ REQUESTORID: 'missing' }],
    [{ requestorId: ['is invalid'] }],
    [{ errors: [{ requestorId: 'is invalid' }] }],
    [{ errors: { 'X-Requestor-Id': 'wrong' } }],
    [{ errorDetails: [{ field: 'Requestor-ID', errors: [{ code: 'INVALID' }] }] }],
    [{ errorDetails: [{ field: 'header.requestorId' }] }],
    [{ message: 'RequestorIDInvalid' }],
    [{ code: 'INVALID_REQUESTORID' }],
    // Section 5: the proxy that entitles a person to represent another one.
    ['No ACTIVE proxy for the person'],
    [{ errorCode: 'PROXY_NOT_FOUND' }],
    [{ errorCode: 'ProxyMissing' }],
    [{ message: 'The person is not entitled to represent the target' }],
    [{ code: 'NOT_ENTITLED' }],
    [{ message: 'Missing entitlement' }],
    [{ message: 'The person cannot act on behalf of another' }],
    // Rights.
    [{ message: 'You are not allowed to perform this operation' }],
    ["You aren't allowed to create persons"],
    [{ message: 'The requesting person is not allowed to act' }],
    [{ code: 'OPERATION_NOT_ALLOWED' }],
    [{ message: 'Not allowed' }],
    [{ message: 'Not permitted' }],
    [{ message: 'You are not permitted to do this' }],
    [{ message: 'The operation is not permitted for your account' }],
    [{ message: 'Onboarding is not permitted for this partner' }],
    [{ message: 'Insufficient rights' }],
    [{ message: 'Missing access rights' }],
    [{ message: 'caller lacks rights' }],
    [{ message: 'The partner does not have the right to create persons' }],
    [{ code: 'MISSING_ROLE' }],
    [{ message: 'User does not have the required role' }],
    [{ error: 'insufficient_scope' }],
    [{ message: 'insufficient_scope: persons' }],
    [{ message: 'The client lacks the scope persons:write' }],
    [{ message: 'Insufficient privileges' }],
    [{ message: "You don't have permission to do this" }],
    [{ message: 'Your permissions are missing' }],
    [{ message: 'client has no access to this resource' }],
    [{ message: "Partner isn't authorized" }],
    [{ message: 'Partner isn’t authorised' }],
    [{ message: 'authorization failed' }],
    [{ error: 'unauthorized_client' }],
    [{ code: 'FORBIDDEN' }],
    ['403 Forbidden'],
    [{ title: 'ForbiddenException' }],
    [{ message: 'Access is forbidden' }],
    [{ message: 'This operation is forbidden' }],
    [{ errors: { ACCESS_DENIED: ['persons'] } }],
    [{ errors: { ACCESS_DENIED: 'persons' } }],
  ])('is about the caller: %j', (body) => {
    expect(waitsFor(body)).toBe(true);
  });

  it.each<[unknown]>([
    [{ message: 'gender must be set', requestorId: '01909f3e-8b1c-7b7e-9d55-0a3f6c1b2d4e' }],
    [{ message: 'gender must be set', requestorId: '' }],
    [{ message: 'gender must be set', sent: { requestorId: '01909f3e-8b1c-7b7e-9d55-0a3f6c1b2d4e' } }],
    [{ message: 'lastName must not have forbidden characters' }],
    [{ message: 'The character < is forbidden in lastName' }],
    [{ code: 'FORBIDDEN_CHARACTERS' }],
    [{ message: 'forbidden word in firstName' }],
    [{ message: 'sourceOfIncome: unauthorized value' }],
    [{ message: 'residencePermission is required' }],
    [{ message: 'has residence permission of AT: required field' }],
    [{ message: 'no residence permit' }],
    [{ message: 'proxyName is invalid' }],
    [{ message: 'lastName has not the right format' }],
    [{ message: 'Digits are not allowed in lastName' }],
    [{ message: '"shoeSize" is not allowed' }],
    [{ message: 'lastName is not allowed to be empty' }],
    [{ message: 'lastName is not permitted to contain digits' }],
    [{ message: 'value not permitted for this field' }],
    [{ message: 'Additional property x is not permitted to be set' }],
    [{ message: 'title must be one of PROFESSOR' }],
    [{ message: 'gender must be one of MALE' }],
    // A field at the top may repeat what was sent.
    [{ message: 'gender must be set', ACCESS_DENIED: 'persons' }],
    // The name of a field is no text about the caller.
    [{ errorDetails: [{ field: 'proxy', errors: [{ code: 'REQUIRED' }] }] }],
    [{ errorDetails: [{ field: 'hasPermission', errors: [{ message: 'must be a boolean' }] }] }],
    [{ errors: { hasPermission: ['must be a boolean'] } }],
    [{ errors: [{ pointer: '#/entitlement', message: 'is too long' }] }],
  ])('is about the data: %j', (body) => {
    expect(waitsFor(body)).toBe(false);
  });

  it.each<[unknown, string | undefined]>([
    [{ title: 'Validation error', detail: 'Check the requestor.' }, 'VALIDATION_ERROR'],
    [{ message: 'The requestor is not active' }, 'VALIDATION_ERROR'],
    [{ title: 'Validation error' }, undefined],
    [{ message: 'The requestor is unknown' }, undefined],
  ])('of %j names the condition %s', (body, condition) => {
    expect(readMeaning(body).names).toBe(condition);
  });

  it.each(['no ', 'lacks the ', 'not allowed to be ', 'is forbidden character ', "n't", 'aB', 'ABc', '- '])(
    'is read in linear time where it repeats %j',
    // A few milliseconds for each text. With a search that backtracks, about a second.
    { timeout: 20_000 },
    (part) => {
      expect(waitsFor({ errors: Array.from({ length: 50 }, () => part.repeat(10_000)) })).toBe(false);
    },
  );
});
