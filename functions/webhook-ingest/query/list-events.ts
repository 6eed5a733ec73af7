import * as z from 'zod/mini';
import type { EventListAnswer } from '#shared/api/query-answers.ts';
import type { EventPageRequest, ListEvents } from '#shared/events/event-list.ts';
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

/** Stands for every reason. No reason has this name. */
const anyReason = 'ANY';

/** The query parameters of `GET /events`. */
export const eventListParameters = z
  .strictObject({
    ...pageParameters,
    eventType: z.optional(z.string().check(z.minLength(1, 'must not be empty'))),
    quarantineReason: z.optional(
      z.string().check(z.regex(/^[A-Z][A-Z0-9_]{0,99}$/, `must be a reason, or ${anyReason}`)),
    ),
    receivedFrom: z.optional(listTime),
    receivedTo: z.optional(listTime),
  })
  .check(orderedRange('receivedFrom', 'receivedTo'));

const notKept = problem(listNotKept, 'The list of all events is not kept.', {
  remedy: `Send quarantineReason=${anyReason}, or one reason, to list the events in quarantine. To list all events, set listEvents in the settings file and deploy: events are listed from then on.`,
});

export type EventLists = {
  readonly listQuarantined: ListEvents;
  /** Undefined if the environment does not keep the list. */
  readonly listAllEvents: ListEvents | undefined;
};

/** Answers `GET /events`: 200 with a page, 400 with each query parameter that is invalid, 409 if no such list is kept. */
export function createAnswerEvents({ listQuarantined, listAllEvents }: EventLists) {
  return async (query: QueryParameters): Promise<ApiAnswer> => {
    const request = readListRequest('events', eventListParameters, query);
    if (request.refusal !== undefined) return request.refusal;
    const { limit, cursor: _, quarantineReason, ...filter } = request.parameters;
    const list = quarantineReason === undefined ? listAllEvents : listQuarantined;
    if (list === undefined) return notKept;
    const reason = quarantineReason === anyReason ? undefined : quarantineReason;
    return answerPage(list, { filter: { ...filter, reason }, limit, after: request.after }, request.cursorAt);
  };
}

async function answerPage(
  list: ListEvents,
  request: EventPageRequest,
  cursorAt: (next: ListPosition | undefined) => string | undefined,
): Promise<ApiAnswer> {
  const { rows, next } = await list(request);
  return pageAnswer<EventListAnswer>({ items: rows, nextCursor: cursorAt(next) });
}
