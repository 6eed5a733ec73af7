import { PlatformHttpError, type PlatformHttpErrorProps } from '#shared/platform/client/errors.ts';

/** An answer of the platform to a create that is no success: a 500 with no body, unless said otherwise. */
export function httpError(props: Partial<PlatformHttpErrorProps>): PlatformHttpError {
  return new PlatformHttpError('Create natural person', {
    status: 500,
    condition: undefined,
    requestId: undefined,
    errorCode: undefined,
    errorDetails: [],
    retryAfter: undefined,
    isRetryable: false,
    ...props,
  });
}
