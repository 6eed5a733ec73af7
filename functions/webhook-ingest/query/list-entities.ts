import * as z from 'zod/mini';
import type { EntityListAnswer } from '#shared/api/query-answers.ts';
import type { EntityPageRequest, ListEntities } from '#shared/entities/entity-list.ts';
import { type ApiAnswer, problem } from '#shared/lambda/http-api.ts';
import {
  type ListPosition,
  listTime,
  orderedRange,
  pageAnswer,
  pageParameters,
  type QueryParameters,
  readListRequest,
} from '#shared/lambda/list-request.ts';
import { listNotKept } from '#shared/lambda/problem-types.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';

/** The query parameters of `GET /entities/{kind}`. */
export const entityListParameters = z
  .strictObject({
    ...pageParameters,
    status: z.optional(z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(200, 'must be a status'))),
    changedFrom: z.optional(listTime),
    changedTo: z.optional(listTime),
  })
  .check(orderedRange('changedFrom', 'changedTo'));

const notKept = problem(listNotKept, 'The list of entities is not kept.', {
  remedy: 'Set listEntities in the settings file and deploy. Entities are listed from their next webhook on.',
});

/**
 * Answers `GET /entities/{kind}`: 200 with a page, 400 with each query parameter that is invalid, 409 if the list is not
 * kept.
 */
export function createAnswerEntities(listEntities: ListEntities | undefined) {
  return async (kind: EntityKind, query: QueryParameters): Promise<ApiAnswer> => {
    const request = readListRequest(`entities ${kind}`, entityListParameters, query);
    if (request.refusal !== undefined) return request.refusal;
    if (listEntities === undefined) return notKept;
    const { limit, cursor: _, ...filter } = request.parameters;
    return answerPage(listEntities, { kind, filter, limit, after: request.after }, request.cursorAt);
  };
}

async function answerPage(
  list: ListEntities,
  request: EntityPageRequest,
  cursorAt: (next: ListPosition | undefined) => string | undefined,
): Promise<ApiAnswer> {
  const { rows, next } = await list(request);
  return pageAnswer<EntityListAnswer>({ items: rows, nextCursor: cursorAt(next) });
}
