import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { parseJson } from '#shared/parse-json.ts';
import { type ApiAnswer, answer, problem, type RequestError } from './http-api.ts';
import { invalidQuery } from './problem-types.ts';

/** Where a row is in a list: its time, and its id among those of the same time. */
export type ListPosition = { readonly at: string; readonly id: string };

const time = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T[\d:.Z+-]{1,30}$/));
const cursor = z.strictObject({ at: time, id: z.string().check(z.minLength(1), z.maxLength(512)), of: z.string() });

/**
 * The position after which the next page begins, as a text without a meaning for the caller.
 *
 * @param list names the list and what it is filtered by
 */
export function writeCursor({ at, id }: ListPosition, list: string): string {
  const value: z.infer<typeof cursor> = { at, id, of: digestOf(list) };
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Undefined if the text is not a cursor of this list. */
export function readCursor(text: string, list: string): ListPosition | undefined {
  const value = cursor.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  if (!value.success || value.data.of !== digestOf(list)) return undefined;
  const { at, id } = value.data;
  return { at, id };
}

function digestOf(list: string): string {
  return createHash('sha256').update(list).digest('hex').slice(0, 16);
}

/** The query parameters of a request, as API Gateway hands them over. */
export type QueryParameters = Readonly<Record<string, string | undefined>> | undefined;

/** Rows on a page: what a caller gets unless the caller asks, and the most that a caller can ask for. */
export const usualLimit = 50;
export const maxLimit = 200;

/** The query parameter by which a caller limits a page. */
export const listLimit = z.pipe(
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
  limit: z._default(listLimit, usualLimit),
  cursor: z.optional(z.string()),
};

/** Refuses a range whose beginning is later than its end. */
export function orderedRange<From extends string, To extends string>(from: From, to: To) {
  return z.refine<{ readonly [Name in From | To]?: string | undefined }>(
    (range) => {
      const end = range[to];
      return end === undefined || (range[from] ?? '') <= end;
    },
    { path: [from], error: `must not be later than ${to}` },
  );
}

type Parameters = { readonly cursor?: string | undefined };

export type ListRequest<Of extends Parameters> =
  | {
      readonly parameters: Of;
      /** Where the page begins; undefined for the first page. */
      readonly after: ListPosition | undefined;
      /** The cursor of the next page; undefined at the end. */
      readonly cursorAt: (next: ListPosition | undefined) => string | undefined;
      readonly refusal?: never;
    }
  | { readonly refusal: ApiAnswer; readonly parameters?: never };

/**
 * Reads the query parameters of a list. Strict: a typo must not list more than was meant.
 *
 * @param list the name of the list: a cursor of another one is refused
 */
export function readListRequest<Of extends Parameters>(
  list: string,
  schema: z.ZodMiniType<Of>,
  query: QueryParameters,
): ListRequest<Of> {
  const { parameters, refusal } = readParameters(schema, query);
  if (refusal !== undefined) return { refusal };
  const filter = Object.entries(parameters).filter(([name]) => name !== 'limit' && name !== 'cursor');
  const identity = JSON.stringify([list, ...filter.filter(([, value]) => value !== undefined).toSorted()]);
  const { cursor } = parameters;
  const after = cursor === undefined ? undefined : readCursor(cursor, identity);
  if (cursor !== undefined && after === undefined) return { refusal: unknownCursor };
  return { parameters, after, cursorAt: (next) => next && writeCursor(next, identity) };
}

/** Reads query parameters. Strict: each one that the schema does not name is refused. */
export function readParameters<Of>(
  schema: z.ZodMiniType<Of>,
  query: QueryParameters = {},
):
  | { readonly parameters: Of; readonly refusal?: never }
  | { readonly refusal: ApiAnswer; readonly parameters?: never } {
  const result = z.safeParse(schema, query);
  return result.success ? { parameters: result.data } : { refusal: refuse(result.error.issues.flatMap(errorsOf)) };
}

const unknownCursor = refuse([
  { parameter: 'cursor', detail: 'must be the nextCursor of a page of this list with the same filter' },
]);

function refuse(errors: readonly RequestError[]): ApiAnswer {
  return problem(invalidQuery, 'The query parameters cannot be read.', { errors });
}

const maxUnknownNames = 10;

/** A name of another form may be a misplaced value, so it is not shown. */
const namelike = /^[A-Za-z]\w{0,39}$/;

function errorsOf(issue: z.core.$ZodIssue): readonly RequestError[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, maxUnknownNames)
      .map((name) => ({ parameter: namelike.test(name) ? name : '?', detail: 'is not a parameter of this route' }));
  return [{ parameter: issue.path.join('.'), detail: issue.message }];
}

/** An answer with one page, whose type the caller names. It may not be cached: the next answer may differ. */
export function pageAnswer<Page extends object>(page: Page): ApiAnswer {
  const { headers, ...rest } = answer(200, page);
  return { ...rest, headers: { ...headers, 'cache-control': 'no-store' } };
}
