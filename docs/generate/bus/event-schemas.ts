import * as z from 'zod/mini';
import { detailTypeOf, entityEvents, otherEvents } from '#shared/bus/event-details.ts';
import { onboardingDetails } from '#shared/onboarding/onboarding-event.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';

/** What each field of an event says, for engineers who build on the bus. */
const fields: Readonly<Record<string, string>> = {
  kind: 'What the entity is.',
  id: 'The id that the platform gave the entity.',
  sequence:
    'Grows with each change of the entity, or step of the onboarding, with gaps. An event may come more than once, and in any order: keep the highest sequence of each, and drop what is not above it.',
  status:
    'The status that is shown now, or of …StatusReported the one that was reported (section 3 of the specification). New words come without notice.',
  statusBefore: 'The status that was shown before. Absent where the entity was not known.',
  transactionStatus: 'Of orders and transfers (section 3.5). Absent for a status that section 3.5 does not map.',
  modifiedOn: "The platform's time of the status, to the nanosecond, as it was written. Absent where it gave none.",
  anomalies:
    'What contradicts a final status, where this change shows it first: docs/reference/states.md says what is one.',
  remedies: 'What an operator does about each of the anomalies, in the same order.',
  errorType: "The platform's code of the reason. Absent where the platform gave none, or one that is not in capitals.",
  differed:
    'What differed from the platform: entity (it was not known), status, modifiedOn (the time of the status alone).',
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
  OnboardingEnded:
    'An onboarding has ended without success: its step says how. A retry, or another request, can continue it.',
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
  if (text === undefined) throw new Error(`Say in event-schemas.ts what ${field} is.`);
  return text;
}
