import * as z from 'zod/mini';
import { platformCode } from '#shared/entities/reason-codes.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';

/** What the bus calls an entity of each kind. */
const nouns = {
  'natural-person': 'NaturalPerson',
  'identification-verification': 'IdentificationVerification',
  order: 'Order',
  transfer: 'Transfer',
} as const satisfies Record<EntityKind, string>;

/** What is published about an entity of every kind. `entityEvents` of `event-details.ts` has the details. */
export type EntityHappening = 'StatusChanged' | 'Updated' | 'StatusReported' | 'ValidationFailed';

export type EntityDetailType = `${(typeof nouns)[EntityKind]}${EntityHappening}`;

/** Requests an onboarding. Your systems publish it, with a whole person in it: no archive and none of our queues may keep it. */
export const requestDetailType = 'OnboardingRequested';

/** What an event about an entity is called, such as `OrderStatusChanged`. */
export function detailTypeOf(kind: EntityKind, what: EntityHappening): EntityDetailType {
  return `${nouns[kind]}${what}`;
}

const eventId = z.string().check(z.regex(/^[\da-f]{64}$/));
const eventType = z.string().check(z.minLength(1));

/** What is shown of an entity has changed. */
export const entityChangedDetail = z.strictObject({
  kind: z.enum(entityKinds),
  /** The id that the platform gave it. */
  id: z.string(),
  /** Grows with each change of the entity, with gaps. Events may come twice and in any order: the highest is the latest. */
  sequence: z.int().check(z.positive()),
  /** A word of section 3, or one that the platform has come to use since. */
  status: z.optional(z.string()),
  /** What was shown before; absent if the entity was unknown. */
  statusBefore: z.optional(z.string()),
  /** Section 3.5, for orders and transfers. */
  transactionStatus: z.optional(z.enum(['N/A', 'COMPLETED', 'MODIFIED'])),
  /** The platform's time of the status, if it gave one. */
  modifiedOn: z.optional(timestamp),
  /** The platform's codes of why it has the status: texts are only in the event behind it. */
  reasonCodes: z.optional(z.array(platformCode)),
  /** What contradicts a final status, if this change shows it first. */
  anomalies: z.array(z.string()),
  /** What an operator does about each of the anomalies, in the same order. */
  remedies: z.array(z.string()),
  /** The event that changed it: `GET /events/{eventId}` shows it. */
  eventId,
});

/** A status was reported, and what is shown did not change: there is no sequence. It can be the shown status, reported with an earlier time. */
export const statusReportedDetail = z.strictObject({
  kind: z.enum(entityKinds),
  id: z.string(),
  /** What was reported. */
  status: z.string(),
  /** The platform's time of the status, if it gave one. */
  modifiedOn: z.optional(timestamp),
  /** The platform's codes of why it has the status. */
  reasonCodes: z.optional(z.array(platformCode)),
  /** The event that reported it. One event reports one status. */
  eventId,
});

/** The platform refused a request about an entity, such as a PATCH. Without the description, which may name the person. */
export const validationFailedDetail = z.strictObject({
  kind: z.enum(entityKinds),
  id: z.string(),
  /** The platform's code of the reason; absent if there is none, or if the reason is not a code in capitals. */
  errorType: z.optional(platformCode),
  /** All codes of the reason. */
  reasonCodes: z.optional(z.array(platformCode)),
  eventId,
});

/** How an entity can differ from the platform's answer: it is unknown here, or its status or the time of the status differs. */
export const differences = ['entity', 'status', 'modifiedOn'] as const;

export type Difference = (typeof differences)[number];

/** The details of every other event but those of onboardings, which `shared/onboarding/onboarding-event.ts` has. */
export const otherDetails = {
  /** An entity was not as the platform has it, and now is: no webhook had reported it. The change itself is an event too. */
  DriftRepaired: z.strictObject({
    kind: z.enum(entityKinds),
    id: z.string(),
    sequence: z.int().check(z.positive()),
    differed: z.array(z.enum(differences)).check(z.minLength(1)),
    status: z.optional(z.string()),
    statusBefore: z.optional(z.string()),
    modifiedOn: z.optional(timestamp),
    eventId,
  }),
  /** An event of a type that has no effect but to be stored. Its body is at `GET /events/{eventId}`. */
  EventReceived: z.strictObject({ eventId, eventType, receivedOn: timestamp }),
  /** An event that cannot have an effect: it is stored, and can be replayed. */
  EventQuarantined: z.strictObject({ eventId, eventType, receivedOn: timestamp, reason: z.string() }),
} as const;

export type OtherDetailType = keyof typeof otherDetails;

/**
 * The events about an entity, which every kind has, and the detail of each. Here and below only the reference and the stacks
 * read the rows: no function bundles them.
 */
export const entityEvents = [
  {
    what: 'StatusChanged',
    detail: entityChangedDetail,
    describe: (kind: EntityKind) => `What is known of the ${kind} has changed, and its status with it.`,
  },
  {
    what: 'Updated',
    detail: entityChangedDetail,
    describe: (kind: EntityKind) => `What is known of the ${kind} has changed; its status is what it was.`,
  },
  {
    what: 'StatusReported',
    detail: statusReportedDetail,
    describe: (kind: EntityKind) =>
      `The platform reported a status of the ${kind} that changed nothing of what is shown: a later report was known, or the status is read back first. It can be the status that is shown. Published only where a subscription or the setting statusReports asks for it.`,
  },
  {
    what: 'ValidationFailed',
    detail: validationFailedDetail,
    describe: (kind: EntityKind) =>
      `The platform reported a validation error for the ${kind}: it refused a request, such as a PATCH. GET /events/{eventId} has the description.`,
  },
] as const;

const exampleId = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';
const exampleTime = '2026-01-02T03:04:05.678Z';

type OtherEventReference = {
  readonly [Type in OtherDetailType]: {
    readonly description: string;
    readonly example: z.input<(typeof otherDetails)[Type]>;
  };
};

/** What the reference says of each of `otherDetails`. */
export const otherEventReference: OtherEventReference = {
  DriftRepaired: {
    description:
      'An entity differed from the platform and was repaired: no webhook had reported the change. The change is published as well.',
    example: {
      kind: 'transfer',
      id: '3f0c6f0e-2f5b-4a4e-9d0a-6f1c2b7d8e90',
      sequence: 3,
      differed: ['status', 'modifiedOn'],
      status: 'PROCESSED',
      statusBefore: 'PENDING',
      modifiedOn: exampleTime,
      eventId: exampleId,
    },
  },
  EventReceived: {
    description: 'A webhook with an event type that has no other effect than being stored.',
    example: { eventId: exampleId, eventType: 'CUSTOMER_NOTIFICATION', receivedOn: exampleTime },
  },
  EventQuarantined: {
    description: 'A webhook that is stored and cannot have an effect.',
    example: { eventId: exampleId, eventType: 'TRANSFER_NOTIFICATION', receivedOn: exampleTime, reason: 'NOT_JSON' },
  },
};
