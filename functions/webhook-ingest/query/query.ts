import { isUtf8 } from 'node:buffer';
import * as z from 'zod/mini';
import type { EntityKey, TimelineEntry } from '#shared/entities/entity-row.ts';
import type { Entity, EntityStore } from '#shared/entities/entity-store.ts';
import { entityId } from '#shared/entities/place-event.ts';
import { remediesOf } from '#shared/entities/statuses/anomaly-remedies.ts';
import type { EventRow } from '#shared/events/event-row.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { answer, type HttpAnswer } from '#shared/lambda/http-answer.ts';
import { httpEventFields } from '#shared/lambda/http-event.ts';
import { problem } from '#shared/lambda/problem.ts';
import * as problemTypes from '#shared/lambda/problem-types.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';

export type QueryDeps = {
  readonly entityStore: Pick<EntityStore, 'read' | 'timeline'>;
  readonly eventStore: Pick<EventStore, 'read'>;
};

/** The fields used of an HTTP API event, payload format 2.0. */
const queryRequest = z.object({
  routeKey: z.enum(['GET /entities/{kind}/{id}', 'GET /entities/{kind}/{id}/timeline', 'GET /events/{eventId}']),
  pathParameters: httpEventFields.pathParameters,
});

type PathParameters = Readonly<Record<string, string | undefined>>;

/** What can be looked up, as API Gateway writes its routes. */
export type QueryRoute = z.output<typeof queryRequest>['routeKey'];

const entityKind = z.enum(entityKinds);
const eventIdentifier = z.string().check(z.regex(/^[\da-f]{64}$/));

/** In bytes: Lambda takes an answer of 6 MB, in which the text of a body is written with escapes once more. */
const maxAnswerBytes = 6_000_000;

const unknownKind = problem(
  problemTypes.unknownKind,
  `No kind of entity has this name. The kinds are ${entityKinds.join(', ')}.`,
);
const impossibleId = problem(
  problemTypes.invalidId,
  'An id of an entity is a letter or digit, and up to 127 more of these and . _ ~ : -',
);
const impossibleEventId = problem(problemTypes.invalidId, 'An id of an event is 64 hexadecimal digits in lower case.');
const noEntity = problem(problemTypes.entityNotFound, 'No webhook has reported the entity, or the entity is erased.');
const noEvent = problem(problemTypes.eventNotFound, 'No such event was received, or its retention is over.');
const tooLarge = problem(problemTypes.answerTooLarge, 'The answer would have more than 6 MB.');

/**
 * Answers what is known, to the partner's own systems: an entity, its timeline, an event with its body.
 *
 * 404 where there is none, 400 for an id that cannot be one, 413 where the answer would be too large. Anything that fails on
 * the way throws, which is a 5xx. No answer may be cached: the next one may differ, and bodies hold personal data.
 */
export function createQuery({ entityStore, eventStore }: QueryDeps) {
  async function query(event: unknown): Promise<HttpAnswer> {
    const { routeKey, pathParameters = {} } = z.parse(queryRequest, event);
    switch (routeKey) {
      case 'GET /entities/{kind}/{id}':
        return queryEntity(pathParameters, readEntity);
      case 'GET /entities/{kind}/{id}/timeline':
        return queryEntity(pathParameters, readTimeline);
      case 'GET /events/{eventId}':
        return queryEvent(pathParameters['eventId'] ?? '');
    }
  }

  async function queryEntity(
    { kind: kindInPath, id: idInPath }: PathParameters,
    read: (key: EntityKey) => Promise<object | undefined>,
  ): Promise<HttpAnswer> {
    const kind = entityKind.safeParse(kindInPath);
    if (!kind.success) return unknownKind;
    const id = entityId.safeParse(idInPath);
    if (!id.success) return impossibleId;
    const found = await read({ kind: kind.data, id: id.data });
    return found === undefined ? noEntity : bounded(found);
  }

  async function readEntity(key: EntityKey) {
    const entity = await entityStore.read(key);
    return entity && showEntity(entity);
  }

  async function readTimeline({ kind, id }: EntityKey) {
    const entries = await entityStore.timeline({ kind, id });
    return entries.length === 0 ? undefined : { kind, id, events: entries.map(showEntry) };
  }

  async function queryEvent(eventId: string): Promise<HttpAnswer> {
    if (!eventIdentifier.safeParse(eventId).success) return impossibleEventId;
    const row = await eventStore.read(eventId);
    return row === undefined ? noEvent : bounded(showEvent(row));
  }

  return async (event: unknown): Promise<HttpAnswer> => uncached(await query(event));
}

function bounded(value: object): HttpAnswer {
  const found = answer(200, value);
  return Buffer.byteLength(JSON.stringify(found.body)) > maxAnswerBytes ? tooLarge : found;
}

function uncached({ headers, ...rest }: HttpAnswer): HttpAnswer {
  return { ...rest, headers: { ...headers, 'cache-control': 'no-store' } };
}

function showEntity({ kind, id, version, status, transactionStatus, modifiedOn, anomalies, toReadBack }: Entity) {
  const remedies = remediesOf(anomalies);
  return { kind, id, sequence: version, status, transactionStatus, modifiedOn, anomalies, remedies, toReadBack };
}

/** The version is what the bus calls the sequence. */
function showEntry({ change, ...entry }: TimelineEntry) {
  if (change === undefined) return entry;
  const { version: sequence, ...changed } = change;
  return { ...entry, change: { sequence, ...changed } };
}

function showEvent({ eventId, eventType, receivedOn, deliveries, quarantineReason, erasedOn, deflatedBody }: EventRow) {
  const about = { eventId, eventType, receivedOn, deliveries, quarantineReason, erasedOn };
  return erasedOn === undefined ? { ...about, ...showBody(inflateBody(deflatedBody)) } : about;
}

/** Byte for byte, one way or the other. */
function showBody(bytes: Uint8Array) {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(body) ? { body: body.toString('utf8') } : { bodyBase64: body.toString('base64') };
}
