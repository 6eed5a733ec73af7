import * as z from 'zod/mini';
import type { CallOptions, PlatformClient, PlatformRequest } from './client.ts';

/** A list, item by item or page by page. Each iteration asks the platform anew. */
export type PlatformList<Item> = AsyncIterable<Item> & { readonly pages: () => AsyncIterable<readonly Item[]> };

export type ListOptions = CallOptions & {
  /** Items a page; the default of the profile unless given. */
  readonly limit?: number | undefined;
  /** Where to begin: the cursor of a page that was read before. */
  readonly cursor?: string | undefined;
};

/** `data` and `pagination` (section 2.3); some lists are bare arrays, of one page. */
function pageOf<Item extends z.ZodMiniType>(item: Item) {
  const cursor = z.optional(z.nullable(z.string()));
  return z.union([
    z.array(item),
    z.looseObject({ data: z.array(item), pagination: z.optional(z.nullable(z.looseObject({ cursor }))) }),
  ]);
}

/** One page, and the cursor of the next; undefined on the last. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next: string | undefined };

/** Walks a list to its end: the cursor is empty, null, absent, or one that has been there before. */
export function listAll<Schema extends z.ZodMiniType>(
  client: PlatformClient,
  item: Schema,
  request: PlatformRequest,
  { limit = client.profile.pageSize, cursor: first, ...options }: ListOptions,
): PlatformList<z.output<Schema>> {
  const schema = pageOf(item);

  async function readPage(cursor: string | undefined): Promise<Page<z.output<Schema>>> {
    const query = { ...request.query, cursor, limit };
    const page = await client.request(schema, { ...request, query }, options);
    if (Array.isArray(page)) return { items: page, next: undefined };
    return { items: page.data, next: page.pagination?.cursor || undefined };
  }

  async function* pages(): AsyncGenerator<readonly z.output<Schema>[]> {
    const seen = new Set<string>();
    let cursor = first;
    do {
      if (cursor !== undefined) seen.add(cursor);
      const page = await readPage(cursor);
      yield page.items;
      cursor = page.next;
    } while (cursor !== undefined && !seen.has(cursor));
  }

  async function* items(): AsyncGenerator<z.output<Schema>> {
    for await (const page of pages()) yield* page;
  }

  return { pages, [Symbol.asyncIterator]: items };
}
