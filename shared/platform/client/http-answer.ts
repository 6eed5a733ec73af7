import * as z from 'zod/mini';
import { fieldsOf, maxNamedFields, type PlatformCondition, PlatformHttpError, PlatformSchemaError } from './errors.ts';
import { AnswerTooLargeError, type FetchedAnswer } from './fetch.ts';

/** An answer, read whole. */
export type HttpAnswer = {
  readonly status: number;
  readonly headers: FetchedAnswer['headers'];
  /** Byte for byte: a document is no text. */
  readonly body: Uint8Array;
};

/**
 * Of an answer that is no success, the status says enough: too large a body counts as none.
 *
 * @throws what fetch throws, or the reason of its signal
 */
export async function readHttpAnswer(answer: FetchedAnswer): Promise<HttpAnswer> {
  const { status, headers } = answer;
  const body = await answer.bytes().catch((error: unknown) => {
    if (error instanceof AnswerTooLargeError && !isSuccess(answer)) return new Uint8Array();
    throw error;
  });
  return { status, headers, body };
}

export function isSuccess({ status }: Pick<HttpAnswer, 'status'>): boolean {
  return status >= 200 && status <= 299;
}

/** The value of a JSON body; undefined where it is none. */
export function parseBody(answer: Pick<HttpAnswer, 'body'>): unknown {
  try {
    return JSON.parse(textOf(answer));
  } catch {
    // Nothing of it is kept: a SyntaxError would quote the body.
    return undefined;
  }
}

/**
 * What a body says, as the schema reads it.
 *
 * @throws {PlatformSchemaError} when it is no JSON, or not what the schema expects
 */
export function readBody<Schema extends z.ZodMiniType>(
  schema: Schema,
  operation: string,
  answer: Pick<HttpAnswer, 'body'>,
): z.output<Schema> {
  const result = schema.safeParse(parseBody(answer));
  if (!result.success) throw new PlatformSchemaError(operation, fieldsOf(result.error));
  return result.data;
}

/**
 * Checks the answer to a call that the specification answers without content. JSON may be there all the same; anything else is not
 * the platform's, as the page of a proxy that answers 200 to everything: the platform may not have taken the call.
 *
 * @throws {PlatformSchemaError} when the body is neither empty nor JSON
 */
export function checkNoContent(operation: string, answer: Pick<HttpAnswer, 'body'>): void {
  if (parseBody(answer) === undefined && textOf(answer).trim() !== '')
    throw new PlatformSchemaError(operation, ['the body']);
}

function textOf({ body }: Pick<HttpAnswer, 'body'>): string {
  return new TextDecoder().decode(body);
}

const text = z.optional(z.nullable(z.string()));

/** An entry of `errorDetails`. What it says in words is not kept: it may quote what was sent. */
const detail = z.object({
  field: z.catch(text, undefined),
  errors: z.catch(z.array(z.catch(z.object({ code: z.catch(text, undefined) }), { code: undefined })), []),
});

/** The platform's error body, as far as it is known; the token service's `error` beside it. Every part may be missing. */
const errorBody = z.object({
  message: z.catch(text, undefined),
  responseType: z.catch(text, undefined),
  requestId: z.catch(text, undefined),
  errorCode: z.catch(text, undefined),
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
  const { data: body } = errorBody.safeParse(parseBody(answer));
  const said = body === undefined ? [textOf(answer)] : [body.errorCode, body.responseType, body.message];
  return new PlatformHttpError(operation, {
    status: answer.status,
    condition: conditionOf(answer.status, said, mayBePurged),
    requestId: identifier(body?.requestId),
    errorCode: identifier(body?.errorCode ?? body?.error),
    errorDetails: (body?.errorDetails ?? []).slice(0, maxNamedFields).map(({ field, errors }) => ({
      field: identifier(field),
      errors: errors.slice(0, maxNamedFields).map(({ code }) => ({ code: identifier(code) })),
    })),
    retryAfter: readRetryAfter(answer.headers.get('retry-after'), now),
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

function conditionOf(
  status: number,
  said: readonly (string | null | undefined)[],
  mayBePurged: boolean,
): PlatformCondition | undefined {
  // Not Found and Conflict keep their meaning, with every type of error that their body names.
  const isNamed = status >= 400 && status <= 499 && status !== 404 && status !== 409;
  if (isNamed && said.some((one) => one?.includes('Requestor-ID invalid'))) return 'REQUESTOR_ID_INVALID';
  if (isNamed && said.some((one) => one?.includes('VALIDATION_ERROR'))) return 'VALIDATION_ERROR';
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
