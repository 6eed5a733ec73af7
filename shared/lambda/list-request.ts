import * as z from 'zod/mini';
import { answer, type HttpAnswer } from './http-answer.ts';
import { problem, type RequestError } from './problem.ts';
import { invalidQuery } from './problem-types.ts';

/** Rows on a page: what a caller gets unless the caller asks, and the most that a caller can ask for. */
const usualLimit = 50;
const maxLimit = 200;

const limit = z.pipe(
  z.string().check(
    z.refine((text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= maxLimit, {
      error: `must be a whole number from 1 to ${maxLimit}`,
    }),
  ),
  z.transform(Number),
);

/** A moment, as rows have it: in UTC, with milliseconds, so that texts compare as times do. */
export const listTime = z.pipe(
  z.iso.datetime({ offset: true, error: 'must be a time such as 2026-01-31T08:00:00Z, percent-encoded' }),
  z.transform((text) => new Date(text).toISOString()),
);

/** The query parameters that every list takes: to be spread into the schema of a list. */
export const pageParameters = {
  limit: z._default(limit, usualLimit),
  cursor: z.optional(z.string()),
};

export type ListRequest<Parameters> =
  | { readonly parameters: Parameters; readonly refusal?: never }
  | { readonly refusal: HttpAnswer; readonly parameters?: never };

/** Reads the query parameters of a list. Strict: a typo must not list more than was meant. */
export function readListRequest<Schema extends z.ZodMiniType>(
  schema: Schema,
  query: Readonly<Record<string, string | undefined>> = {},
): ListRequest<z.output<Schema>> {
  const result = z.safeParse(schema, query);
  return result.success ? { parameters: result.data } : { refusal: refuse(result.error.issues.flatMap(errorsOf)) };
}

/** The answer to a cursor that no page of this list with this filter gave. */
export const unknownCursor = refuse([
  { parameter: 'cursor', detail: 'must be the nextCursor of a page of this list with the same filter' },
]);

function refuse(errors: readonly RequestError[]): HttpAnswer {
  return problem(invalidQuery, 'The query parameters cannot be read.', { errors });
}

const maxUnknownNames = 10;

function errorsOf(issue: z.core.$ZodIssue): readonly RequestError[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, maxUnknownNames)
      .map((parameter) => ({ parameter, detail: 'is no parameter of this list' }));
  return [{ parameter: issue.path.join('.'), detail: issue.message }];
}

/** An answer with one page of a list. */
export function listAnswer(items: readonly object[], nextCursor: string | undefined): HttpAnswer {
  const { headers, ...page } = answer(200, { items, nextCursor });
  return { ...page, headers: { ...headers, 'cache-control': 'no-store' } };
}
