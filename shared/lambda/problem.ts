import type { HttpAnswer } from './http-api.ts';
import type * as problemTypes from './problem-types.ts';

/** The problem types that the reference lists: a type that is missing there does not compile. */
export type ListedProblemType = (typeof problemTypes)[keyof typeof problemTypes];

/** A part of the request, and what is wrong with it; never its value. */
export type RequestError = { readonly detail: string } & (
  | {
      /** Of the body: a JSON Pointer as a URI fragment. */
      readonly pointer: string;
    }
  | {
      /** The name of a query parameter. */
      readonly parameter: string;
    }
);

export type ProblemOptions = {
  readonly errors?: readonly RequestError[];
  /** What the caller can do next, where that is more than the remedy of the type. */
  readonly remedy?: string | undefined;
  /** Further members, which depend on the type. */
  readonly extensions?: Readonly<Record<string, unknown>> & StandardMembers;
};

/** The members that every problem has are no extensions. */
type StandardMembers = { readonly [Name in 'type' | 'title' | 'status' | 'detail' | 'errors' | 'remedy']?: never };

/** The URI of a problem type: docs/decisions/api.md, "Errors are problems of RFC 9457". */
export function problemUri(slug: ListedProblemType['slug']): string {
  return `urn:drawbridge:problem:${slug}`;
}

/**
 * An error answer: problem details of RFC 9457.
 *
 * @param detail what is wrong this time, without personal data
 */
export function problem(
  { slug, status, title, remedy, ...type }: ListedProblemType,
  detail: string,
  { errors = [], remedy: ownRemedy = remedy, extensions }: ProblemOptions = {},
): HttpAnswer {
  const named = errors.length > 0 ? { errors } : {};
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/problem+json',
      ...('retryAfter' in type && { 'retry-after': String(type.retryAfter) }),
    },
    body: JSON.stringify({ type: problemUri(slug), title, status, detail, ...named, remedy: ownRemedy, ...extensions }),
  };
}

/**
 * The part of a body that a path names, as a JSON Pointer in a URI fragment (RFC 6901, section 6).
 *
 * @param path the names and indexes from the body down; empty for the body itself
 */
export function pointerTo(path: readonly string[]): string {
  const escaped = path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return `#${encodeURI(escaped.toWellFormed()).replaceAll('#', '%23')}`;
}
