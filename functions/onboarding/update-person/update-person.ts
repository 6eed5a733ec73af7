import * as z from 'zod/mini';
import {
  httpRequest,
  idIn,
  type Problem,
  problemsOf,
  readBody,
  refused,
  wholeBody,
} from '#functions/onboarding/accept/onboarding-request.ts';
import { type ApiAnswer, pointerTo, problem } from '#shared/lambda/http-api.ts';
import type { Log } from '#shared/lambda/log.ts';
import {
  invalidRequest,
  onboardingNotFound,
  personNotOnPlatform,
  platformRefused,
  requestorRefused,
} from '#shared/lambda/problem-types.ts';
import { isErased } from '#shared/onboarding/onboarding-row.ts';
import { type OnboardingSettings, requestorOf } from '#shared/onboarding/onboarding-settings.ts';
import type { OnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { PlatformError, PlatformHttpError } from '#shared/platform/client/errors.ts';
import { ownMessages, parseUntrusted } from '#shared/platform/fields/parse-untrusted.ts';
import { isOutcomeUnknown } from '#shared/platform/resources/create-natural-person.ts';
import { naturalPersonBodies } from '#shared/platform/resources/natural-person-schema.ts';
import { updateNaturalPerson } from '#shared/platform/resources/natural-persons.ts';

type UpdatePersonDeps = {
  readonly store: Pick<OnboardingStore, 'load'>;
  readonly client: PlatformClient;
  readonly settings: OnboardingSettings;
  readonly now: () => Date;
  /** In milliseconds: how long it may take, the platform's call with all its attempts included. */
  readonly deadlineMs: number;
  readonly log: Log;
};

/** In milliseconds: API Gateway waits for 30 seconds, and the function's time is over after 29. */
export const updateDeadlineMs = 24_000;

/**
 * `PATCH /onboardings/{externalId}/person`: Update natural person (section 4.1), with its fields and its documentId. Keeps
 * nothing of it: 202 says that the platform has accepted it.
 *
 * 400 with each field that is wrong, or about the whole body if the platform names no field, 404, 409 while the platform does not
 * have the person or refuses the caller, 410 if the person was erased, 502 if the platform refuses it otherwise.
 *
 * @throws errors after which the request must be sent again, which is a 503: the same update twice has the effect of one. A call to the
 * platform that takes too long is canceled while there is time to answer
 */
export function createUpdatePerson({ store, client, settings, now, deadlineMs, log }: UpdatePersonDeps) {
  const { naturalPersonUpdate } = naturalPersonBodies(client.profile);
  return async (event: unknown): Promise<ApiAnswer> => {
    const until = now().getTime() + deadlineMs;
    const http = z.parse(httpRequest, event);
    const onboardingId = idIn(http);
    const update = parseUntrusted(naturalPersonUpdate, readBody(http)?.value, ownMessages);
    if (!update.success) return invalid(problemsOf(update.error));
    if (update.data.naturalPersonUpdateData.externalId !== undefined) return invalid([keepsExternalId]);
    const row = await store.load(onboardingId);
    if (row === undefined) return problem(onboardingNotFound, 'There is no onboarding with this externalId.');
    if (isErased(row)) return refused({ outcome: 'ERASED' });
    const { naturalPersonId } = row.state;
    if (naturalPersonId === undefined)
      return problem(personNotOnPlatform, 'The platform does not have the person yet.');
    try {
      const { documentId, naturalPersonUpdateData } = update.data;
      const sent = { naturalPersonUpdateData, ...(documentId !== undefined && { documentId }) };
      const options = { timeoutMs: until - now().getTime() };
      await updateNaturalPerson(client, requestorOf(naturalPersonId, settings), naturalPersonId, sent, options);
      return { statusCode: 202 };
    } catch (error) {
      if (!(error instanceof PlatformError) || error.isRetryable || isOutcomeUnknown(error)) throw error;
      log.warn('person update refused', { onboardingId, error });
      return refusedBy(error, update.data.naturalPersonUpdateData);
    }
  };
}

const keepsExternalId: Problem = {
  field: 'naturalPersonUpdateData.externalId',
  reason: 'names the onboarding: it cannot be changed here',
};

function invalid(problems: readonly Problem[]): ApiAnswer {
  return refused({ outcome: 'INVALID', problems });
}

type CallerRefusal = { readonly reason: string; readonly detail?: string; readonly remedy: string };

/**
 * What an operator must fix about the requestor (section 5). Nothing of an update is kept: it does not continue by itself, as
 * an onboarding does.
 */
const ofRequestor: ReadonlyMap<string | undefined, CallerRefusal> = new Map([
  [
    'VALIDATION_ERROR',
    {
      reason: 'REQUESTOR_NOT_ACTIVE',
      remedy: 'The platform refuses the requestor until it is ACTIVE (section 5): send the update again then.',
    },
  ],
  [
    'REQUESTOR_ID_INVALID',
    {
      reason: 'REQUESTOR_ID_INVALID',
      remedy:
        'The requestor has no ACTIVE proxy for this person (section 5): give it one on the platform, or set another requestor in the settings file; then send the update again.',
    },
  ],
]);

const ofCaller: CallerRefusal = {
  reason: 'CALLER_REFUSED',
  detail: 'The platform refuses the caller, not the data of the update.',
  remedy:
    "The error of the platform names the Requestor-ID or the rights of the credentials. Check onboarding.requestor in the settings file, ask the platform's support which rights the credentials have, then send the update again.",
};

function refusedCaller({ reason, detail = 'The requestor may not update the person.', remedy }: CallerRefusal) {
  return problem(requestorRefused, detail, { remedy, extensions: { reason } });
}

/** The platform names the fields of its error body, and we no more than that. */
function refusedBy(error: PlatformError, data: object): ApiAnswer {
  const received = error instanceof PlatformHttpError ? error : undefined;
  const refusal = ofRequestor.get(received?.condition);
  if (refusal !== undefined) return refusedCaller(refusal);
  if (received?.condition !== 'BAD_REQUEST') {
    const reason = received?.condition ?? error.name;
    return problem(platformRefused, 'The platform refuses the update.', { extensions: { reason } });
  }
  const problems = received.errorDetails.map(({ field, errors }) => ({
    field: fieldOf(field),
    reason: errors.map(({ code }) => code).find((code) => code !== undefined) ?? isRefused,
  }));
  const sent = ['documentId', ...Object.keys(data).map(inData)];
  const namesSent = problems.some(({ field }) => sent.some((name) => `${field}.`.startsWith(`${name}.`)));
  // Where a field that was sent is named, the error is about the data: a code such as NOT_ALLOWED only sounds like rights.
  if (received.isAboutCaller && !namesSent) return refusedCaller(ofCaller);
  if (problems.some(({ field }) => field !== wholeBody)) return invalid(problems);
  const reasons = problems.length > 0 ? problems.map(({ reason }) => reason) : [received.errorCode ?? isRefused];
  return problem(invalidRequest, 'The platform refuses the data of the update, and names no field.', {
    errors: reasons.map((reason) => ({ pointer: pointerTo([]), detail: reason })),
    remedy:
      "Check the fields of the update, then send the update again. If the platform refuses them again, ask its support: the log line 'person update refused' has the error.",
  });
}

const isRefused = 'is refused by the platform';

const inData = (field: string) => `naturalPersonUpdateData.${field}`;

/** The platform names a field from the data of the person down, as `taxDetails[0].taxId`. */
function fieldOf(named: string | undefined): string {
  if (named === undefined) return wholeBody;
  const path = named.replaceAll(/\[(\d+)\]/g, '.$1');
  return /^(documentId|naturalPersonUpdateData)\b/.test(path) ? path : inData(path);
}
