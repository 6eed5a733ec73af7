import { failureOf, httpCode } from '#functions/onboarding/observe/call-failure.ts';
import type { Call } from '#functions/onboarding/state-machine/decisions.ts';
import type { Occurrence } from '#functions/onboarding/state-machine/observation.ts';
import type { ConflictSubject, OnboardingReason, OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import {
  PlatformError,
  PlatformHttpError,
  PlatformInputError,
  PlatformTokenError,
} from '#shared/platform/client/errors.ts';
import { isOutcomeUnknown } from '#shared/platform/resources/create-natural-person.ts';

/**
 * What a 409 to a new person is about, as far as its body says: undefined for most bodies, since their shape is not
 * specified. An `errorCode` such as PERSON_EXISTS_WITH_OTHER_EXTERNAL_ID names both.
 */
export function conflictOf({ errorCode, errorDetails }: PlatformHttpError): ConflictSubject | undefined {
  const fields = errorDetails.map(({ field }) => field).filter((field) => field !== undefined);
  if (fields.some(isExternalId)) return 'EXTERNAL_ID';
  if (fields.length > 0) return 'PERSON';
  const codes = [errorCode, ...errorDetails.flatMap(({ errors }) => errors.map(({ code }) => code))];
  const words = codes.filter((code) => code !== undefined).map(squeeze);
  if (words.some((code) => namesPerson.some((word) => code.includes(word)))) return 'PERSON';
  return words.some((code) => code.includes('externalid')) ? 'EXTERNAL_ID' : undefined;
}

function isExternalId(field: string): boolean {
  return squeeze(field).endsWith('externalid');
}

/** Words that an `errorCode` may hold where the natural person is known already. */
const namesPerson = [
  'otherexternalid',
  'differentexternalid',
  'personexists',
  'personalreadyexists',
  'duplicateperson',
];

/** The letters and digits alone, in lower case: `EXTERNAL_ID`, `externalId` and `data.external-id` are alike. */
function squeeze(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** What came of a call. */
export type CallOutcome = {
  readonly occurrence: Occurrence;
  /** In milliseconds: how long the platform wants to be left alone. */
  readonly retryAfter?: number | undefined;
  /** What the platform failed with, as a reason names it. */
  readonly failure?: string;
  readonly error?: unknown;
};

/** What has happened where a call has failed. @throws the error, where it is not the platform's */
export function outcomeOf(error: unknown, call: Call, state: OnboardingState): CallOutcome {
  if (!(error instanceof PlatformError)) throw error;
  const retryAfter = error instanceof PlatformHttpError ? error.retryAfter : undefined;
  return { occurrence: occurrenceOf(error, call, state), retryAfter, failure: failureOf(error), error };
}

function occurrenceOf(error: PlatformError, call: Call, state: OnboardingState): Occurrence {
  if (error instanceof PlatformInputError)
    return { type: 'CallRefused', reason: { code: 'INPUT_REFUSED', fields: fieldsOfProblems(error) } };
  if (error instanceof PlatformTokenError) return { type: 'CallNotTaken' };
  if (isOutcomeUnknown(error) || !(error instanceof PlatformHttpError)) return { type: 'OutcomeUnknown' };
  return call === 'create the person' ? refusedPerson(error) : refusedIdentification(error, state);
}

function refusedPerson(error: PlatformHttpError): Occurrence {
  return error.condition === 'CONFLICT' ? { type: 'ConflictMet', conflict: conflictOf(error) } : refused(error);
}

/** When the requestor was ACTIVE at the last observation, VALIDATION_ERROR has another cause: waiting does not help. */
function refusedIdentification(error: PlatformHttpError, { requestorWasActive }: OnboardingState): Occurrence {
  const { condition } = error;
  if (condition === 'VALIDATION_ERROR' && !requestorWasActive)
    return { type: 'RequestorNotActive', reason: withFields('REQUESTOR_NOT_ACTIVE', error) };
  if (condition === 'VALIDATION_ERROR') return { type: 'Stopped', reason: reasonOf(error) };
  // Something like it is there already: it is looked for.
  if (condition === 'CONFLICT') return { type: 'OutcomeUnknown' };
  return condition === 'NOT_FOUND' ? { type: 'CallNotTaken' } : refused(error);
}

/** With these errors the platform refuses the data: no retry can fix that. */
const faultsOfData: ReadonlySet<number> = new Set([400, 413, 422]);

/** A status that says nothing about the call itself: the same call may be taken later. */
const passing: ReadonlySet<number> = new Set([401, 425, 429]);

/** An error about the caller ends nothing: the same data may be taken from another requestor, or with other rights. */
function refused(error: PlatformHttpError): Occurrence {
  const { status, condition, isAboutCaller } = error;
  if (passing.has(status)) return { type: 'CallNotTaken' };
  if (!faultsOfData.has(status) || condition === 'REQUESTOR_ID_INVALID')
    return { type: 'Stopped', reason: reasonOf(error) };
  if (isAboutCaller) return { type: 'Stopped', reason: withFields('CALLER_REFUSED', error) };
  // A call without a requestor: the word stands for the data.
  return {
    type: 'CallRefused',
    reason: condition === 'VALIDATION_ERROR' ? withFields('BAD_REQUEST', error) : reasonOf(error),
  };
}

function reasonOf(error: PlatformHttpError): OnboardingReason {
  return withFields(error.condition ?? httpCode(error.status), error);
}

function withFields(code: string, { errorDetails }: PlatformHttpError): OnboardingReason {
  const fields = errorDetails.map(({ field }) => field).filter((field) => field !== undefined);
  return { code, ...(fields.length > 0 && { fields }) };
}

/** A problem begins with its field. */
function fieldsOfProblems({ problems }: PlatformInputError): string[] {
  return problems.map((problem) => problem.slice(0, problem.indexOf(':')));
}
