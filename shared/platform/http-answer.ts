import * as z from 'zod/mini';
import { type PlatformCondition, PlatformHttpError } from './errors.ts';

/** An answer, read whole. */
export type HttpAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** Byte for byte: a document is no text. */
  readonly body: Uint8Array;
};

/** @throws what fetch throws, or the reason of its signal */
export async function readHttpAnswer(response: Response): Promise<HttpAnswer> {
  const { status, headers } = response;
  return { status, headers, body: new Uint8Array(await response.arrayBuffer()) };
}

export function isSuccess({ status }: Pick<HttpAnswer, 'status'>): boolean {
  return status >= 200 && status <= 299;
}

/** The value of a JSON body; undefined where it is none. */
export function parseBody({ body }: Pick<HttpAnswer, 'body'>): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    // Nothing of it is kept: a SyntaxError would quote the body.
    return undefined;
  }
}

const text = z.optional(z.nullable(z.string()));

/** The platform's error body, as far as it is known; the token service's `error` beside it. Every part may be missing. */
const errorBody = z.object({
  message: z.catch(text, undefined),
  responseType: z.catch(text, undefined),
  requestId: z.catch(text, undefined),
  errorCode: z.catch(text, undefined),
  error: z.catch(text, undefined),
  errorDetails: z.catch(
    z.optional(
      z.array(
        z.object({ field: z.string(), errors: z._default(z.array(z.object({ code: z.optional(z.string()) })), []) }),
      ),
    ),
    undefined,
  ),
});

/**
 * What an answer that is no success means (section 7).
 *
 * @param mayBePurged whether Not Found can mean that an INVALID record was purged
 * @param now for a Retry-After that is a date
 */
export function toHttpError(
  operation: string,
  answer: HttpAnswer,
  { mayBePurged, now }: { readonly mayBePurged: boolean; readonly now: Date },
): PlatformHttpError {
  const parsed = errorBody.safeParse(parseBody(answer));
  const body = parsed.success ? parsed.data : undefined;
  return new PlatformHttpError(operation, {
    status: answer.status,
    condition: conditionOf(answer.status, [body?.errorCode, body?.responseType, body?.message], mayBePurged),
    requestId: identifier(body?.requestId),
    errorCode: identifier(body?.errorCode ?? body?.error),
    errorDetails: (body?.errorDetails ?? []).map(({ field, errors }) => ({
      field,
      errors: errors.map(({ code }) => ({ code })),
    })),
    retryAfter: readRetryAfter(answer.headers.get('retry-after'), now),
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
  const isClientError = status >= 400 && status <= 499;
  if (isClientError && said.some((one) => one?.includes('Requestor-ID invalid'))) return 'REQUESTOR_ID_INVALID';
  if (isClientError && said.some((one) => one?.includes('VALIDATION_ERROR'))) return 'VALIDATION_ERROR';
  if (status === 404 && mayBePurged) return 'PURGED';
  return byStatus.get(status);
}

/** Goes into messages and logs, so it must look like an identifier: anything else may be personal data. */
function identifier(value: string | null | undefined): string | undefined {
  return value !== null && value !== undefined && /^[\w.:-]{1,100}$/.test(value) ? value : undefined;
}

/** In milliseconds. Seconds, or a date (RFC 9110 section 10.2.3). */
function readRetryAfter(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
