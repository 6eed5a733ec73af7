import * as z from 'zod/mini';
import { statusWords, transactionStatusWords } from '#package/events/status-words.ts';
import { listedOnboardingAnswer, onboardingAnswer, personAnswer } from '#shared/api/onboarding-answers.ts';
import {
  entityAnswer,
  eventAnswer,
  eventBodyAnswer,
  listedEntityAnswer,
  listedEventAnswer,
  quarantineAnswer,
  timelineEventAnswer,
} from '#shared/api/query-answers.ts';
import { identificationModes } from '#shared/onboarding/onboarding-state.ts';
import { onboardingStepWords } from '#shared/onboarding/onboarding-steps.ts';
import { openEnum, tolerantObject } from '#shared/platform/fields/received.ts';
import { type EntityKind, eventTypes } from '#shared/platform/profile/event-place.ts';

// What is received may have further fields and new words, from a later release.

const words = { step: openEnum(onboardingStepWords), mode: openEnum(identificationModes) };
const eventType = openEnum(eventTypes);

export const onboarding = tolerantObject({ ...onboardingAnswer.shape, ...words });

export type Onboarding = z.output<typeof onboarding>;

export const listedOnboarding = tolerantObject({ ...listedOnboardingAnswer.shape, ...words });

export type ListedOnboarding = z.output<typeof listedOnboarding>;

function entityOf<const Kind extends EntityKind>(kind: Kind) {
  return tolerantObject({
    ...entityAnswer.shape,
    kind: z.literal(kind),
    status: z.optional(openEnum<(typeof statusWords)[Kind][number]>(statusWords[kind])),
    transactionStatus: z.optional(openEnum(transactionStatusWords)),
  });
}

const entitySchemas = {
  'natural-person': entityOf('natural-person'),
  'identification-verification': entityOf('identification-verification'),
  order: entityOf('order'),
  transfer: entityOf('transfer'),
} as const satisfies Record<EntityKind, z.ZodMiniType>;

/** The entities by their kinds: what Drawbridge knows of each. */
export type Entities = { [Kind in EntityKind]: z.output<(typeof entitySchemas)[Kind]> };

export const entities: { readonly [Kind in EntityKind]: z.ZodMiniType<Entities[Kind]> } = entitySchemas;

function listedOf<const Kind extends EntityKind>(kind: Kind) {
  const { status } = entityOf(kind).shape;
  return tolerantObject({ ...listedEntityAnswer.shape, kind: z.literal(kind), status });
}

const listedSchemas = {
  'natural-person': listedOf('natural-person'),
  'identification-verification': listedOf('identification-verification'),
  order: listedOf('order'),
  transfer: listedOf('transfer'),
} as const satisfies Record<EntityKind, z.ZodMiniType>;

export type ListedEntities = { [Kind in EntityKind]: z.output<(typeof listedSchemas)[Kind]> };

export const listedEntities: { readonly [Kind in EntityKind]: z.ZodMiniType<ListedEntities[Kind]> } = listedSchemas;

export const timelineEvent = tolerantObject({
  ...timelineEventAnswer.shape,
  status: z.optional(openEnum(Object.values(statusWords).flat())),
});

export type TimelineEvent = z.output<typeof timelineEvent>;

export const storedEvent = tolerantObject({ ...eventAnswer.shape, eventType });

export type StoredEvent = z.output<typeof storedEvent>;

export const eventBody = tolerantObject(eventBodyAnswer.shape);

export const listedEvent = tolerantObject({ ...listedEventAnswer.shape, eventType });

export type ListedEvent = z.output<typeof listedEvent>;

export const quarantine = tolerantObject(quarantineAnswer.shape);

export type Quarantine = z.output<typeof quarantine>;

export const storedPerson = tolerantObject(personAnswer.shape);

export type StoredPerson = z.output<typeof storedPerson>;
