import * as z from 'zod/mini';
import { pageLimit } from '#shared/platform/fields/fields.ts';
import { parseUntrusted } from '#shared/platform/fields/parse-untrusted.ts';
import { lenient, maybe, receivedId, receivedNumber } from '#shared/platform/fields/received.ts';
import { type CallOptions, checkInput, type PlatformRequest } from './check-input.ts';
import type { PlatformClient } from './client.ts';
import { checkTrail, followTrail, trailhead } from './cursor-trail.ts';
import { fieldsOf, maxNamedFields, PlatformCursorError, PlatformSchemaError } from './errors.ts';
import { type PlatformAnswer, parseBody, readBody } from './http.ts';

/**
 * A list, item by item or page by page. Each iteration asks the platform again. A member that cannot be read does not affect the others: the pages
 * name it, and the items end with a {@link PlatformSchemaError} after the last of the others.
 */
export type PlatformList<Item> = AsyncIterable<Item> & { readonly pages: () => AsyncIterable<Page<Item>> };

export type ListOptions = CallOptions & {
  /** Items a page; the default of the profile unless given. `unstated` for a list that may have no pages. */
  readonly limit?: number | 'unstated' | undefined;
  /** Where to begin: the cursor of a page that was read before. */
  readonly cursor?: string | undefined;
  /**
   * Whether the first page is requested only once, without a retry: for a caller that limits how often it reads the list. Later
   * pages are retried, so that a long list is read to its end.
   */
  readonly isFirstPageSentOnce?: boolean | undefined;
};

/** @property isWhole whether a member that cannot be read fails its page, before any item of the page is given */
export type ListKind = { readonly isWhole?: boolean };

/**
 * `data` and `pagination` (section 2.3); some lists are bare arrays, of one page.
 */
export const anyPage = z.pipe(
  z.transform((body: unknown) => (Array.isArray(body) ? { data: body } : body)),
  z.looseObject({
    data: z.array(z.unknown()),
    pagination: maybe(z.looseObject({ cursor: maybe(receivedId) })),
  }),
);

/** One page, and the cursor of the next; undefined on the last. */
export type Page<Item> = {
  readonly items: readonly Item[];
  readonly next: string | undefined;
  /** Present if members of the page cannot be read, and are left out: the fields at fault, the first 20. */
  readonly unreadable?: readonly string[];
};

/** In characters. A cursor goes into a URL, and into a row between two runs. */
const maxCursorLength = 4_096;

/** Whether a cursor can be sent and kept. */
export function isUsableCursor(cursor: string | undefined): boolean {
  return cursor === undefined || (cursor.length <= maxCursorLength && cursor.isWellFormed());
}

/** @throws {PlatformCursorError} if the cursor can be neither sent nor kept */
export function checkCursor(operation: string, cursor: string | undefined): void {
  if (!isUsableCursor(cursor)) throw new PlatformCursorError(operation, maxCursorLength);
}

/**
 * Asks for one page. Its answer is what {@link readPage} takes.
 *
 * @throws {PlatformCursorError} if the cursor is too long
 */
export async function fetchPage(
  client: PlatformClient,
  request: PlatformRequest,
  { limit = client.profile.pageSize, cursor, ...options }: ListOptions,
): Promise<PlatformAnswer> {
  checkCursor(request.operation, cursor);
  const place = { operation: request.operation, section: '4', field: 'limit' };
  const items = limit === 'unstated' ? undefined : checkInput(pageLimit, limit, place);
  const query = { ...request.query, cursor, limit: items };
  return client.send({ ...request, query }, options);
}

/** Reads each member by itself. @throws {PlatformSchemaError} when the answer is not a page */
export function readPage<Item extends z.ZodMiniType>(
  item: Item,
  { operation }: PlatformRequest,
  answer: Pick<PlatformAnswer, 'body'>,
): Page<z.output<Item>> {
  const { data, pagination } = readBody(anyPage, operation, answer);
  const items: z.output<Item>[] = [];
  const unreadable = new Set<string>();
  for (const [index, member] of data.entries()) {
    const result = parseUntrusted(item, member);
    if (result.success) items.push(result.data);
    else if (unreadable.size < maxNamedFields) {
      const issues = result.error.issues.map((issue) => ({ path: ['data', index, ...issue.path] }));
      for (const field of fieldsOf({ issues })) unreadable.add(field);
    }
  }
  const next = pagination?.cursor || undefined;
  return { items, next, ...(unreadable.size > 0 && { unreadable: [...unreadable].slice(0, maxNamedFields) }) };
}

/** Where a page states its limit, and where its cursor is. */
const endOfPage = z.looseObject({
  data: z.array(z.unknown()),
  limit: lenient(receivedNumber),
  pagination: maybe(z.looseObject({ cursor: z.optional(z.unknown()), limit: lenient(receivedNumber) })),
});

/**
 * Whether a page is full and has no cursor, not even an empty one. The list may end there, or continue under a cursor that stands
 * elsewhere. A bare array that is longer than the limit is the whole list, since it has no pages.
 *
 * @param asked the limit that the page was asked for
 */
export function isFullWithoutCursor(answer: Pick<PlatformAnswer, 'body'>, asked: number): boolean {
  const body = parseBody(answer);
  if (Array.isArray(body)) return body.length === asked;
  const page = endOfPage.safeParse(body).data;
  if (page === undefined || page.pagination?.cursor !== undefined) return false;
  const stated = page.pagination?.limit ?? page.limit ?? asked;
  return page.data.length >= Math.min(asked, stated > 0 ? stated : asked);
}

/** @throws {PlatformSchemaError} if members of the list could not be read */
export function checkReadable(operation: string, unreadable: readonly string[] | undefined): void {
  if (unreadable !== undefined && unreadable.length > 0) throw new PlatformSchemaError(operation, unreadable);
}

/**
 * Walks a list to its end: the cursor is empty, null, absent, or one that has been there before.
 *
 * @throws {PlatformPagingError} if the pages repeat themselves under cursors that do not
 */
export function listAll<Item extends z.ZodMiniType>(
  client: PlatformClient,
  item: Item,
  request: PlatformRequest,
  { cursor: first, isFirstPageSentOnce = false, ...options }: ListOptions,
  { isWhole = false }: ListKind = {},
): PlatformList<z.output<Item>> {
  const { operation } = request;

  async function* pages(): AsyncGenerator<Page<z.output<Item>>> {
    const seen = new Set<string>();
    let cursor = first;
    let trail = trailhead;
    do {
      if (cursor !== undefined) seen.add(cursor);
      const isSentOnce = cursor === undefined && isFirstPageSentOnce;
      const answer = await fetchPage(client, request, { ...options, isSentOnce, cursor });
      const page = readPage(item, request, answer);
      if (isWhole) checkReadable(operation, page.unreadable);
      const { items, next } = page;
      const following = followTrail(trail, cursor, next, items);
      cursor = next === undefined || seen.has(next) ? undefined : next;
      // What the page holds is given before the next one is refused.
      yield { ...page, next: isUsableCursor(cursor) ? cursor : undefined };
      trail = following ?? trailhead;
      if (cursor !== undefined) checkTrail(operation, trail);
    } while (cursor !== undefined);
  }

  async function* items(): AsyncGenerator<z.output<Item>> {
    let unreadable: readonly string[] | undefined;
    for await (const page of pages()) {
      unreadable ??= page.unreadable;
      yield* page.items;
    }
    checkReadable(operation, unreadable);
  }

  return { pages, [Symbol.asyncIterator]: items };
}
