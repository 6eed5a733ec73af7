import * as z from 'zod/mini';
import { type ErrorMeaning, readMeaning } from './error-meaning.ts';
import type { PlatformCondition } from './errors.ts';
import { type HttpAnswer, parseBody, text, textOf } from './http-answer.ts';
import { maxNamedFields, PlatformHttpError } from './http-error.ts';

/** An entry of `errorDetails`. What it says in words is not kept: it may quote what was sent. */
const detail = z.object({
  field: z.catch(text, undefined),
  errors: z.catch(z.array(z.catch(z.object({ code: z.catch(text, undefined) }), { code: undefined })), []),
});

/** The platform's error body, as far as it is known; the token service's `error` beside it. Every part may be missing. */
export const errorBody = z.object({
  requestId: z.catch(text, undefined),
  errorCode: z.catch(text, undefined),
  code: z.catch(text, undefined),
  error: z.catch(text, undefined),
  errorDetails: z.catch(z.array(z.catch(detail, { field: undefined, errors: [] })), []),
});

export type HttpErrorOptions = {
  /** Whether Not Found can mean that an INVALID record was purged. */
  readonly mayBePurged?: boolean | undefined;
  /** Whether it is the client's credentials that Unauthorized refuses: the same ones will not do later either. */
  readonly isUnauthorizedFinal?: boolean;
  /** For a Retry-After that is a date. */
  readonly now: Date;
};

/** What an answer that is no success means (section 7). */
export function toHttpError(
  operation: string,
  answer: HttpAnswer,
  { mayBePurged = false, isUnauthorizedFinal = false, now }: HttpErrorOptions,
): PlatformHttpError {
  const json = parseBody(answer);
  const { data: body } = errorBody.safeParse(json);
  const meaning = readMeaning(json === undefined ? textOf(answer) : json);
  return new PlatformHttpError(operation, {
    status: answer.status,
    condition: conditionOf(answer.status, meaning, mayBePurged),
    requestId: identifier(body?.requestId),
    errorCode: identifier(body?.errorCode ?? body?.error) ?? identifier(body?.code),
    errorDetails: (body?.errorDetails ?? []).slice(0, maxNamedFields).map(({ field, errors }) => ({
      field: identifier(field),
      errors: errors.slice(0, maxNamedFields).map(({ code }) => ({ code: identifier(code) })),
    })),
    retryAfter: readRetryAfter(answer.headers.get('retry-after'), now),
    isAboutCaller: answer.status === 401 || answer.status === 403 || meaning.isAboutCaller,
    isRetryable: isRetryable(answer.status) && !(isUnauthorizedFinal && answer.status === 401),
  });
}

const byStatus: ReadonlyMap<number, PlatformCondition> = new Map([
  [400, 'BAD_REQUEST'],
  [403, 'FORBIDDEN'],
  [404, 'NOT_FOUND'],
  [409, 'CONFLICT'],
  [501, 'NOT_IMPLEMENTED'],
]);

function conditionOf(status: number, { names }: ErrorMeaning, mayBePurged: boolean): PlatformCondition | undefined {
  // Not Found and Conflict keep their meaning, with every type of error that their body names.
  const isNamed = status >= 400 && status <= 499 && status !== 404 && status !== 409;
  if (isNamed && names !== undefined) return names;
  if (status === 404 && mayBePurged) return 'PURGED';
  return byStatus.get(status);
}

const retryableClientErrors: ReadonlySet<number> = new Set([401, 408, 425, 429]);

/** Not Implemented stays so; any other failure of the server may pass. */
function isRetryable(status: number): boolean {
  return retryableClientErrors.has(status) || (status >= 500 && status !== 501);
}

/** Goes into messages and logs, so it must look like an identifier: anything else may be personal data. */
function identifier(value: string | null | undefined): string | undefined {
  return value !== null && value !== undefined && /^[\w.:[\]-]{1,100}$/.test(value) ? value : undefined;
}

const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** In milliseconds. A longer time than a year is most likely a mistake, and a time that no date can hold stops who reckons with it. */
const maxRetryAfter = 31_536_000_000;

/** In milliseconds. Seconds, or a date (RFC 9110 section 10.2.3). */
function readRetryAfter(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Math.min(Number(header) * 1_000, maxRetryAfter);
  // Date.parse makes a date of nearly anything: `-5`, `soon 1`.
  const date = httpDate.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now.getTime()), maxRetryAfter);
}
