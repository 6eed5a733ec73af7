import * as z from 'zod/mini';
import type { EntityAnswer } from '#shared/api/query-answers.ts';
import type { ListEntities } from '#shared/entities/entity-list.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';
import type { Entity, EntityStore } from '#shared/entities/entity-store.ts';
import { remediesOf } from '#shared/entities/merge/entity-view.ts';
import { entityId } from '#shared/entities/place-event.ts';
import type { EventRow } from '#shared/events/event-row.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { type ApiAnswer, accessKeyOf, answer, httpEventFields, problem } from '#shared/lambda/http-api.ts';
import type { Log } from '#shared/lambda/log.ts';
import * as problemTypes from '#shared/lambda/problem-types.ts';
import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { createAnswerQuarantine } from './count-quarantine.ts';
import { createAnswerEntities } from './list-entities.ts';
import { createAnswerEvents, type EventLists } from './list-events.ts';
import { answerBody, answerEvent } from './read-event.ts';
import { createReadTimeline } from './read-timeline.ts';

type QueryDeps = {
  readonly entityStore: Pick<EntityStore, 'read' | 'timeline'>;
  readonly eventStore: Pick<EventStore, 'read'>;
  /** Undefined if the environment does not keep the list. */
  readonly listEntities: ListEntities | undefined;
  readonly log: Pick<Log, 'info'>;
  /** From the platform profile: where the events of a type name their entity. */
  readonly places: PlatformProfile['places'];
} & EventLists;

/** The fields used of an HTTP API event, payload format 2.0. */
const queryRequest = z.object({
  routeKey: z.enum([
    'GET /entities/{kind}',
    'GET /entities/{kind}/{id}',
    'GET /entities/{kind}/{id}/timeline',
    'GET /events',
    'GET /events/{eventId}',
    'GET /events/{eventId}/body',
    'GET /quarantine',
  ]),
  pathParameters: httpEventFields.pathParameters,
  queryStringParameters: httpEventFields.queryStringParameters,
  requestContext: httpEventFields.requestContext,
});

type PathParameters = Readonly<Record<string, string | undefined>>;

/** The routes, as API Gateway writes them. */
export type QueryRoute = z.output<typeof queryRequest>['routeKey'];

const entityKind = z.enum(entityKinds);
const eventIdentifier = z.string().check(z.regex(/^[\da-f]{64}$/));

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
const noBody = problem(problemTypes.eventNotFound, 'The body of the event is erased.');

/**
 * The query API for the partner's systems: an entity, its timeline, an event with its body, and lists.
 *
 * 404 if there is none, 400 for a malformed id and for invalid query parameters. Any failure throws, which is a 5xx. No answer may be cached: the next one may differ, and bodies hold personal data.
 */
export function createQuery({ entityStore, eventStore, listEntities, log, places, ...eventLists }: QueryDeps) {
  const answerEvents = createAnswerEvents(eventLists);
  const answerEntities = createAnswerEntities(listEntities);
  const readTimeline = createReadTimeline(entityStore);
  const answerQuarantine = createAnswerQuarantine(eventLists.listQuarantined);

  async function query(event: unknown): Promise<ApiAnswer> {
    const request = z.parse(queryRequest, event);
    const { routeKey, pathParameters = {}, queryStringParameters } = request;
    const accessKeyId = accessKeyOf(request);
    switch (routeKey) {
      case 'GET /entities/{kind}':
        return queryKind(pathParameters, (kind) => answerEntities(kind, queryStringParameters));
      case 'GET /entities/{kind}/{id}':
        return queryEntity(pathParameters, readEntity);
      case 'GET /entities/{kind}/{id}/timeline':
        return queryEntity(pathParameters, (key) => readTimeline(key, queryStringParameters));
      case 'GET /events':
        return answerEvents(queryStringParameters);
      case 'GET /quarantine':
        return answerQuarantine(queryStringParameters);
      case 'GET /events/{eventId}':
        return queryEvent(pathParameters['eventId'] ?? '', (row) => {
          const shown = answerEvent(row, queryStringParameters, places);
          if (queryStringParameters?.['body'] !== 'omit') logBodyRead(row, shown, accessKeyId);
          return shown;
        });
      case 'GET /events/{eventId}/body':
        return queryEvent(pathParameters['eventId'] ?? '', (row) => {
          if (row.erasedOn !== undefined) return noBody;
          const shown = answerBody(row, queryStringParameters);
          logBodyRead(row, shown, accessKeyId);
          return shown;
        });
    }
  }

  async function queryEntity(
    { kind: kindInPath, id: idInPath }: PathParameters,
    read: (key: EntityKey) => Promise<ApiAnswer | undefined>,
  ): Promise<ApiAnswer> {
    return queryKind({ kind: kindInPath }, async (kind) => {
      const id = entityId.safeParse(idInPath);
      return id.success ? ((await read({ kind, id: id.data })) ?? noEntity) : impossibleId;
    });
  }

  async function queryKind(
    { kind: kindInPath }: PathParameters,
    answerFor: (kind: EntityKind) => Promise<ApiAnswer>,
  ): Promise<ApiAnswer> {
    const kind = entityKind.safeParse(kindInPath);
    return kind.success ? answerFor(kind.data) : unknownKind;
  }

  async function readEntity(key: EntityKey) {
    const entity = await entityStore.read(key);
    return entity && answer(200, showEntity(entity));
  }

  /** To find out who has read personal data: CloudTrail has the session of the access key. */
  function logBodyRead({ eventId, erasedOn }: EventRow, { statusCode }: ApiAnswer, accessKeyId: string | undefined) {
    if (statusCode === 200 && erasedOn === undefined) log.info('event body read', { eventId, accessKeyId });
  }

  async function queryEvent(eventId: string, answerWith: (row: EventRow) => ApiAnswer): Promise<ApiAnswer> {
    if (!eventIdentifier.safeParse(eventId).success) return impossibleEventId;
    const row = await eventStore.read(eventId);
    return row === undefined ? noEvent : answerWith(row);
  }

  return async (event: unknown): Promise<ApiAnswer> => uncached(await query(event));
}

function uncached({ headers, ...rest }: ApiAnswer): ApiAnswer {
  return { ...rest, headers: { ...headers, 'cache-control': 'no-store' } };
}

function showEntity(entity: Entity): EntityAnswer {
  const { kind, id, version, status, transactionStatus, modifiedOn, reasonCodes, anomalies, toReadBack } = entity;
  const remedies = remediesOf(anomalies);
  return {
    kind,
    id,
    sequence: version,
    status,
    transactionStatus,
    modifiedOn,
    reasonCodes,
    anomalies,
    remedies,
    toReadBack,
  };
}
