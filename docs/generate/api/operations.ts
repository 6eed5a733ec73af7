import * as z from 'zod/mini';
import { onboardingListParameters } from '#functions/onboarding/api/routes.ts';
import type { erasure } from '#functions/onboarding/erase-person/erasure-request.ts';
import { quarantineParameters } from '#functions/webhook-ingest/query/count-quarantine.ts';
import { entityListParameters } from '#functions/webhook-ingest/query/list-entities.ts';
import { eventListParameters } from '#functions/webhook-ingest/query/list-events.ts';
import { bodyParameters, eventParameters } from '#functions/webhook-ingest/query/read-event.ts';
import { timelineParameters } from '#functions/webhook-ingest/query/read-timeline.ts';
import { eventAnswer } from '#shared/api/query-answers.ts';
import { entityId } from '#shared/entities/place-event.ts';
import { maxBodyBytes } from '#shared/events/webhook-delivery.ts';
import { maxLimit, usualLimit } from '#shared/lambda/list-request.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';
import { type AnswerName, type JsonSchema, type ProblemSlug, type RequestName, writeRequest } from './schemas.ts';

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
  /** Of a query parameter that takes several values, with commas in between. */
  readonly isList?: true;
};

export type Operation = {
  readonly operationId: string;
  readonly tag: 'Webhooks' | 'Queries' | 'Onboardings' | 'Persons';
  readonly summary: string;
  readonly description?: string;
  readonly access: 'IAM' | 'the header secret';
  readonly parameters?: readonly Parameter[];
  readonly request?: RequestName | 'any';
  /** By status: the body of the answer, and what the status means. */
  readonly answers: Readonly<Record<number, { readonly description: string; readonly body?: AnswerName }>>;
  readonly problems: readonly ProblemSlug[];
};

const externalId: Parameter = {
  name: 'externalId',
  in: 'path',
  description: 'Your id of the person, percent-encoded.',
  schema: { type: 'string', minLength: 1 },
  example: 'your-id-of-the-person',
};

const eventId: Parameter = {
  name: 'eventId',
  in: 'path',
  description: 'The id of the event.',
  schema: writeRequest(eventAnswer.shape.eventId),
  example: '5e1f0c7cbb6c1ab7a7d0c6a9b0a1a0ee0d1f7c3f4c7f0b8a6d5e4c3b2a190807',
};

const kind: Parameter = {
  name: 'kind',
  in: 'path',
  description: 'The kind of the entity.',
  schema: writeRequest(z.enum(entityKinds)),
  example: 'order',
};

const entity: readonly Parameter[] = [
  kind,
  {
    name: 'id',
    in: 'path',
    description: 'The id that the platform gave the entity.',
    schema: writeRequest(entityId),
    example: '0190a6f0-5678-7abc-8def-0123456789ab',
  },
];

type QueryParameter = Omit<Parameter, 'name' | 'in' | 'schema'> & { readonly schema?: JsonSchema };

/** The query parameters of a schema. Where the schema reads a text, a parameter can say what the text is. */
function queryParameters<Shape extends Readonly<Record<string, z.ZodMiniType>>>(
  schema: z.ZodMiniObject<Shape>,
  named: Readonly<Record<keyof Shape & string, QueryParameter>>,
): readonly Parameter[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries<QueryParameter>(named).map(([name, parameter]) => ({
    name,
    in: 'query',
    schema: z.record(z.string(), z.unknown()).parse(properties[name]),
    ...parameter,
  }));
}

const page = {
  limit: {
    description: 'The most rows of the page.',
    schema: { type: 'integer', minimum: 1, maximum: maxLimit, default: usualLimit },
  },
  cursor: {
    description:
      'The nextCursor of the page before, with the same other parameters. A page with few rows, or none, can have a nextCursor.',
  },
};

const time = (description: string) => ({
  description,
  schema: { type: 'string', format: 'date-time' },
  example: '2026-01-31T08:00:00Z',
});

type ErasureParameter = keyof NonNullable<z.output<typeof erasure>['queryStringParameters']>;

const erasureParameters: Readonly<Record<Exclude<ErasureParameter, 'request'>, Omit<Parameter, 'name' | 'in'>>> = {
  naturalPersonId: {
    description: 'Ids of the person on the platform, if no onboarding knows them.',
    schema: { type: 'array', items: writeRequest(entityId), maxItems: 100 },
    isList: true,
  },
  identificationVerificationId: {
    description: 'Ids of identification verifications of the person, if no onboarding knows them.',
    schema: { type: 'array', items: writeRequest(entityId), maxItems: 100 },
    isList: true,
  },
  onboardingId: {
    description: 'Ids of other onboardings of the person, as a 409 lists them.',
    schema: { type: 'array', items: { type: 'string', pattern: '^[0-9a-f]{64}$' }, maxItems: 100 },
    isList: true,
  },
  // Until 0.4.0.
  continueFrom: {
    description: 'Has no effect: callers of 0.2.0 send it.',
    schema: { type: 'string', minLength: 1 },
  },
};

const requestParameter = {
  request: {
    description: 'Whether to answer what the onboardings still hold of their requests: include answers it in requests.',
    schema: { type: 'string', enum: ['include'] },
  },
} as const;

const accepted = { 202: { description: 'Accepted: the onboarding as it is now.', body: 'Onboarding' } } as const;

/** Each route of the API, as API Gateway writes the route. A test compares them with the stacks. */
export const operations: Readonly<Record<string, Operation>> = {
  'POST /webhooks/{randomPart}/{eventType}': {
    operationId: 'receiveWebhook',
    tag: 'Webhooks',
    summary: 'Receive a webhook of the platform',
    description: 'The output WebhooksUrl has the random part. The body is stored byte for byte.',
    access: 'the header secret',
    parameters: [
      {
        name: 'randomPart',
        in: 'path',
        description: 'The random part of the output WebhooksUrl.',
        schema: { type: 'string' },
      },
      {
        name: 'eventType',
        in: 'path',
        description: "The platform's event type.",
        schema: { type: 'string', minLength: 1 },
        example: 'TRADITIONAL_ASSET_ORDER_NOTIFICATION',
      },
    ],
    request: 'any',
    answers: { 200: { description: 'The webhook is durable.' } },
    problems: ['secret-refused', 'source-not-allowed', 'webhook-too-large'],
  },
  'GET /entities/{kind}': {
    operationId: 'listEntities',
    tag: 'Queries',
    summary: 'List entities',
    description: 'The latest change of a status first. Needs the setting listEntities. Erased ones are not listed.',
    access: 'IAM',
    parameters: [
      kind,
      ...queryParameters(entityListParameters, {
        ...page,
        status: { description: 'Only entities with this status.', example: 'PENDING' },
        changedFrom: time('Only entities whose status changed then or later.'),
        changedTo: time('Only entities whose status changed then or earlier.'),
      }),
    ],
    answers: { 200: { description: 'A page of entities.', body: 'EntityList' } },
    problems: ['unknown-kind', 'invalid-query', 'list-not-kept'],
  },
  'GET /entities/{kind}/{id}': {
    operationId: 'getEntity',
    tag: 'Queries',
    summary: 'Get the status of an entity',
    access: 'IAM',
    parameters: entity,
    answers: { 200: { description: 'The entity.', body: 'Entity' } },
    problems: ['invalid-id', 'unknown-kind', 'entity-not-found'],
  },
  'GET /entities/{kind}/{id}/timeline': {
    operationId: 'getTimeline',
    tag: 'Queries',
    summary: 'Get the events of an entity',
    access: 'IAM',
    parameters: [
      ...entity,
      ...queryParameters(timelineParameters, {
        limit: { ...page.limit, schema: { type: 'integer', minimum: 1, maximum: maxLimit } },
        cursor: page.cursor,
      }),
    ],
    answers: { 200: { description: 'The events, in the order of receipt.', body: 'Timeline' } },
    problems: ['invalid-id', 'invalid-query', 'unknown-kind', 'entity-not-found'],
  },
  'GET /events/{eventId}': {
    operationId: 'getEvent',
    tag: 'Queries',
    summary: 'Get a stored webhook',
    description:
      'The answer contains personal data, unless body is omit: allow the route to few roles. Each body that is read is logged.',
    access: 'IAM',
    parameters: [
      eventId,
      ...queryParameters(eventParameters, {
        body: { description: 'Whether to answer the body: omit answers its size in bodyBytes.' },
      }),
    ],
    answers: {
      200: {
        description: 'The event: with body, with bodyBase64, with bodyBytes and no body, or with erasedOn and no body.',
        body: 'Event',
      },
    },
    problems: ['invalid-id', 'invalid-query', 'event-not-found'],
  },
  'GET /events/{eventId}/body': {
    operationId: 'getEventBody',
    tag: 'Queries',
    summary: 'Get a part of a stored webhook',
    description: 'For a body that does not fit one answer. Personal data: allow the route to few roles.',
    access: 'IAM',
    parameters: [
      eventId,
      ...queryParameters(bodyParameters, {
        from: {
          description: 'Where the part begins, in bytes.',
          schema: { type: 'integer', minimum: 0, maximum: maxBodyBytes, default: 0 },
        },
      }),
    ],
    answers: { 200: { description: 'The part.', body: 'EventBody' } },
    problems: ['invalid-id', 'invalid-query', 'event-not-found'],
  },
  'GET /events': {
    operationId: 'listEvents',
    tag: 'Queries',
    summary: 'List events',
    description: 'The latest received first. Without quarantineReason, needs the setting listEvents.',
    access: 'IAM',
    parameters: queryParameters(eventListParameters, {
      ...page,
      eventType: { description: 'Only events of this type.', example: 'TRANSFER_NOTIFICATION' },
      quarantineReason: {
        description: 'Only events in quarantine for this reason; ANY for every reason.',
        example: 'NOT_JSON',
      },
      receivedFrom: time('Only events that were delivered first then or later.'),
      receivedTo: time('Only events that were delivered first then or earlier.'),
    }),
    answers: { 200: { description: 'A page of events.', body: 'EventList' } },
    problems: ['invalid-query', 'list-not-kept'],
  },
  'GET /quarantine': {
    operationId: 'countQuarantine',
    tag: 'Queries',
    summary: 'Count the events in quarantine',
    access: 'IAM',
    parameters: queryParameters(quarantineParameters, {
      cursor: page.cursor,
      receivedFrom: time('Only events that were delivered first then or later.'),
      receivedTo: time('Only events that were delivered first then or earlier.'),
    }),
    answers: { 200: { description: 'How many events each reason and type has.', body: 'Quarantine' } },
    problems: ['invalid-query'],
  },
  'POST /onboardings': {
    operationId: 'requestOnboarding',
    tag: 'Onboardings',
    summary: 'Request an onboarding',
    description:
      'The same request again is the same onboarding. The person takes the fields of section 2.4 of the specification, and those that the platform profile of the environment allows.',
    access: 'IAM',
    request: 'OnboardingRequest',
    answers: accepted,
    problems: ['invalid-request', 'onboarding-conflict', 'onboarding-ended', 'erasure-under-way', 'person-erased'],
  },
  'GET /onboardings': {
    operationId: 'listOnboardings',
    tag: 'Onboardings',
    summary: 'List onboardings',
    description: 'The latest first, without the links of video calls. Erased ones are not listed.',
    access: 'IAM',
    parameters: queryParameters(onboardingListParameters, {
      ...page,
      step: { description: 'Only onboardings at this step.', example: 'STOPPED' },
      updatedFrom: time('Only onboardings that were saved then or later.'),
      updatedTo: time('Only onboardings that were saved then or earlier.'),
    }),
    answers: { 200: { description: 'A page of onboardings.', body: 'OnboardingList' } },
    problems: ['invalid-query'],
  },
  'GET /onboardings/{externalId}': {
    operationId: 'getOnboarding',
    tag: 'Onboardings',
    summary: 'Get an onboarding',
    access: 'IAM',
    parameters: [externalId],
    answers: { 200: { description: 'The onboarding.', body: 'Onboarding' } },
    problems: ['onboarding-not-found', 'person-erased'],
  },
  'GET /onboardings/{externalId}/progress': {
    operationId: 'getOnboardingProgress',
    tag: 'Onboardings',
    summary: 'Get an onboarding without the link of its video call',
    access: 'IAM',
    parameters: [externalId],
    answers: { 200: { description: 'The onboarding, without `identificationUrl`.', body: 'OnboardingProgress' } },
    problems: ['onboarding-not-found', 'person-erased'],
  },
  'POST /onboardings/{externalId}/cancel': {
    operationId: 'cancelOnboarding',
    tag: 'Onboardings',
    summary: 'Cancel an onboarding',
    description: 'The person stays on the platform as it is.',
    access: 'IAM',
    parameters: [externalId],
    answers: accepted,
    problems: ['onboarding-not-found', 'operation-impossible', 'person-erased'],
  },
  'POST /onboardings/{externalId}/retry': {
    operationId: 'retryOnboarding',
    tag: 'Onboardings',
    summary: 'Retry an onboarding',
    description:
      'Continues an onboarding that is stopped or failed, or gives its step its whole deadline again. Calls the platform immediately.',
    access: 'IAM',
    parameters: [externalId],
    answers: accepted,
    problems: ['onboarding-not-found', 'operation-impossible', 'erasure-under-way', 'person-erased'],
  },
  'PATCH /onboardings/{externalId}/person': {
    operationId: 'updatePerson',
    tag: 'Persons',
    summary: 'Update a person on the platform',
    description: 'Drawbridge stores nothing of the update.',
    access: 'IAM',
    parameters: [externalId],
    request: 'PersonUpdate',
    answers: { 202: { description: 'The platform has accepted the update.' } },
    problems: [
      'invalid-request',
      'onboarding-not-found',
      'person-not-on-platform',
      'person-erased',
      'requestor-refused',
      'platform-refused',
    ],
  },
  'GET /persons/{externalId}': {
    operationId: 'showPerson',
    tag: 'Persons',
    summary: 'Show what is stored of a person',
    description:
      'Lists what an erasure would remove and keep. Erases nothing. With request=include the answer contains personal data, and the read is logged: allow the route to few roles.',
    access: 'IAM',
    parameters: [
      externalId,
      ...Object.entries({ ...erasureParameters, ...requestParameter }).map(([name, more]) => ({
        name,
        in: 'query' as const,
        ...more,
      })),
    ],
    answers: { 200: { description: 'What is stored.', body: 'Person' } },
    problems: ['invalid-request', 'invalid-query'],
  },
  'DELETE /persons/{externalId}': {
    operationId: 'erasePerson',
    tag: 'Persons',
    summary: 'Erase a person',
    description: 'Send the request again until the answer is 204.',
    access: 'IAM',
    parameters: [
      externalId,
      ...Object.entries(erasureParameters).map(([name, more]) => ({ name, in: 'query' as const, ...more })),
    ],
    answers: {
      202: {
        description: 'Send the request again, with each member beside message as a query parameter.',
        body: 'Erasure',
      },
      204: { description: 'The erasure is complete.' },
    },
    problems: [
      'invalid-request',
      'invalid-query',
      'person-unknown',
      'onboarding-open',
      'person-not-named',
      'ids-of-others',
    ],
  },
};
