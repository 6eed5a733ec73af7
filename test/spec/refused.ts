import { expect } from 'vitest';
import type { PlatformHttpError } from '#shared/platform/client/errors.ts';

/** Matches an answer that refuses a field, with the error body of the platform. */
export function refused(status: number, field: string) {
  return {
    status,
    headers: expect.anything(),
    body: expect.objectContaining({
      message: expect.stringContaining(field),
      responseType: expect.any(String),
      requestId: expect.any(String),
      errorDetails: expect.arrayContaining([expect.objectContaining({ field })]),
    }),
  };
}

/** Matches an error of the client for an answer of the platform. */
export function httpError(status: number, expected: Partial<PlatformHttpError> = {}) {
  return expect.objectContaining({ name: 'PlatformHttpError', status, ...expected });
}
