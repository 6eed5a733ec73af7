import * as z from 'zod/mini';
import { onboardingRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { apiFields } from '#package/build/field-meanings.ts';
import {
  erasureAnswer,
  onboardingAnswer,
  onboardingListAnswer,
  onboardingProgressAnswer,
  personAnswer,
} from '#shared/api/onboarding-answers.ts';
import {
  entityAnswer,
  entityListAnswer,
  eventAnswer,
  eventBodyAnswer,
  eventListAnswer,
  quarantineAnswer,
  timelineAnswer,
} from '#shared/api/query-answers.ts';
import { type ListedProblemType, problemUri } from '#shared/lambda/http-api.ts';
import * as problemTypes from '#shared/lambda/problem-types.ts';
import { onboardingStepWords } from '#shared/onboarding/onboarding-steps.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { naturalPersonBodies } from '#shared/platform/resources/natural-person-schema.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

const profile = platformProfile.parse({});
/** The day decides which dates are accepted, and nothing that a JSON Schema says. */
const anyDay = new Date('2026-01-02');

/** The bodies of requests, with the fields that the default platform profile allows. */
export const requestSchemas = {
  OnboardingRequest: onboardingRequest(anyDay, profile),
  PersonUpdate: naturalPersonBodies(profile).naturalPersonUpdate,
};

/** The bodies of answers. */
export const answerSchemas = {
  Entity: entityAnswer,
  EntityList: entityListAnswer,
  Timeline: timelineAnswer,
  Event: eventAnswer,
  EventBody: eventBodyAnswer,
  EventList: eventListAnswer,
  Quarantine: quarantineAnswer,
  Onboarding: onboardingAnswer,
  OnboardingProgress: onboardingProgressAnswer,
  OnboardingList: onboardingListAnswer,
  Erasure: erasureAnswer,
  Person: personAnswer,
};

export type AnswerName = keyof typeof answerSchemas;
export type RequestName = keyof typeof requestSchemas;
export type ProblemSlug = ListedProblemType['slug'];

const requestError = z.object({
  pointer: z.optional(z.string()),
  parameter: z.optional(z.string()),
  detail: z.string(),
});

const step = z.enum(onboardingStepWords);
const { remedy: _, ...onboardingMembers } = onboardingAnswer.shape;
const errors = z.array(requestError);
const ids = z.array(z.string());

/** The members of a problem beside those that each has. */
const problemMembers: Partial<Readonly<Record<ProblemSlug, Readonly<Record<string, z.ZodMiniType>>>>> = {
  'invalid-request': { errors },
  'invalid-query': { errors },
  'onboarding-conflict': { errors, step },
  'onboarding-ended': { step },
  'operation-impossible': onboardingMembers,
  'requestor-refused': { reason: z.string() },
  'platform-refused': { reason: z.string() },
  'ids-of-others': { onboardingIds: ids, naturalPersonIds: ids },
};

/** What API Gateway itself answers. */
const gatewayError = z.object({ message: z.string() });

function problemSchema({ slug, status }: ListedProblemType) {
  return z.object({
    type: z.literal(problemUri(slug)),
    title: z.string(),
    status: z.literal(status).register(z.globalRegistry, { description: 'The status code of the answer.' }),
    detail: z.string(),
    remedy: z.string(),
    ...problemMembers[slug],
  });
}

/** The name of a problem's schema: `EventNotFoundProblem`. */
export function problemSchemaName(slug: ProblemSlug): string {
  return `${slug.replaceAll(/(?:^|-)(\w)/g, (_match, first: string) => first.toUpperCase())}Problem`;
}

/** The schemas of the document by their names. Those of answers allow further members: more may come. */
export function writeSchemas(): Readonly<Record<string, JsonSchema>> {
  const bySlug = Object.values(problemTypes).toSorted((one, other) => (one.slug < other.slug ? -1 : 1));
  const problems = bySlug.map((type) => [problemSchemaName(type.slug), writeAnswer(problemSchema(type))] as const);
  return Object.fromEntries([
    ...Object.entries(requestSchemas).map(([name, schema]) => [name, writeRequest(schema)] as const),
    ...Object.entries(answerSchemas).map(([name, schema]) => [name, writeAnswer(schema)] as const),
    ...problems,
    ['GatewayError', writeAnswer(gatewayError)] as const,
  ]);
}

export function writeRequest(schema: z.ZodMiniType): JsonSchema {
  const { $schema: _dialect, ...written } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return written;
}

function writeAnswer(schema: z.ZodMiniType): JsonSchema {
  const { $schema: _dialect, ...written } = z.toJSONSchema(schema, {
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      Reflect.deleteProperty(jsonSchema, 'additionalProperties');
      // Of a type of TypeScript, and no matter of an answer.
      Reflect.deleteProperty(jsonSchema, 'readOnly');
      // A word that the platform has come to use since: zod has no JSON Schema for our own check.
      if (zodSchema._zod.def.type === 'custom') jsonSchema.type = 'string';
    },
  });
  addMeanings(written);
  return written;
}

/** Of what is written: until then, properties of the same zod schema share one object, and so one meaning. */
function addMeanings(schema: z.core.JSONSchema.BaseSchema): void {
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    if (typeof property === 'object') {
      addMeanings(property);
      property.description ??= meaningOf(name);
    }
  for (const part of [schema.items, schema.anyOf].flat()) if (typeof part === 'object') addMeanings(part);
}

function meaningOf(name: string): string {
  const meaning = apiFields[name];
  if (meaning === undefined) throw new Error(`Say in field-meanings.ts what ${name} means.`);
  return meaning;
}
