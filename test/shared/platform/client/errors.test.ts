import { describe, expect, it } from 'vitest';
import {
  PlatformError,
  PlatformHttpError,
  PlatformInputError,
  PlatformNetworkError,
  PlatformSchemaError,
  PlatformTimeoutError,
  PlatformTokenError,
} from '#shared/platform/client/errors.ts';

const operation = 'Get natural person';
const http = {
  status: 503,
  condition: undefined,
  requestId: 'r-1',
  errorCode: 'E1',
  errorDetails: [],
  retryAfter: 1_000,
  isRetryable: true,
};
const cause = new Error('the cause');

describe('an error of the client', () => {
  it.each([
    ['PlatformInputError', new PlatformInputError(operation, ['a: must be text']), false, 'fix: a: must be'],
    ['PlatformHttpError', new PlatformHttpError(operation, http), true, 'answered 503. Request r-1.'],
    ['PlatformNetworkError', new PlatformNetworkError(operation, { cause }), true, 'connection to the platform failed'],
    ['PlatformTimeoutError', new PlatformTimeoutError(operation, 50), true, 'did not answer within 50 ms'],
    ['PlatformSchemaError', new PlatformSchemaError(operation, ['a.b']), false, 'check a.b.'],
    [
      'PlatformTokenError',
      new PlatformTokenError(operation, { cause }),
      true,
      'there is no valid token: the source of tokens failed',
    ],
    [
      'PlatformTokenError',
      new PlatformTokenError(operation, { cause: new DOMException('', 'TimeoutError') }),
      true,
      'there is no valid token: the source of tokens did not answer within the time of the call',
    ],
    [
      'PlatformTokenError',
      new PlatformTokenError(operation, {
        cause: Object.assign(new Error('denied'), { name: 'AccessDeniedException' }),
      }),
      true,
      'there is no valid token: the source of tokens failed (AccessDeniedException)',
    ],
  ])('builds a %s with its message and its isRetryable', (name, error, isRetryable, message) => {
    expect(error).toBeInstanceOf(PlatformError);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name, operation, isRetryable });
    expect(error.message.startsWith(`${operation}: `)).toBe(true);
    expect(error.message).toContain(message);
  });

  it('writes its fields as JSON, but not its cause', () => {
    expect(JSON.parse(JSON.stringify(new PlatformHttpError(operation, http)))).toEqual({
      name: 'PlatformHttpError',
      operation,
      status: 503,
      requestId: 'r-1',
      errorCode: 'E1',
      errorDetails: [],
      retryAfter: 1_000,
      isRetryable: true,
      isAboutCaller: false,
    });
    expect(JSON.stringify(new PlatformNetworkError(operation, { cause }))).not.toContain('cause');
  });

  it('names the condition of the error, if any', () => {
    const error = new PlatformHttpError(operation, {
      ...http,
      status: 409,
      condition: 'CONFLICT',
      requestId: undefined,
    });
    expect(error.message).toBe('Get natural person: the platform answered 409 (CONFLICT).');
  });
});
