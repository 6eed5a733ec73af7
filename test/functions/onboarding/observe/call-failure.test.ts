import { describe, expect, it } from 'vitest';
import { failureOf } from '#functions/onboarding/observe/call-failure.ts';
import {
  type PlatformError,
  PlatformInputError,
  PlatformNetworkError,
  PlatformSchemaError,
  PlatformTimeoutError,
  PlatformTokenError,
} from '#shared/platform/client/errors.ts';
import { httpError } from './http-error.ts';

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
