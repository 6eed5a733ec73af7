import * as z from 'zod/mini';
import {
  driftRepaired,
  entityChanged,
  eventQuarantined,
  eventReceived,
  validationFailed,
} from '#shared/bus/bus-event.ts';
import { detailTypeOf, entityEvents, otherEvents } from '#shared/bus/event-details.ts';
import { onboardingDetails } from '#shared/onboarding/onboarding-event.ts';
import type { onboardingStepWords } from '#shared/onboarding/onboarding-steps.ts';
import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';

/** What each field of an event says, for engineers who build on the bus. */
const fields: Readonly<Record<string, string>> = {
  kind: 'What the entity is.',
  id: 'The id that the platform gave the entity.',
  sequence:
    'Grows with each change of the entity, or step of the onboarding, with gaps. An event may come more than once, and in any order: keep the highest sequence of each, and drop what is not above it.',
  status: 'The status that is shown now (section 3 of the specification). New words come without notice.',
  statusBefore: 'The status that was shown before. Absent where the entity was not known.',
  transactionStatus: 'Of orders and transfers (section 3.5). Absent for a status that section 3.5 does not map.',
  modifiedOn: "The platform's time of the status, to the nanosecond, as it was written. Absent where it gave none.",
  anomalies:
    'What contradicts a final status, where this change shows it first: docs/reference/states.md says what is one.',
  remedies: 'What an operator does about each of the anomalies, in the same order.',
  errorType: "The platform's code of the reason. Absent where the platform gave none, or one that is not in capitals.",
  differed:
    'What differed from the platform: entity (it was not known), status, modifiedOn (only the time of the status).',
  eventId: 'The webhook behind it: GET /events/{eventId} shows it. The same webhook is the same id.',
  eventType: "The platform's event type (section 2.1).",
  receivedOn: 'When the webhook was delivered last. UTC.',
  onboardingId: "Names the onboarding: the SHA-256 of the partner's externalId, in hex.",
  step: 'How far the onboarding is: docs/reference/onboarding-steps.md says what each step means.',
  since: 'When it came to the step. UTC.',
  mode: 'How the person is identified.',
  naturalPersonId: 'The id that the platform gave the person. Absent until it has it.',
  identificationVerificationId: 'The id of the identification verification (section 2.5), where there is one.',
  isIdentificationOpen:
    'true where the person is ACTIVE and Drawbridge has not seen its identification succeed. Absent otherwise.',
  reasonCodes:
    "The platform's codes of why the entity has the status, or the platform refused a request. Absent where it gave none. GET /events/{eventId} has the texts.",
  reasons:
    'Why it does not continue, in words, with names of fields: docs/reference/onboarding-steps.md says what to do.',
  requestEventId: 'The id of the event that asked for it.',
  outcome:
    'INVALID: fields are wrong. CONFLICT: there is one with other data. ENDED: there is one that has ended. ERASED: its person was erased. BEING_ERASED: an erasure of its person has begun and not ended.',
  remedy: 'What the sender can do next.',
  problems: 'Each field and what is wrong with it; never a value.',
  reason: 'Why it has no effect. Replay it once the reason is gone.',
};

const onboardingEvents: Readonly<Record<keyof typeof onboardingDetails, string>> = {
  OnboardingAccepted: 'A request for an onboarding was accepted.',
  OnboardingProgressed: 'An onboarding has reached another step.',
  OnboardingIdentificationReady:
    'The person can make the video call. GET /onboardings/{externalId} has its identificationUrl.',
  OnboardingStalled: 'The step of an onboarding takes longer than its deadline. Published once per step.',
  OnboardingStopped: 'An operator must fix something, then retry or cancel the onboarding.',
  OnboardingCompleted: 'An onboarding has succeeded: the person is ACTIVE.',
  OnboardingEnded: 'An onboarding has ended without success: its step says how.',
  OnboardingRejected: 'An event OnboardingRequested was not accepted.',
};

const descriptions = new Map(Object.entries(onboardingEvents));

type Schema = Readonly<Record<string, unknown>>;

/** The JSON Schema of the detail of each event, by its detail-type. It allows further fields: more may come. */
export function writeEventSchemas(): ReadonlyMap<string, Schema> {
  return new Map([
    ...entityKinds.flatMap((kind) =>
      entityEvents.map(({ what, detail, describe }) =>
        write(detailTypeOf(kind, what), z.extend(detail, { kind: z.literal(kind) }), describe(kind)),
      ),
    ),
    ...otherEvents.map(({ detailType, detail, description }) => write(detailType, detail, description)),
    ...Object.entries(onboardingDetails).map(([detailType, detail]) =>
      write(detailType, detail, descriptions.get(detailType) ?? ''),
    ),
  ]);
}

function write(detailType: string, schema: z.ZodMiniType, description: string): readonly [string, Schema] {
  const {
    $schema,
    properties = {},
    required,
  } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => Reflect.deleteProperty(jsonSchema, 'additionalProperties'),
  });
  const described = Object.entries(properties).map(([name, property]) => [
    name,
    { description: meaningOf(name), ...(typeof property === 'object' && property) },
  ]);
  const title = `detail of ${detailType}`;
  return [
    detailType,
    { $schema, title, description, type: 'object', properties: Object.fromEntries(described), required },
  ];
}

function meaningOf(field: string): string {
  const text = fields[field];
  if (text === undefined) throw new Error(`Say in event-reference.ts what ${field} is.`);
  return text;
}

/** An event as it is published: its detail-type and its detail. */
export type EventExample = { readonly detailType: string; readonly detail: Readonly<Record<string, unknown>> };

const eventId = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';
const receivedOn = '2026-01-02T03:04:05.678Z';
const id = '3f0c6f0e-2f5b-4a4e-9d0a-6f1c2b7d8e90';
const onboardingId = 'fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9';

const statuses: Readonly<Record<EntityKind, readonly [before: string, now: string]>> = {
  'natural-person': ['CREATED', 'ACTIVE'],
  'identification-verification': ['PENDING', 'APPROVED'],
  order: ['PENDING', 'FILLED'],
  transfer: ['PENDING', 'PROCESSED'],
};

function examplesOf(kind: EntityKind): readonly EventExample[] {
  const [statusBefore, status] = statuses[kind];
  const about = { kind, id, eventId, receivedOn, report: { errorType: 'NOT_ACTIVE', reasonCodes: ['NOT_ACTIVE'] } };
  const change = { version: 3, status, statusBefore, modifiedOn: '2026-01-02T03:04:05.123456789Z', anomalies: [] };
  return [
    entityChanged(about, change),
    entityChanged(about, { ...change, version: 4, statusBefore: status }),
    validationFailed(about),
  ];
}

function step(name: (typeof onboardingStepWords)[number], sequence: number, more: object = {}) {
  return { onboardingId, sequence, step: name, since: '2026-01-02T03:04:05.678Z', mode: 'video', ...more };
}

const person = { naturalPersonId: id };
const verified = { ...person, identificationVerificationId: '9c0a4b1e-7d52-4c11-8f7e-0f3b6a5d4c21' };
const onboardings = {
  OnboardingAccepted: step('REQUESTED', 1),
  OnboardingProgressed: step('CREATING_PERSON', 2),
  OnboardingIdentificationReady: step('AWAITING_VIDEO_CALL', 7, verified),
  OnboardingStalled: step('AWAITING_VIDEO_CALL', 8, verified),
  OnboardingStopped: step('STOPPED', 4, { ...person, reasons: [{ code: 'BAD_REQUEST', fields: ['birthDay'] }] }),
  OnboardingCompleted: step('COMPLETED', 10, verified),
  OnboardingEnded: step('EXPIRED', 9, verified),
  OnboardingRejected: {
    requestEventId: '7bf73129-1428-4cd3-a780-95db273d1602',
    outcome: 'INVALID',
    problems: [
      { field: 'person.birthDay', reason: 'must be an ISO 8601 calendar date such as 2026-11-21 (section 2)' },
    ],
  },
} satisfies Record<keyof typeof onboardingDetails, object>;
const exampleOf = new Map<string, object>(Object.entries(onboardings));

/** One example of each event, checked by the schemas that check what is published. */
export function eventExamples(): readonly EventExample[] {
  const changed = driftRepaired(
    { kind: 'transfer', id, eventId, receivedOn, report: {} },
    { version: 3, status: 'PROCESSED', statusBefore: 'PENDING', modifiedOn: receivedOn, anomalies: [] },
    ['status', 'modifiedOn'],
  );
  return [
    ...entityKinds.flatMap(examplesOf),
    changed,
    eventReceived({ eventId, eventType: 'CUSTOMER_NOTIFICATION', receivedOn }),
    eventQuarantined({ eventId, eventType: 'TRANSFER_NOTIFICATION', receivedOn, reason: 'NOT_JSON' }),
    ...Object.entries(onboardingDetails).map(([detailType, schema]) => ({
      detailType,
      detail: schema.parse(exampleOf.get(detailType)),
    })),
  ];
}
