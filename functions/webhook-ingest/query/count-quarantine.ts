import * as z from 'zod/mini';
import type { QuarantineAnswer } from '#shared/api/query-answers.ts';
import type { ListEvents } from '#shared/events/event-list.ts';
import type { ListedEvent } from '#shared/events/event-row.ts';
import type { ApiAnswer } from '#shared/lambda/http-api.ts';
import {
  listTime,
  orderedRange,
  pageAnswer,
  pageParameters,
  type QueryParameters,
  readListRequest,
} from '#shared/lambda/list-request.ts';

/** The query parameters of `GET /quarantine`. */
export const quarantineParameters = z
  .strictObject({
    cursor: pageParameters.cursor,
    receivedFrom: z.optional(listTime),
    receivedTo: z.optional(listTime),
  })
  .check(orderedRange('receivedFrom', 'receivedTo'));

/** The most events that an answer counts. At about 250 bytes each, they take some 300 read units. */
export const maxCounted = 10_000;

/** The most combinations of reason and type in an answer: a type can have 1,024 bytes. */
const maxCounts = 500;

type Count = QuarantineAnswer['counts'][number];

/** Answers `GET /quarantine`: how many events are in quarantine, by reason and type, the most frequent first. */
export function createAnswerQuarantine(listQuarantined: ListEvents) {
  return async (query: QueryParameters): Promise<ApiAnswer> => {
    const request = readListRequest('quarantine', quarantineParameters, query);
    if (request.refusal !== undefined) return request.refusal;
    const { cursor: _, ...filter } = request.parameters;
    const page = { limit: maxCounted, maxRows: maxCounted, after: request.after };
    const { rows, next } = await listQuarantined({ filter, ...page });
    return pageAnswer<QuarantineAnswer>({
      count: rows.length,
      counts: countEach(rows).slice(0, maxCounts),
      newest: rows.at(0)?.receivedOn,
      oldest: rows.at(-1)?.receivedOn,
      nextCursor: request.cursorAt(next),
    });
  };
}

function countEach(events: readonly ListedEvent[]): readonly Count[] {
  const counts = new Map<string, Count>();
  for (const { quarantineReason = '', eventType, expiresOn } of events) {
    const group = JSON.stringify([quarantineReason, eventType]);
    const { count, expiresOn: first = expiresOn } = counts.get(group) ?? { count: 0 };
    counts.set(group, {
      quarantineReason,
      eventType,
      count: count + 1,
      expiresOn: first < expiresOn ? first : expiresOn,
    });
  }
  return [...counts.values()].toSorted((one, other) => other.count - one.count);
}
