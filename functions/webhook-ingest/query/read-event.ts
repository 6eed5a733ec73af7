import { isUtf8 } from 'node:buffer';
import * as z from 'zod/mini';
import type { EventAnswer, EventBodyAnswer } from '#shared/api/query-answers.ts';
import type { EventRow } from '#shared/events/event-row.ts';
import { inflateBody, maxBodyBytes } from '#shared/events/webhook-delivery.ts';
import type { ApiAnswer } from '#shared/lambda/http-api.ts';
import { pageAnswer, type QueryParameters, readParameters } from '#shared/lambda/list-request.ts';
import { entityOfEvent } from '#shared/persons/event-subject.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';

/** In bytes: Lambda allows an answer of 6 MB, in which the text of a body is escaped once more. */
const maxAnswerBytes = 6_000_000;

/** The size of a part of a body, in bytes; base64 makes four of three. */
const maxPartBytes = 3_000_000;

/** The query parameters of `GET /events/{eventId}/body`. */
export const bodyParameters = z.strictObject({
  from: z._default(
    z.pipe(
      z.string().check(
        z.refine((text) => /^\d{1,9}$/.test(text) && Number(text) <= maxBodyBytes, {
          error: `must be a whole number from 0 to ${maxBodyBytes}`,
        }),
      ),
      z.transform(Number),
    ),
    0,
  ),
});

/** The query parameters of `GET /events/{eventId}`. */
export const eventParameters = z.strictObject({ body: z._default(z.enum(['show', 'omit']), 'show') });

/**
 * The event with its body; with the size of the body if the body does not fit one answer, or is not asked for. 400 for
 * invalid query parameters.
 */
export function answerEvent(row: EventRow, query: QueryParameters, places: PlatformProfile['places']): ApiAnswer {
  const request = readParameters(eventParameters, query);
  if (request.refusal !== undefined) return request.refusal;
  const { eventId, eventType, receivedOn, deliveries, quarantineReason, erasedOn } = row;
  const about = { eventId, eventType, receivedOn, deliveries, quarantineReason, erasedOn };
  if (erasedOn !== undefined) return pageAnswer<EventAnswer>(about);
  const body = bodyOf(row);
  const known = { ...about, entity: entityOfEvent(row, body, { places }) };
  if (request.parameters.body === 'omit') return pageAnswer<EventAnswer>({ ...known, bodyBytes: body.length });
  const whole = pageAnswer<EventAnswer>({ ...known, ...showBody(body) });
  const isTooLarge = Buffer.byteLength(JSON.stringify(whole.body)) > maxAnswerBytes;
  return isTooLarge ? pageAnswer<EventAnswer>({ ...known, bodyBytes: body.length }) : whole;
}

/** A part of the body of an event, which has one; 400 for invalid query parameters. */
export function answerBody(row: EventRow, query: QueryParameters): ApiAnswer {
  const request = readParameters(bodyParameters, query);
  if (request.refusal !== undefined) return request.refusal;
  const { from } = request.parameters;
  const body = bodyOf(row);
  const to = from + maxPartBytes;
  return pageAnswer<EventBodyAnswer>({
    eventId: row.eventId,
    bodyBytes: body.length,
    from,
    bodyBase64: body.toString('base64', from, to),
    nextFrom: to < body.length ? to : undefined,
  });
}

function bodyOf({ deflatedBody }: EventRow): Buffer {
  const bytes = inflateBody(deflatedBody);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The body as text if it is UTF-8, else as base64. */
function showBody(body: Buffer): Pick<EventAnswer, 'body' | 'bodyBase64'> {
  return isUtf8(body) ? { body: body.toString('utf8') } : { bodyBase64: body.toString('base64') };
}
