import {
  type PlatformError,
  PlatformHttpError,
  PlatformInputError,
  PlatformNetworkError,
  PlatformTimeoutError,
  PlatformTokenError,
} from '#shared/platform/client/errors.ts';

/** Conditions that say more than the status. */
const namedConditions: ReadonlySet<string | undefined> = new Set([
  'REQUESTOR_ID_INVALID',
  'VALIDATION_ERROR',
  'FORBIDDEN',
]);

/** The failure of the platform as a reason code: only the status and the condition of the answer. */
export function failureOf(error: PlatformError): string {
  if (error instanceof PlatformHttpError)
    return error.condition !== undefined && namedConditions.has(error.condition)
      ? error.condition
      : httpCode(error.status);
  if (error instanceof PlatformTimeoutError) return 'NO_ANSWER';
  if (error instanceof PlatformNetworkError) return 'NO_CONNECTION';
  if (error instanceof PlatformTokenError) return 'NO_TOKEN';
  return error instanceof PlatformInputError ? 'INPUT_REFUSED' : 'UNREADABLE_ANSWER';
}

export function httpCode(status: number): string {
  return `HTTP_${status}`;
}
