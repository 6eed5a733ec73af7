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

/** What is published about anything else, except onboardings. `otherEvents` of `event-details.ts` has the details. */
export type OtherDetailType = 'DriftRepaired' | 'EventReceived' | 'EventQuarantined';

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
  /** The platform's time of the status, where it gave one. */
  modifiedOn: z.optional(timestamp),
  /** The platform's codes of why it has the status: texts are only in the event behind it. */
  reasonCodes: z.optional(z.array(platformCode)),
  /** What contradicts a final status, where this change shows it first. */
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
  /** The platform's time of the status, where it gave one. */
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

/** An entity was not as the platform has it, and now is: no webhook had reported it. The change itself is an event too. */
export const driftRepairedDetail = z.strictObject({
  kind: z.enum(entityKinds),
  id: z.string(),
  sequence: z.int().check(z.positive()),
  differed: z.array(z.enum(differences)).check(z.minLength(1)),
  status: z.optional(z.string()),
  statusBefore: z.optional(z.string()),
  modifiedOn: z.optional(timestamp),
  eventId,
});

/** An event of a type that has no effect but to be stored. Its body is at `GET /events/{eventId}`. */
export const eventReceivedDetail = z.strictObject({ eventId, eventType, receivedOn: timestamp });

/** An event that cannot have an effect: it is stored, and can be replayed. */
export const eventQuarantinedDetail = z.strictObject({ eventId, eventType, receivedOn: timestamp, reason: z.string() });

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

/** Every other event but those of onboardings, which `shared/onboarding/onboarding-event.ts` has. */
export const otherEvents = [
  {
    detailType: 'DriftRepaired',
    detail: driftRepairedDetail,
    description:
      'An entity differed from the platform and was repaired: no webhook had reported the change. The change is published as well.',
  },
  {
    detailType: 'EventReceived',
    detail: eventReceivedDetail,
    description: 'A webhook with an event type that has no other effect than being stored.',
  },
  {
    detailType: 'EventQuarantined',
    detail: eventQuarantinedDetail,
    description: 'A webhook that is stored and cannot have an effect.',
  },
] as const;
