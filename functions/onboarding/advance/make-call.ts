import type { Call } from '#functions/onboarding/state-machine/decide.ts';
import { maxCallMs } from '#functions/onboarding/state-machine/timing.ts';
import type { Input } from '#functions/onboarding/state-machine/transitions.ts';
import type { OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import { type OnboardingSettings, requestorOf } from '#shared/onboarding/onboarding-settings.ts';
import type { ConflictSubject, OnboardingReason, OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import {
  PlatformError,
  PlatformHttpError,
  PlatformInputError,
  PlatformTokenError,
} from '#shared/platform/client/errors.ts';
import { isOutcomeUnknown, sendNewNaturalPerson } from '#shared/platform/resources/create-natural-person.ts';
import { createIdentificationVerification } from '#shared/platform/resources/identification-verifications.ts';
import { createNaturalPersonIdentification } from '#shared/platform/resources/natural-persons.ts';
import { failureOf, httpCode } from './platform-answers.ts';

/** The result of a call. */
export type CallOutcome = {
  readonly input: Input;
  /** In milliseconds: how long the platform wants no further call. */
  readonly retryAfter?: number | undefined;
  /** The failure of the platform, as a reason code. */
  readonly failure?: string;
  readonly error?: unknown;
};

/** Makes a call at most once, soon after it was recorded, and returns its outcome. @throws any error that is not a `PlatformError` */
export type MakeCall = (call: Call, row: OnboardingRow) => Promise<CallOutcome>;

export function createMakeCall({
  client,
  settings,
  now,
}: {
  readonly client: PlatformClient;
  readonly settings: OnboardingSettings;
  readonly now: () => Date;
}): MakeCall {
  const makers: Readonly<Record<Call, (row: OnboardingRow, deadline: number) => Promise<Input>>> = {
    'create the person': async ({ data: { person } }, deadline) => {
      if (person === undefined) return deleted('person');
      const naturalPersonId = await sendNewNaturalPerson(client, person, { deadline });
      return { type: 'PersonCreated', naturalPersonId };
    },
    'create the verification': async ({ state: { naturalPersonId = '' }, data: { redirectUrl } }, deadline) => {
      const { identificationVerificationId } = await createIdentificationVerification(
        client,
        requestorOf(naturalPersonId, settings),
        {
          naturalPersonId,
          externalVerifier: settings.externalVerifier,
          identificationType: 'VIDEO_IDENT',
          ...(redirectUrl !== undefined && { redirectUrl }),
        },
        { deadline },
      );
      return { type: 'VerificationCreated', identificationVerificationId };
    },
    'send the identification': async ({ state: { naturalPersonId = '' }, data: { identification } }, deadline) => {
      if (identification === undefined) return deleted('identification');
      const requestor = requestorOf(naturalPersonId, settings);
      const options = { deadline, today: now() };
      await createNaturalPersonIdentification(client, requestor, naturalPersonId, identification, options);
      return { type: 'IdentificationAccepted' };
    },
  };

  return async (call, row) => {
    const { intentOn } = row.state;
    const time = now().getTime();
    const deadline = maxCallMs - (intentOn === undefined ? 0 : time - Date.parse(intentOn));
    // The process was paused, so another run may have made the call by now.
    if (deadline <= 0) return { input: { type: 'CallNotTaken' } };
    try {
      return { input: await makers[call](row, deadline) };
    } catch (error) {
      return outcomeOf(error, call, row.state);
    }
  };
}

/** The data was deleted, as when the onboarding had ended before. */
function deleted(field: string): Input {
  return { type: 'CallRefused', reason: { code: 'REQUEST_DELETED', fields: [field] } };
}

/** The outcome of a failed call. @throws the error if it is not a `PlatformError` */
export function outcomeOf(error: unknown, call: Call, state: OnboardingState): CallOutcome {
  if (!(error instanceof PlatformError)) throw error;
  const retryAfter = error instanceof PlatformHttpError ? error.retryAfter : undefined;
  return { input: inputOf(error, call, state), retryAfter, failure: failureOf(error), error };
}

function inputOf(error: PlatformError, call: Call, state: OnboardingState): Input {
  if (error instanceof PlatformInputError)
    return { type: 'CallRefused', reason: { code: 'INPUT_REFUSED', fields: fieldsOfProblems(error) } };
  if (error instanceof PlatformTokenError) return { type: 'CallNotTaken' };
  if (isOutcomeUnknown(error) || !(error instanceof PlatformHttpError)) return { type: 'OutcomeUnknown' };
  return call === 'create the person' ? refusedPerson(error) : refusedIdentification(error, state);
}

function refusedPerson(error: PlatformHttpError): Input {
  return error.condition === 'CONFLICT' ? { type: 'ConflictMet', conflict: conflictOf(error) } : refused(error);
}

/** If the requestor was ACTIVE at the last read, VALIDATION_ERROR has another cause, and waiting does not help. */
function refusedIdentification(error: PlatformHttpError, { requestorWasActive }: OnboardingState): Input {
  const { condition } = error;
  if (condition === 'VALIDATION_ERROR' && !requestorWasActive)
    return { type: 'RequestorNotActive', reason: withFields('REQUESTOR_NOT_ACTIVE', error) };
  if (condition === 'VALIDATION_ERROR') return { type: 'Stopped', reason: reasonOf(error) };
  // The platform has such an identification already: the onboarding searches for it.
  if (condition === 'CONFLICT') return { type: 'OutcomeUnknown' };
  return condition === 'NOT_FOUND' ? { type: 'CallNotTaken' } : refused(error);
}

/** With these errors the platform refuses the data: no retry can fix that. */
const dataStatuses: ReadonlySet<number> = new Set([400, 413, 422]);

/** Statuses that do not depend on the call itself: the same call may succeed later. */
const temporaryStatuses: ReadonlySet<number> = new Set([401, 425, 429]);

/** An error about the caller does not end the onboarding: the platform may accept the data from another requestor, or with other rights. */
function refused(error: PlatformHttpError): Input {
  const { status, condition, isAboutCaller } = error;
  if (temporaryStatuses.has(status)) return { type: 'CallNotTaken' };
  if (!dataStatuses.has(status) || condition === 'REQUESTOR_ID_INVALID')
    return { type: 'Stopped', reason: reasonOf(error) };
  if (isAboutCaller) return { type: 'Stopped', reason: withFields('CALLER_REFUSED', error) };
  // A call without a requestor: VALIDATION_ERROR means the data.
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

/** The fields of the problems: each problem begins with its field. */
function fieldsOfProblems({ problems }: PlatformInputError): string[] {
  return problems.map((problem) => problem.slice(0, problem.indexOf(':')));
}

/**
 * What a 409 to a new person is about: the person or the externalId. Undefined for most bodies, since their shape is not specified.
 * An `errorCode` such as PERSON_EXISTS_WITH_OTHER_EXTERNAL_ID names both, and is about the person.
 */
export function conflictOf({ errorCode, errorDetails }: PlatformHttpError): ConflictSubject | undefined {
  const fields = errorDetails.map(({ field }) => field).filter((field) => field !== undefined);
  if (fields.some(isExternalId)) return 'EXTERNAL_ID';
  if (fields.length > 0) return 'PERSON';
  const codes = [errorCode, ...errorDetails.flatMap(({ errors }) => errors.map(({ code }) => code))];
  const words = codes.filter((code) => code !== undefined).map(lettersOf);
  if (words.some((code) => personWords.some((word) => code.includes(word)))) return 'PERSON';
  return words.some((code) => code.includes('externalid')) ? 'EXTERNAL_ID' : undefined;
}

function isExternalId(field: string): boolean {
  return lettersOf(field).endsWith('externalid');
}

/** Words in an `errorCode` that mean: the platform knows the natural person already. */
const personWords = [
  'otherexternalid',
  'differentexternalid',
  'personexists',
  'personalreadyexists',
  'duplicateperson',
];

/** Only the letters and digits, in lower case, so that `EXTERNAL_ID`, `externalId` and `data.external-id` compare alike. */
function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}
