import * as z from 'zod/mini';
import {
  differences,
  type EntityDetailType,
  entityChangedDetail,
  type OtherDetailType,
  otherDetails,
  statusReportedDetail,
  validationFailedDetail,
} from '#shared/bus/event-details.ts';
import { onboardingDetails } from '#shared/onboarding/onboarding-event.ts';
import { identificationModes } from '#shared/onboarding/onboarding-state.ts';
import { onboardingStepWords } from '#shared/onboarding/onboarding-steps.ts';
import { fieldsOf } from '#shared/platform/client/errors.ts';
import { openEnum, tolerantObject } from '#shared/platform/fields/received.ts';
import { type EntityKind, eventTypes } from '#shared/platform/profile/event-place.ts';
import { statusWords, transactionStatusWords } from './status-words.ts';

/** The envelope of EventBridge, around the detail of one event. */
function eventOf<const Type extends string, Detail extends z.ZodMiniType>(type: Type, detail: Detail) {
  return z.object({
    /** EventBridge gives each publication its own: the same change published twice has two. */
    id: z.string(),
    source: z.literal('drawbridge'),
    'detail-type': z.literal(type),
    /** When it was published. ISO 8601, UTC. */
    time: z.string(),
    detail,
  });
}

// What is sent is checked strictly. What is received may have further fields and new words, from a later release.

function changed<const Kind extends EntityKind>(kind: Kind) {
  const status = z.optional(openEnum<(typeof statusWords)[Kind][number]>(statusWords[kind]));
  return tolerantObject({
    ...entityChangedDetail.shape,
    kind: z.literal(kind),
    status,
    statusBefore: status,
    transactionStatus: z.optional(openEnum(transactionStatusWords)),
  });
}

function reported<const Kind extends EntityKind>(kind: Kind) {
  const status = openEnum<(typeof statusWords)[Kind][number]>(statusWords[kind]);
  return tolerantObject({ ...statusReportedDetail.shape, kind: z.literal(kind), status });
}

function refused<const Kind extends EntityKind>(kind: Kind) {
  return tolerantObject({ ...validationFailedDetail.shape, kind: z.literal(kind) });
}

const anyStatus = z.optional(openEnum(Object.values(statusWords).flat()));

const repaired = tolerantObject({
  ...otherDetails.DriftRepaired.shape,
  status: anyStatus,
  statusBefore: anyStatus,
  differed: z.array(openEnum(differences)),
});

const onboarding = tolerantObject({
  ...onboardingDetails.OnboardingProgressed.shape,
  step: openEnum(onboardingStepWords),
  mode: openEnum(identificationModes),
});

const rejected = tolerantObject({
  ...onboardingDetails.OnboardingRejected.shape,
  outcome: openEnum(['INVALID', 'CONFLICT', 'ENDED', 'ERASED', 'BEING_ERASED']),
  problems: z.array(tolerantObject({ field: z.string(), reason: z.string() })),
  step: z.optional(openEnum(onboardingStepWords)),
});

const eventType = openEnum(eventTypes);

/** Every event of the bus in its envelope, by its detail-type: schemas that take what a later release adds. */
export const busEventSchemas = {
  NaturalPersonStatusChanged: eventOf('NaturalPersonStatusChanged', changed('natural-person')),
  NaturalPersonUpdated: eventOf('NaturalPersonUpdated', changed('natural-person')),
  NaturalPersonStatusReported: eventOf('NaturalPersonStatusReported', reported('natural-person')),
  NaturalPersonValidationFailed: eventOf('NaturalPersonValidationFailed', refused('natural-person')),
  IdentificationVerificationStatusChanged: eventOf(
    'IdentificationVerificationStatusChanged',
    changed('identification-verification'),
  ),
  IdentificationVerificationUpdated: eventOf(
    'IdentificationVerificationUpdated',
    changed('identification-verification'),
  ),
  IdentificationVerificationStatusReported: eventOf(
    'IdentificationVerificationStatusReported',
    reported('identification-verification'),
  ),
  IdentificationVerificationValidationFailed: eventOf(
    'IdentificationVerificationValidationFailed',
    refused('identification-verification'),
  ),
  OrderStatusChanged: eventOf('OrderStatusChanged', changed('order')),
  OrderUpdated: eventOf('OrderUpdated', changed('order')),
  OrderStatusReported: eventOf('OrderStatusReported', reported('order')),
  OrderValidationFailed: eventOf('OrderValidationFailed', refused('order')),
  TransferStatusChanged: eventOf('TransferStatusChanged', changed('transfer')),
  TransferUpdated: eventOf('TransferUpdated', changed('transfer')),
  TransferStatusReported: eventOf('TransferStatusReported', reported('transfer')),
  TransferValidationFailed: eventOf('TransferValidationFailed', refused('transfer')),
  DriftRepaired: eventOf('DriftRepaired', repaired),
  EventReceived: eventOf('EventReceived', tolerantObject({ ...otherDetails.EventReceived.shape, eventType })),
  EventQuarantined: eventOf('EventQuarantined', tolerantObject({ ...otherDetails.EventQuarantined.shape, eventType })),
  OnboardingAccepted: eventOf('OnboardingAccepted', onboarding),
  OnboardingProgressed: eventOf('OnboardingProgressed', onboarding),
  OnboardingIdentificationReady: eventOf('OnboardingIdentificationReady', onboarding),
  OnboardingStalled: eventOf('OnboardingStalled', onboarding),
  OnboardingStopped: eventOf('OnboardingStopped', onboarding),
  OnboardingCompleted: eventOf('OnboardingCompleted', onboarding),
  OnboardingEnded: eventOf('OnboardingEnded', onboarding),
  OnboardingRejected: eventOf('OnboardingRejected', rejected),
} satisfies Record<EntityDetailType | OtherDetailType | keyof typeof onboardingDetails, z.ZodMiniType>;

/** The name of an event, such as `OrderStatusChanged`. */
export type DetailType = keyof typeof busEventSchemas;

/** The events of the bus in their envelopes, by detail-type. */
export type BusEvents = { [Type in DetailType]: z.output<(typeof busEventSchemas)[Type]> };

/** One event of the bus, in its envelope. */
export type BusEventOf<Type extends DetailType> = BusEvents[Type];

/** Any event of the bus: `detail-type` says which. */
export type BusEvent = BusEvents[DetailType];

/** The message is not an event of the bus, or one that this release does not know. The message names fields, never a value. */
export class BusEventError extends Error {
  override readonly name = 'BusEventError';
}

const named = z.object({ source: z.literal('drawbridge'), 'detail-type': z.string() });

/** Which event an envelope holds. @throws {BusEventError} */
export function detailTypeOf(envelope: unknown): DetailType {
  const { data, error } = named.safeParse(envelope);
  if (data === undefined)
    throw new BusEventError(`The message is not an event of Drawbridge: check ${fieldsOf(error).join(', ')}.`);
  const type = data['detail-type'];
  if (isDetailType(type)) return type;
  throw new BusEventError('The detail-type of the event is not known: update @drawbridge-partner/drawbridge.');
}

/**
 * Checks an event of the bus. Further fields are kept, and new words are taken.
 *
 * @param envelope of EventBridge, as JSON gives it
 * @throws {BusEventError}
 */
export function parseBusEvent(envelope: unknown): BusEvent {
  const type = detailTypeOf(envelope);
  const { data, error } = busEventSchemas[type].safeParse(envelope);
  if (data !== undefined) return data;
  throw new BusEventError(`The event ${type} is not what its schema says: check ${fieldsOf(error).join(', ')}.`);
}

function isDetailType(type: string): type is DetailType {
  return Object.hasOwn(busEventSchemas, type);
}

/** What an event is ordered by: of one key, only a higher sequence takes effect. */
export type PlaceInOrder = {
  /** The entity or the onboarding; of an event that has no sequence, the webhook or the request behind it. */
  readonly key: string;
  readonly sequence: number;
};

/**
 * The place of an event. An event without a sequence has a key of its own, so that it takes effect once. DriftRepaired has the sequence
 * of the change that is published beside it: its key differs.
 */
export function placeInOrder(event: BusEvent): PlaceInOrder {
  const { 'detail-type': type } = event;
  switch (event['detail-type']) {
    case 'DriftRepaired': {
      const { kind, id, sequence } = event.detail;
      return { key: `DriftRepaired#${kind}#${id}`, sequence };
    }
    case 'NaturalPersonStatusReported':
    case 'IdentificationVerificationStatusReported':
    case 'OrderStatusReported':
    case 'TransferStatusReported':
    case 'NaturalPersonValidationFailed':
    case 'IdentificationVerificationValidationFailed':
    case 'OrderValidationFailed':
    case 'TransferValidationFailed':
    case 'EventReceived':
    case 'EventQuarantined':
      return { key: `${type}#${event.detail.eventId}`, sequence: 1 };
    case 'OnboardingRejected':
      return { key: `${type}#${event.detail.requestEventId}`, sequence: 1 };
    case 'OnboardingAccepted':
    case 'OnboardingProgressed':
    case 'OnboardingIdentificationReady':
    case 'OnboardingStalled':
    case 'OnboardingStopped':
    case 'OnboardingCompleted':
    case 'OnboardingEnded':
      return { key: `onboarding#${event.detail.onboardingId}`, sequence: event.detail.sequence };
    case 'NaturalPersonStatusChanged':
    case 'NaturalPersonUpdated':
    case 'IdentificationVerificationStatusChanged':
    case 'IdentificationVerificationUpdated':
    case 'OrderStatusChanged':
    case 'OrderUpdated':
    case 'TransferStatusChanged':
    case 'TransferUpdated':
      return { key: `${event.detail.kind}#${event.detail.id}`, sequence: event.detail.sequence };
  }
}
