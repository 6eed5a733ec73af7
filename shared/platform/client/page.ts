import * as z from 'zod/mini';
import { pageLimit } from '#shared/platform/fields/fields.ts';
import { maybe } from '#shared/platform/fields/open-enum.ts';
import { checkInput } from './check-input.ts';
import type { PlatformClient } from './client.ts';
import { PlatformCursorError } from './errors.ts';
import { type HttpAnswer, readBody } from './http-answer.ts';
import type { CallOptions, PlatformRequest } from './platform-request.ts';

/** A list, item by item or page by page. Each iteration asks the platform again. */
export type PlatformList<Item> = AsyncIterable<Item> & { readonly pages: () => AsyncIterable<Page<Item>> };

export type ListOptions = CallOptions & {
  /** Items a page; the default of the profile unless given. */
  readonly limit?: number | undefined;
  /** Where to begin: the cursor of a page that was read before. */
  readonly cursor?: string | undefined;
  /**
   * Whether the very first page is not asked for again where that fails: for a caller that paces its walks. Others are, so
   * that a long walk comes to its end.
   */
  readonly isFirstPageSentOnce?: boolean | undefined;
};

/**
 * `data` and `pagination` (section 2.3); some lists are bare arrays, of one page. Make one for each list, not for each of
 * its pages: to make it takes longer than to read a page.
 */
export function pageOf<Item extends z.ZodMiniType>(item: Item) {
  return z.pipe(
    z.transform((body: unknown) => (Array.isArray(body) ? { data: body } : body)),
    z.looseObject({ data: z.array(item), pagination: maybe(z.looseObject({ cursor: maybe(z.string()) })) }),
  );
}

/** One page, and the cursor of the next; undefined on the last. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next: string | undefined };

/** In characters. A cursor goes into a URL, and into a row between two runs. */
const maxCursorLength = 4_096;

/** Whether a cursor can be sent and kept. */
export function isUsableCursor(cursor: string | undefined): boolean {
  return cursor === undefined || (cursor.length <= maxCursorLength && cursor.isWellFormed());
}

/** @throws {PlatformCursorError} where the cursor can be neither sent nor kept */
export function checkCursor(operation: string, cursor: string | undefined): void {
  if (!isUsableCursor(cursor)) throw new PlatformCursorError(operation, maxCursorLength);
}

/**
 * Asks for one page. Its answer is what {@link readPage} takes.
 *
 * @throws {PlatformCursorError} where the cursor is too long
 */
export async function fetchPage(
  client: PlatformClient,
  request: PlatformRequest,
  { limit = client.profile.pageSize, cursor, ...options }: ListOptions,
): Promise<HttpAnswer> {
  checkCursor(request.operation, cursor);
  const place = { operation: request.operation, section: '4', field: 'limit' };
  const query = { ...request.query, cursor, limit: checkInput(pageLimit, limit, place) };
  return client.send({ ...request, query }, options);
}

/** @throws {PlatformSchemaError} when it is no page, or one of its items not what the schema expects */
export function readPage<Schema extends z.ZodMiniType>(
  page: ReturnType<typeof pageOf<Schema>>,
  { operation }: PlatformRequest,
  answer: Pick<HttpAnswer, 'body'>,
): Page<z.output<Schema>> {
  const { data, pagination } = readBody(page, operation, answer);
  return { items: data, next: pagination?.cursor || undefined };
}

/** Walks a list to its end: the cursor is empty, null, absent, or one that has been there before. */
export function listAll<Schema extends z.ZodMiniType>(
  client: PlatformClient,
  item: Schema,
  request: PlatformRequest,
  { cursor: first, isFirstPageSentOnce = false, ...options }: ListOptions,
): PlatformList<z.output<Schema>> {
  const page = pageOf(item);

  async function* pages(): AsyncGenerator<Page<z.output<Schema>>> {
    const seen = new Set<string>();
    let cursor = first;
    do {
      if (cursor !== undefined) seen.add(cursor);
      const isSentOnce = cursor === undefined && isFirstPageSentOnce;
      const answer = await fetchPage(client, request, { ...options, isSentOnce, cursor });
      const { items, next } = readPage(page, request, answer);
      cursor = next !== undefined && seen.has(next) ? undefined : next;
      // What the page holds is given before the next one is refused.
      yield { items, next: isUsableCursor(cursor) ? cursor : undefined };
    } while (cursor !== undefined);
  }

  async function* items(): AsyncGenerator<z.output<Schema>> {
    for await (const page of pages()) yield* page.items;
  }

  return { pages, [Symbol.asyncIterator]: items };
}
