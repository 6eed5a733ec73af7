import { changesPath, joinPath } from '#shared/api/request-path.ts';
import { CommandError } from './command-error.ts';

/**
 * Puts ids into a path: `` requestPath`/events/${eventId}` ``.
 *
 * @throws {CommandError} for an id that would change the path
 */
export function requestPath(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  if (ids.some(changesPath))
    throw new CommandError(
      'An id has a slash, ?, # or %, with which a path could name another one.',
      'in place of an externalId, write onboardingId: and the id of the onboarding.',
    );
  return joinPath(parts, ids);
}

export type RequestTarget = {
  /** Below the origin, percent-encoded: make it with {@link requestPath}. */
  readonly path: string;
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
};

/** The address of a request. @param origin with or without a slash at its end */
export function requestUrl(origin: string, { path, query = {} }: RequestTarget): URL {
  const url = new URL(origin.replace(/\/$/, '') + path);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}
