import * as z from 'zod/mini';
import { externalId } from '#functions/onboarding/accept/onboarding-request.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';
import { entityId } from '#shared/entities/place-event.ts';
import { type ApiAnswer, httpEventFields, optionalField, problem } from '#shared/lambda/http-api.ts';
import {
  idsOfOthers,
  invalidQuery,
  invalidRequest,
  onboardingOpen,
  personNotNamed,
  personUnknown,
} from '#shared/lambda/problem-types.ts';
import { onboardingIdIn } from '#shared/onboarding/onboarding-keys.ts';
import { isErased } from '#shared/onboarding/onboarding-row.ts';
import type { OnboardingReason, OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { stepRow } from '#shared/onboarding/onboarding-steps.ts';
import type { LoadedOnboarding } from './erasure-mark.ts';

/** The state of the onboarding; undefined if there is none, or it is erased. */
export function stateOf(row: LoadedOnboarding): OnboardingState | undefined {
  return row === undefined || isErased(row) ? undefined : row.state;
}

/**
 * Whether the platform has another person under the externalId of the onboarding, as far as is known. Once its erasure has begun: whether
 * that keeps the other person.
 */
export function isOfAnother(row: LoadedOnboarding): boolean {
  if (row !== undefined && (isErased(row) || row.erasingOn !== undefined)) return row.isOfAnother === true;
  const { step, reasons = [], isExternalIdOfAnother } = stateOf(row) ?? {};
  if (isExternalIdOfAnother === true) return true;
  // Of rows that an earlier release wrote.
  const isReason = ({ code, source }: OnboardingReason) => code === externalIdOfAnother && source === undefined;
  return step === 'FAILED' && reasons.some(isReason);
}

const externalIdOfAnother = 'EXTERNAL_ID_OF_ANOTHER_PERSON';

/** The person whom a request asks to erase. */
export type ErasureSubject = {
  /** The entities of the person and of its verifications. */
  readonly keys: readonly EntityKey[];
  /** Whether an event of the person is stored. */
  readonly isStored: boolean;
};

/**
 * Why the person of the path cannot be erased in the current state of its onboarding; undefined if the person can.
 *
 * @param isOnboardingOnly whether the request asks for the onboarding and no person: then no person must be known
 */
export function refusalOf(
  row: LoadedOnboarding,
  { keys, isStored }: ErasureSubject,
  isOnboardingOnly: boolean,
): ApiAnswer | undefined {
  if (isOnboardingOnly) return openRefusalOf(row);
  const onboarding = stateOf(row);
  if (row === undefined && keys.length === 0 && !isStored)
    return problem(personUnknown, 'Nothing is known of this externalId, and the request names no person.');
  const isKnown = keys.some(({ kind }) => kind === 'natural-person');
  if (onboarding !== undefined && stepRow(onboarding.step).final && !isKnown && mayHavePerson(onboarding))
    return problem(personNotNamed, isOfAnother(row) ? `${mustBeNamed} ${foreign}` : mustBeNamed);
  return openRefusalOf(row);
}

/** Why an onboarding cannot be erased: an open one would create the erased data again. */
export function openRefusalOf(row: LoadedOnboarding): ApiAnswer | undefined {
  const { step } = stateOf(row) ?? {};
  if (step === undefined || stepRow(step).final) return undefined;
  return problem(onboardingOpen, `The onboarding is ${step}.`);
}

/** The onboardings and persons which show that the ids of the request belong to different persons. */
export type OtherOwners = { readonly onboardingIds: readonly string[]; readonly naturalPersonIds: readonly string[] };

/**
 * Why ids of the request are not erased together; undefined if nothing shows that they belong to different persons.
 *
 * @param isForeign whether one of the persons is the other person of an onboarding's externalId
 */
export function othersRefusal(
  { onboardingIds, naturalPersonIds }: OtherOwners,
  isForeign: boolean,
): ApiAnswer | undefined {
  if (onboardingIds.length + naturalPersonIds.length === 0) return undefined;
  const extensions = { onboardingIds, naturalPersonIds };
  return problem(idsOfOthers, isForeign ? foreign : ofOthers, { extensions });
}

const ofOthers = 'An onboarding or a stored event gives the ids of the request to others as well.';

const foreign =
  'The externalId is that of another person. To erase the onboarding only, name its own id by onboardingId.';

const mustBeNamed = 'The onboarding ended before Drawbridge knew the person, whom the platform may have.';

/** Whether a create was sent and its outcome is unknown, or the onboarding had a person before its restart. */
function mayHavePerson({ step, intentOn, hasUnknownCreate, mustSeek }: OnboardingState): boolean {
  return mustSeek || hasUnknownCreate === true || (intentOn !== undefined && step !== 'FAILED');
}

/** API Gateway joins the values of a repeated parameter with commas. */
const list = (id: z.ZodMiniType<string, string>) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.split(',')),
    ),
    z.array(id).check(z.maxLength(100)),
  );

const digest = z.string().check(z.regex(/^[\da-f]{64}$/));

/** An externalId as `POST /onboardings` takes it, or `onboardingId:` with the id of an onboarding. */
const person = z.pipe(
  z.union([externalId, z.string().check(z.regex(/^onboardingId:[\da-f]{64}$/))]),
  z.transform(onboardingIdIn),
);

/** The fields used of an HTTP API event, payload format 2.0. */
export const erasure = z.object({
  routeKey: z.enum(['DELETE /persons/{externalId}', 'GET /persons/{externalId}']),
  pathParameters: z.object({ externalId: person }),
  queryStringParameters: optionalField(
    z.object({
      naturalPersonId: optionalField(list(entityId)),
      identificationVerificationId: optionalField(list(entityId)),
      onboardingId: optionalField(list(digest)),
      /** Of callers of 0.2.0. Until 0.4.0. */
      continueFrom: optionalField(z.string()),
      /** Only of `GET`: the answer then has what the onboardings still store of their requests. */
      request: optionalField(z.literal('include')),
    }),
  ),
  requestContext: httpEventFields.requestContext,
});

const expected: Readonly<Record<string, string>> = {
  naturalPersonId: 'must be up to 100 ids of the platform, with commas in between',
  identificationVerificationId: 'must be up to 100 ids of the platform, with commas in between',
  onboardingId: 'must be up to 100 ids of onboardings, with commas in between',
  request: 'must be include',
};

/** The answer to a path or to query parameters of another form. @throws if the event does not come from API Gateway */
export function invalidErasure(error: z.core.$ZodError): ApiAnswer {
  if (error.issues.some(({ path: [part, name] }) => part === 'pathParameters' && name === 'externalId'))
    return problem(invalidRequest, 'The externalId in the path is not valid.', { remedy: pathRemedy });
  const names = new Set(error.issues.map(({ path: [part, name] }) => (part === 'queryStringParameters' ? name : '')));
  const errors = [...names].map((name = '') => {
    const parameter = String(name);
    const detail = Object.hasOwn(expected, parameter) ? expected[parameter] : undefined;
    if (detail === undefined) throw error;
    return { parameter, detail };
  });
  return problem(invalidQuery, 'The query parameters cannot be read.', { errors });
}

const pathRemedy =
  'Send the externalId as POST /onboardings takes it, percent-encoded, or onboardingId: with the 64 hex digits of the id of the onboarding.';

/** The query parameters: the ids that the request names besides the externalId. */
export type ErasureQuery = NonNullable<z.output<typeof erasure>['queryStringParameters']>;

/** All entities of the person that the onboarding or the request names. */
export function keysOf(onboarding: OnboardingState | undefined, named: ErasureQuery): readonly EntityKey[] {
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
