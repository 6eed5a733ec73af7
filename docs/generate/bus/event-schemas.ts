import * as z from 'zod/mini';
import { busFields } from '#package/build/field-meanings.ts';
import { detailTypeOf, entityEvents, otherEvents } from '#shared/bus/event-details.ts';
import { onboardingDetails } from '#shared/onboarding/onboarding-event.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';

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
  const text = busFields[field]?.meaning;
  if (text === undefined) throw new Error(`Say in field-meanings.ts what ${field} is.`);
  return text;
}
