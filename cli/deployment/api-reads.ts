import type * as z from 'zod/mini';
import { ApiError } from '#cli/command/command-error.ts';
import { requestPath } from '#cli/command/request-url.ts';
import { onboardingListAnswer } from '#shared/api/onboarding-answers.ts';
import { type EventAnswer, entityListAnswer, eventAnswer, eventListAnswer } from '#shared/api/query-answers.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import type { ApiClient, ApiRequest } from './api-client.ts';

/** An event without its body. @throws {CommandError} */
export function readEvent(api: ApiClient, eventId: string): Promise<EventAnswer> {
  return api.send({ method: 'GET', path: requestPath`/events/${eventId}`, query: { body: 'omit' } }, eventAnswer);
}

/** An event with its body, which holds personal data: the log of Query records the read. @throws {CommandError} */
export function revealEvent(api: ApiClient, eventId: string): Promise<EventAnswer> {
  return api.send({ method: 'GET', path: requestPath`/events/${eventId}` }, eventAnswer);
}

/** Undefined if the API answers with one of these statuses, such as 404 for what is not there. @throws what else `read` throws */
export async function unlessStatus<Found>(
  statuses: readonly number[],
  read: Promise<Found>,
): Promise<Found | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ApiError && statuses.includes(error.status)) return undefined;
    throw error;
  }
}

/** Where the API knows no such id, or takes the text for none. */
export const unknownId: readonly number[] = [400, 404];

/** What was read of a list, and whether the list continues. */
export type ReadList<Item> = { readonly items: readonly Item[]; readonly hasMore: boolean };

type Filter = NonNullable<ApiRequest['query']>;

/** The latest events that match, `limit` at most. @throws {CommandError} */
export function readEvents(api: ApiClient, filter: Filter, limit: number) {
  return readList(api, { path: '/events', query: filter }, eventListAnswer, limit);
}

/** The entities of a kind that match, `limit` at most: those whose status changed last. @throws {CommandError} */
export function readEntities(api: ApiClient, kind: EntityKind, filter: Filter, limit: number) {
  return readList(api, { path: requestPath`/entities/${kind}`, query: filter }, entityListAnswer, limit);
}

/** The onboardings that match, `limit` at most: those that changed last. @throws {CommandError} */
export function readOnboardings(api: ApiClient, filter: Filter, limit: number) {
  return readList(api, { path: '/onboardings', query: filter }, onboardingListAnswer, limit);
}

type ListPage<Item> = { readonly items: readonly Item[]; readonly nextCursor?: string | undefined };

/** The most that the API puts on a page. */
const maxPageSize = 200;

/** Reads a list page by page. */
async function readList<Item>(
  api: ApiClient,
  { path, query }: Pick<ApiRequest, 'path' | 'query'>,
  schema: z.ZodMiniType<ListPage<Item>>,
  limit: number,
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
