import * as z from 'zod/mini';
import type { EntityKey } from '#shared/entities/entity-row.ts';
import { entityId } from '#shared/entities/place-event.ts';
import type { HttpAnswer } from '#shared/lambda/http-answer.ts';
import { optionalField } from '#shared/lambda/http-event.ts';
import { problem } from '#shared/lambda/problem.ts';
import { invalidQuery } from '#shared/lambda/problem-types.ts';
import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { isPlace } from './erase-events.ts';

/** API Gateway hands over what is given more than once with commas in between. */
const entityIds = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.split(',')),
  ),
  z.array(entityId).check(z.maxLength(100)),
);

/** The fields used of an HTTP API event, payload format 2.0. */
export const erasure = z.object({
  pathParameters: z.object({ externalId: z.string().check(z.minLength(1)) }),
  queryStringParameters: optionalField(
    z.object({
      naturalPersonId: optionalField(entityIds),
      identificationVerificationId: optionalField(entityIds),
      continueFrom: optionalField(z.string().check(z.refine(isPlace))),
    }),
  ),
});

const expected: Readonly<Record<string, string>> = {
  naturalPersonId: 'must be up to 100 ids of the platform, with commas in between',
  identificationVerificationId: 'must be up to 100 ids of the platform, with commas in between',
  continueFrom: 'must be what a 202 answered',
};

/** The answer to query parameters of another form. @throws where the event is none of API Gateway */
export function invalidErasure(error: z.core.$ZodError): HttpAnswer {
  const names = new Set(error.issues.map(({ path: [part, name] }) => (part === 'queryStringParameters' ? name : '')));
  const errors = [...names].map((name = '') => {
    const parameter = String(name);
    const detail = Object.hasOwn(expected, parameter) ? expected[parameter] : undefined;
    if (detail === undefined) throw error;
    return { parameter, detail };
  });
  return problem(invalidQuery, 'The query parameters cannot be read.', { errors });
}

/** What the caller names beside the externalId, and where the erasure continues. */
export type Named = NonNullable<z.output<typeof erasure>['queryStringParameters']>;

/** From the beginning: of what was looked through some may be theirs. */
export function withUnnamed({ continueFrom, ...named }: Named, unnamed: readonly EntityKey[]): Named {
  const idsOf = (kind: EntityKey['kind'], ids: readonly string[] | null | undefined) => {
    const all = [...(ids ?? []), ...unnamed.filter((key) => key.kind === kind).map(({ id }) => id)];
    return all.length === 0 ? undefined : all;
  };
  return {
    naturalPersonId: idsOf('natural-person', named.naturalPersonId),
    identificationVerificationId: idsOf('identification-verification', named.identificationVerificationId),
  };
}

/** Everything that the onboarding, or the caller, knows of the person. */
export function keysOf(onboarding: OnboardingState | undefined, named: Named): readonly EntityKey[] {
  const {
    naturalPersonId,
    identificationVerificationId,
    formerPersonIds = [],
    formerVerificationIds = [],
  } = onboarding ?? {};
  const persons = [naturalPersonId ?? [], formerPersonIds, named.naturalPersonId ?? []].flat();
  const verifications = [
    identificationVerificationId ?? [],
    formerVerificationIds,
    named.identificationVerificationId ?? [],
  ].flat();
  return [
    ...[...new Set(persons)].map((id) => ({ kind: 'natural-person', id }) as const),
    ...[...new Set(verifications)].map((id) => ({ kind: 'identification-verification', id }) as const),
  ];
}
