import {
  type BusEvent,
  BusEventError,
  type BusEventOf,
  busEventSchemas,
  type DetailType,
  parseBusEvent,
} from '#package/events/bus-events.ts';
import { detailTypeOf } from '#shared/bus/event-details.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';

/** A value of each field that an event must have. @param count how many events were made, this one included */
const defaultsOf = (count: number): Readonly<Record<string, unknown>> => ({
  id: 'entity-1',
  status: 'PENDING',
  sequence: count,
  anomalies: [],
  remedies: [],
  differed: ['status'],
  eventId: count.toString(16).padStart(64, '0'),
  eventType: 'DOCUMENT_NOTIFICATION',
  receivedOn: '2026-01-02T03:04:05.678Z',
  reason: 'UNKNOWN_EVENT_TYPE',
  onboardingId: '0'.repeat(64),
  step: 'REQUESTED',
  since: '2026-01-02T03:04:05.678Z',
  mode: 'video',
  requestEventId: `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`,
  outcome: 'INVALID',
  problems: [],
});

let published = 0;

/**
 * An event of the bus in its envelope, for tests of your handlers: `busEvent('OrderStatusChanged', { id: 'order-1', status: 'FILLED' })`.
 * What the detail must have and you do not give has a default: `sequence` and the ids of events grow with each call, so that no event repeats or
 * precedes another; `id` and `onboardingId` stay the same. Each event has an id of its own.
 *
 * @throws {BusEventError} when the event is not what its schema says
 */
export function busEvent<const Type extends DetailType>(
  type: Type,
  detail: Partial<BusEventOf<Type>['detail']> = {},
): BusEventOf<Type> {
  if (!Object.hasOwn(busEventSchemas, type))
    throw new BusEventError(`busEvent expects a detail-type such as OrderStatusChanged, and got ${String(type)}.`);
  published += 1;
  const defaults = defaultsOf(published);
  const { shape } = busEventSchemas[type].shape.detail;
  const kind =
    entityKinds.find((one) => type.startsWith(detailTypeOf(one, 'Updated').replace('Updated', ''))) ?? 'order';
  const needed = Object.entries(shape)
    .filter(([, schema]) => !schema.safeParse(undefined).success)
    .map(([field]) => [field, field === 'kind' ? kind : defaults[field]]);
  const event = parseBusEvent({
    id: `event-${published}`,
    source: 'drawbridge',
    'detail-type': type,
    time: '2026-01-02T03:04:06Z',
    detail: { ...Object.fromEntries(needed), ...detail },
  });
  if (isOf(type, event)) return event;
  throw new TypeError(`The event is not a ${type}.`);
}

function isOf<Type extends DetailType>(type: Type, event: BusEvent): event is BusEvent & BusEventOf<Type> {
  return event['detail-type'] === type;
}

/** A record of {@link sqsBatch}, as SQS hands it to a Lambda function. */
export type SqsRecord = ReturnType<typeof recordOf>;

/** What SQS hands to a Lambda function: each event, or text in place of one, as the body of a message. Ids are `message-1`, `message-2` … */
export function sqsBatch(...messages: readonly (object | string)[]): { readonly Records: readonly SqsRecord[] } {
  return { Records: messages.map((message, index) => recordOf(message, `message-${index + 1}`)) };
}

function recordOf(message: object | string, messageId: string) {
  return {
    messageId,
    receiptHandle: `receipt of ${messageId}`,
    body: typeof message === 'string' ? message : JSON.stringify(message),
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '1767323046000',
      SenderId: 'events.amazonaws.com',
      ApproximateFirstReceiveTimestamp: '1767323046001',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-central-1:123456789012:queue',
    awsRegion: 'eu-central-1',
  };
}
