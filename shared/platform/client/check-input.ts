import type * as z from 'zod/mini';
import { pathSegment } from '#shared/platform/fields/fields.ts';
import { ownMessages } from '#shared/platform/fields/parse-untrusted.ts';
import { PlatformInputError } from './errors.ts';

/** The options of every call. */
export type CallOptions = {
  readonly signal?: AbortSignal | undefined;
  /** How long the call may take with all its attempts. `deadlines.call` of the profile unless given. */
  readonly timeoutMs?: number | undefined;
  /** @deprecated since 0.3.0: `timeoutMs` is the same. */
  readonly deadline?: number | undefined;
  /** How often the call is repeated at most, if it can be: 0 to 10. That of the client unless given. */
  readonly retry?: number | undefined;
  /** Whether a failed call is not retried: for a caller that makes its own retries. */
  readonly isSentOnce?: boolean | undefined;
};

export type PlatformRequest = {
  /** As section 4 calls it: names the call in errors. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below {base_url}; variables already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  /** The natural person on whose behalf it is (section 5, Requestor-ID header). */
  readonly requestorId?: string | undefined;
  /** Checked already: goes out as JSON. */
  readonly body?: unknown;
  /** The media type that the answer should have; JSON unless given. */
  readonly accept?: string;
  /** Whether the call is idempotent. GET and DELETE are, unless set otherwise. */
  readonly isIdempotent?: boolean;
  /**
   * Whether the platform refuses the call once it is done, as a second cancel. If the answer to an attempt is lost and the repeat is refused,
   * the call of `connectPlatform` throws the failure of that attempt.
   */
  readonly isRefusedOnceDone?: boolean;
  /** Whether Not Found can mean that an INVALID record was purged (section 3.3). */
  readonly mayBePurged?: boolean;
};

/**
 * Checks what is about to be sent.
 *
 * @param section where the specification lists the fields
 * @param field what the input is, if it is not a body but a single value
 * @throws {PlatformInputError} naming each field that is wrong, the rule and the section; never a value
 */
export function checkInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  { operation, section, field }: { readonly operation: string; readonly section: string; readonly field?: string },
): z.output<Schema> {
  const result = schema.safeParse(input, ownMessages);
  if (result.success) return result.data;
  throw new PlatformInputError(
    operation,
    result.error.issues.flatMap((issue) => describe(issue, section, field)),
  );
}

/**
 * An id as a part of a path, encoded (section 4).
 *
 * @throws {PlatformInputError} if it cannot be one
 */
export function checkSegment(operation: string, field: string, id: string): string {
  return encodeURIComponent(checkInput(pathSegment, id, { operation, section: '4', field }));
}

function describe(issue: z.core.$ZodIssue, section: string, field = 'the body'): readonly string[] {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const place = path === '' ? '' : `${path}.`;
    return issue.keys.map((key) => `${place}${key}: cannot be written (section ${section})`);
  }
  const where = issue.message.includes('(section') ? '' : ` (section ${section})`;
  return [`${path || field}: ${issue.message}${where}`];
}
