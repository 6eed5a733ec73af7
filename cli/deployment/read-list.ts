import type * as z from 'zod/mini';
import type { ApiClient, ApiRequest } from './api-client.ts';

export type ListPage<Item> = { readonly items: readonly Item[]; readonly nextCursor?: string | undefined };

export type ListRequest<Item> = Pick<ApiRequest, 'path' | 'query'> & {
  /** The schema of a page. */
  readonly page: z.ZodMiniType<ListPage<Item>>;
  /** The most items to read. */
  readonly limit: number;
};

/** The most that the API puts on a page. */
const maxPageSize = 200;

/** What was read of a list, and whether the list continues. */
export type ReadList<Item> = { readonly items: readonly Item[]; readonly hasMore: boolean };

/** Reads a list page by page. @throws {CommandError} */
export async function readList<Item>(
  api: ApiClient,
  { path, query = {}, page: schema, limit }: ListRequest<Item>,
): Promise<ReadList<Item>> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const pageSize = String(Math.min(maxPageSize, limit - items.length));
    const page: ListPage<Item> = await api.send(
      { method: 'GET', path, query: { ...query, limit: pageSize, cursor } },
      schema,
    );
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && items.length < limit);
  return { items, hasMore: cursor !== undefined };
}
