import * as z from 'zod/mini';
import { busFields } from '#package/build/field-meanings.ts';
import { entityChanged, statusReported, validationFailed } from '#shared/bus/bus-event.ts';
import { detailTypeOf, entityEvents, otherDetails, otherEventReference } from '#shared/bus/event-details.ts';
import { onboardingDetails } from '#shared/onboarding/onboarding-event.ts';
import type { onboardingStepWords } from '#shared/onboarding/onboarding-steps.ts';
import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';

const onboardingEvents: Readonly<Record<keyof typeof onboardingDetails, string>> = {
  OnboardingAccepted: 'A request for an onboarding was accepted.',
  OnboardingProgressed: 'An onboarding has reached another step.',
  OnboardingIdentificationReady:
    'The person can make the video call. GET /onboardings/{externalId} has its identificationUrl.',
  OnboardingStalled: 'The step of an onboarding takes longer than its deadline. Published once per step.',
  OnboardingStopped: 'An operator must fix something, then retry or cancel the onboarding.',
  OnboardingCompleted: 'An onboarding has succeeded: the person is ACTIVE.',
  OnboardingEnded:
    'An onboarding has ended without success: its step says how. A retry, or another request, can continue it.',
  OnboardingRejected: 'An event OnboardingRequested was not accepted.',
};

const descriptions = new Map([
  ...Object.entries(onboardingEvents),
  ...Object.entries(otherEventReference).map(([detailType, { description }]) => [detailType, description] as const),
]);

type Schema = Readonly<Record<string, unknown>>;

/** The JSON Schema of the detail of each event, by its detail-type. It allows further fields: more may come. */
export function writeEventSchemas(): ReadonlyMap<string, Schema> {
  return new Map([
    ...entityKinds.flatMap((kind) =>
      entityEvents.map(({ what, detail, describe }) =>
        write(detailTypeOf(kind, what), z.extend(detail, { kind: z.literal(kind) }), describe(kind)),
      ),
    ),
    ...Object.entries({ ...otherDetails, ...onboardingDetails }).map(([detailType, detail]) =>
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
  const text = busFields[field]?.meaning;
  if (text === undefined) throw new Error(`Say in field-meanings.ts what ${field} is.`);
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
    statusReported({ ...about, report: { status: statusBefore, modifiedOn: '2026-01-02T03:04:04Z' } }),
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
const exampleOf = new Map<string, object>([
  ...Object.entries(onboardings),
  ...Object.entries(otherEventReference).map(([detailType, { example }]) => [detailType, example] as const),
]);

/** One example of each event, checked by the schemas that check what is published. */
export function eventExamples(): readonly EventExample[] {
  return [
    ...entityKinds.flatMap(examplesOf),
    ...Object.entries({ ...otherDetails, ...onboardingDetails }).map(([detailType, schema]) => ({
      detailType,
      detail: schema.parse(exampleOf.get(detailType)),
    })),
  ];
}
