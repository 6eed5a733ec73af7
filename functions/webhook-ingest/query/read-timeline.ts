import * as z from 'zod/mini';
import type { TimelineAnswer, TimelineEventAnswer } from '#shared/api/query-answers.ts';
import type { EntityKey, TimelineEntry } from '#shared/entities/entity-row.ts';
import type { EntityStore } from '#shared/entities/entity-store.ts';
import { compareTimes } from '#shared/entities/merge/entity-state.ts';
import { compareTexts } from '#shared/entities/statuses/status-table.ts';
import { type ApiAnswer, answerBytes, maxItemBytes } from '#shared/lambda/http-api.ts';
import {
  type ListPosition,
  listLimit,
  pageAnswer,
  pageParameters,
  type QueryParameters,
  readListRequest,
} from '#shared/lambda/list-request.ts';

/** The query parameters of `GET /entities/{kind}/{id}/timeline`. */
export const timelineParameters = z.strictObject({ limit: z.optional(listLimit), cursor: pageParameters.cursor });

/**
 * Answers the timeline of an entity, by the time of receipt: all events, unless a limit is given or they do not fit one answer.
 * Undefined if there is no timeline. Reads the whole timeline for each page.
 */
export function createReadTimeline({ timeline }: Pick<EntityStore, 'timeline'>) {
  return async ({ kind, id }: EntityKey, query: QueryParameters): Promise<ApiAnswer | undefined> => {
    const request = readListRequest(`${kind} ${id}`, timelineParameters, query);
    if (request.refusal !== undefined) return request.refusal;
    const all = await timeline({ kind, id });
    if (all.length === 0) return undefined;
    const { parameters, after, cursorAt } = request;
    const rest = after === undefined ? all : all.filter((entry) => compareToPosition(entry, after) > 0);
    const page = fitting(rest.slice(0, parameters.limit));
    const last = page.at(-1);
    const next = last && page.length < rest.length ? { at: last.receivedOn, id: last.eventId } : undefined;
    return pageAnswer<TimelineAnswer>({ kind, id, events: page.map(showEntry), nextCursor: cursorAt(next) });
  };
}

function compareToPosition({ receivedOn, eventId }: TimelineEntry, { at, id }: ListPosition): number {
  return compareTimes(receivedOn, at) || compareTexts(eventId, id);
}

/** The first entries that fit one answer; at least one. */
function fitting(entries: readonly TimelineEntry[]): readonly TimelineEntry[] {
  let bytes = 0;
  const tooMany = entries.findIndex((entry) => {
    bytes += answerBytes(entry);
    return bytes > maxItemBytes;
  });
  return tooMany === -1 ? entries : entries.slice(0, Math.max(1, tooMany));
}

/** The version is what the bus calls the sequence. */
function showEntry({ change, ...entry }: TimelineEntry): TimelineEventAnswer {
  if (change === undefined) return entry;
  const { version: sequence, ...changed } = change;
  return { ...entry, change: { sequence, ...changed } };
}
