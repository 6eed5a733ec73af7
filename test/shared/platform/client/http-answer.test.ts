import { describe, expect, it } from 'vitest';
import type { PlatformCondition } from '#shared/platform/client/errors.ts';
import { isSuccess, parseBody } from '#shared/platform/client/http.ts';
import { type HttpErrorOptions, toHttpError } from '#shared/platform/client/read-http-error.ts';

const now = new Date('2026-01-02T03:04:05.678Z');

function errorFor(status: number, body: unknown, options: Partial<HttpErrorOptions> = {}) {
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  return toHttpError('Do something', { status, headers: new Headers(), body: bytes }, { now, ...options });
}

describe('section 7: the condition of an answer', () => {
  const cases: readonly (readonly [number, unknown, PlatformCondition | undefined])[] = [
    [400, {}, 'BAD_REQUEST'],
    [403, {}, 'FORBIDDEN'],
    [404, {}, 'NOT_FOUND'],
    [409, {}, 'CONFLICT'],
    [501, {}, 'NOT_IMPLEMENTED'],
    [401, {}, undefined],
    [418, {}, undefined],
    [429, {}, undefined],
    [500, {}, undefined],
    [503, {}, undefined],
    [302, {}, undefined],
    [400, { responseType: 'VALIDATION_ERROR' }, 'VALIDATION_ERROR'],
    [400, { errorCode: 'VALIDATION_ERROR', message: 'The requestor is not ACTIVE.' }, 'VALIDATION_ERROR'],
    [422, { message: 'VALIDATION_ERROR: not ACTIVE' }, 'VALIDATION_ERROR'],
    [403, { message: 'Requestor-ID invalid' }, 'REQUESTOR_ID_INVALID'],
    [400, { message: 'Requestor-ID invalid', responseType: 'VALIDATION_ERROR' }, 'REQUESTOR_ID_INVALID'],
    [400, 'Requestor-ID invalid', 'REQUESTOR_ID_INVALID'],
    [400, '"VALIDATION_ERROR"', 'VALIDATION_ERROR'],
    [400, { errorDetails: [{ errors: [{ code: 'VALIDATION_ERROR' }] }] }, 'VALIDATION_ERROR'],
    [400, [{ detail: 'Validation_Error' }], 'VALIDATION_ERROR'],
    [400, { title: 'Validation error', detail: 'The requestor is not active.' }, 'VALIDATION_ERROR'],
    [400, { title: 'Validation error', detail: 'The Requestor-ID is not active.' }, 'VALIDATION_ERROR'],
    // The title of any refused data.
    [400, { title: 'Validation error', detail: 'lastName is too long.' }, 'BAD_REQUEST'],
    [400, { problem: { detail: 'REQUESTOR-ID INVALID' } }, 'REQUESTOR_ID_INVALID'],
    [400, { detail: 'The value of Requestor-ID is invalid.' }, 'REQUESTOR_ID_INVALID'],
    [400, { code: 'REQUESTOR_ID_INVALID' }, 'REQUESTOR_ID_INVALID'],
    // About the caller, without the words of the specification.
    [400, { 'Requestor-ID': 'invalid' }, 'BAD_REQUEST'],
    [400, { requestorId: 'must be an ACTIVE person' }, 'BAD_REQUEST'],
    [409, { responseType: 'VALIDATION_ERROR' }, 'CONFLICT'],
    [404, { responseType: 'VALIDATION_ERROR' }, 'NOT_FOUND'],
    [500, { message: 'VALIDATION_ERROR' }, undefined],
    [501, { message: 'VALIDATION_ERROR' }, 'NOT_IMPLEMENTED'],
  ];

  it.each(cases)('reads %d %j as the condition %s', (status, body, condition) => {
    expect(errorFor(status, body)).toMatchObject({ status, condition });
  });

  it('reads Not Found as PURGED when an INVALID record is possible (section 3.3)', () => {
    expect(errorFor(404, {}, { mayBePurged: true }).condition).toBe('PURGED');
    expect(errorFor(400, {}, { mayBePurged: true }).condition).toBe('BAD_REQUEST');
  });
});

describe('an error about the caller', () => {
  it.each([
    [401, {}, true],
    [403, {}, true],
    [400, {}, false],
    [400, { message: 'Requestor-ID invalid' }, true],
    [400, { message: 'Requestor-ID header is missing' }, true],
    [422, { errors: { requestor_id: ['is missing'] } }, true],
    [400, { error: 'unauthorized_client' }, true],
    [400, { message: 'The caller has no permission' }, true],
    [400, { message: 'You do not have the permission persons:write.' }, true],
    [400, { errorCode: 'INSUFFICIENT_PERMISSIONS' }, true],
    [400, { errorCode: 'PERMISSION_REQUIRED' }, true],
    [400, { message: 'Error: permission denied' }, true],
    [400, { __type: 'AccessDeniedException' }, true],
    [400, { code: 'NotAuthorized' }, true],
    [400, { title: 'Unauthorised' }, true],
    [400, { detail: 'Operation not permitted' }, true],
    [400, { detail: 'Access is denied.' }, true],
    [422, { detail: 'missingPrivilege' }, true],
    [400, { message: 'lastName is too long' }, false],
    [400, { message: 'residencePermission is required' }, false],
    [400, { message: 'The residence permission is missing' }, false],
    [400, { message: 'Residence permissions have expired' }, false],
    [422, { errors: { residencePermission: ['has expired'] } }, false],
    [422, { errors: { permissionType: ['is no known value'] } }, false],
    [422, { errorDetails: [{ field: 'work_permission', errors: [{ message: 'must be a date' }] }] }, false],
    [422, { errors: { privilegedClient: ['must be a boolean'] } }, false],
    [422, { errors: { nickname: ['is not permitted to be empty'] } }, false],
    [400, { message: 'lastName is too long', requestorId: null }, false],
    [400, { message: 'lastName is too long', requestorId: 'ea1b' }, false],
  ])('is distinguished from one about the data: %d %j is %s', (status, body, isAboutCaller) => {
    expect(errorFor(status, body)).toMatchObject({ isAboutCaller });
  });

  it('is read from a bounded part of a body, the outermost texts first', () => {
    const deep = (depth: number) => `${'['.repeat(depth)}"Requestor-ID"${']'.repeat(depth)}`;
    const many = Array.from({ length: 200_000 }, () => ({ a: 'x'.repeat(5) }));
    expect(errorFor(400, deep(10)).isAboutCaller).toBe(true);
    expect(errorFor(400, deep(5_000)).isAboutCaller).toBe(false);
    expect(errorFor(400, { many, message: 'Requestor-ID' }).isAboutCaller).toBe(true);
    expect(errorFor(400, { many: [...many, 'Requestor-ID'] }).isAboutCaller).toBe(false);
    expect(errorFor(400, `${'x'.repeat(20_000)} Requestor-ID`).isAboutCaller).toBe(false);
  });
});

describe('section 7: an error of an answer', () => {
  it.each([401, 408, 425, 429, 500, 502, 503, 504, 520, 599])('is retryable after the status %d', (status) => {
    expect(errorFor(status, {}).isRetryable).toBe(true);
  });

  it.each([300, 304, 400, 402, 403, 404, 405, 409, 410, 422, 451, 501])(
    'is not retryable after the status %d',
    (status) => {
      expect(errorFor(status, {}).isRetryable).toBe(false);
    },
  );

  it('is not retryable after 401 when the credentials were refused', () => {
    expect(errorFor(401, {}, { isUnauthorizedFinal: true }).isRetryable).toBe(false);
    expect(errorFor(503, {}, { isUnauthorizedFinal: true }).isRetryable).toBe(true);
  });
});

describe('section 7: the error body, of which every part may be missing', () => {
  it('reads every part of the error body', () => {
    const error = errorFor(400, {
      message: 'A message',
      responseType: 'BAD_REQUEST',
      requestId: '1-67891233-abcdef012345678912345678',
      errorCode: 'E.17',
      errorDetails: [
        { field: 'taxDetails[0].taxId', errors: [{ code: 'INVALID', message: 'is wrong', parameter: 'x' }] },
        { field: 'lastName' },
      ],
    });
    expect(error).toMatchObject({
      requestId: '1-67891233-abcdef012345678912345678',
      errorCode: 'E.17',
      errorDetails: [
        { field: 'taxDetails[0].taxId', errors: [{ code: 'INVALID' }] },
        { field: 'lastName', errors: [] },
      ],
    });
    expect(error.message).toBe(
      'Do something: the platform answered 400 (BAD_REQUEST). Request 1-67891233-abcdef012345678912345678.',
    );
  });

  it.each([
    null,
    [],
    7,
    'x',
    '',
    '{"requestId":',
    {},
    { requestId: null, errorCode: null, errorDetails: null },
    { requestId: 7, errorCode: {}, errorDetails: 'x', message: [], responseType: false },
    { requestId: 'Erika Mustermann', errorCode: 'x'.repeat(101) },
  ])('ignores the malformed error body %j', (body) => {
    const { requestId, errorCode, errorDetails, condition } = errorFor(400, body);
    expect({ requestId, errorCode, errorDetails, condition }).toEqual({ errorDetails: [], condition: 'BAD_REQUEST' });
  });

  it('keeps the other details when one is malformed', () => {
    const errorDetails = [
      null,
      { field: 7, errors: 'x' },
      { field: 'of Erika Mustermann', errors: [null, { code: 7 }, { code: 'is Erika' }, { code: 'OK' }] },
      { field: 'zip', errors: null },
    ];
    expect(errorFor(400, { errorDetails }).errorDetails).toEqual([
      { field: undefined, errors: [] },
      { field: undefined, errors: [] },
      { field: undefined, errors: [{}, {}, {}, { code: 'OK' }] },
      { field: 'zip', errors: [] },
    ]);
  });

  it('keeps at most 20 details with 20 codes each', () => {
    const errors = Array.from({ length: 1_000 }, (_, index) => ({ code: `C${index}` }));
    const errorDetails = Array.from({ length: 100 }, (_, index) => ({ field: `f${index}`, errors }));
    const kept = errorFor(400, { errorDetails }).errorDetails;
    expect(kept).toHaveLength(20);
    expect(kept.map((detail) => detail.errors.length)).toEqual(Array.from({ length: 20 }, () => 20));
  });

  it('reads an error body of 100,000 levels', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const body of [deep, `{"errorDetails":${deep}}`, `{"message":${deep}}`])
      expect(errorFor(400, body)).toMatchObject({ status: 400, condition: 'BAD_REQUEST' });
  });
});

describe('an answer', () => {
  it('is a success from 200 to 299', () => {
    const statuses = [100, 199, 200, 202, 204, 299, 300, 304, 400, 500];
    expect(statuses.filter((status) => isSuccess({ status }))).toEqual([200, 202, 204, 299]);
  });

  it.each([
    ['{"a":1}', { a: 1 }],
    ['\ufeff{"a":1}', { a: 1 }],
    ['null', null],
    ['', undefined],
    ['{', undefined],
    ['<html>', undefined],
  ])('has the JSON value of its body: %j', (text, value) => {
    expect(parseBody({ body: new TextEncoder().encode(text) })).toEqual(value);
  });
});

describe('Retry-After', () => {
  const year = 365 * 86_400_000;

  function retryAfterOf(header: string): number | undefined {
    const headers = new Headers({ 'retry-after': header });
    return toHttpError('Do something', { status: 429, headers, body: new Uint8Array() }, { now }).retryAfter;
  }

  it.each([
    ['7', 7_000],
    ['31536001', year],
    ['9'.repeat(400), year],
    ['Sat, 01 Jan 2022 00:00:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', year],
  ])('reads Retry-After %s as what is at most a year, so that every sum is a valid date', (header, retryAfter) => {
    expect(retryAfterOf(header)).toBe(retryAfter);
    expect(() => new Date(now.getTime() + retryAfter).toISOString()).not.toThrow();
  });

  it.each([
    ...['', '-5', '1.5', 'soon 1', '2026-01-02', 'Infinity', '0x10', '1e3', '1e309'],
    'Fri, 99 Jan 2026 03:04:12 GMT',
  ])('reads no time from the malformed Retry-After %j', (header) => {
    expect(retryAfterOf(header)).toBeUndefined();
  });
});
