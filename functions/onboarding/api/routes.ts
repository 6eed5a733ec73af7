import * as z from 'zod/mini';
import { type RequestOutcome, remedyAtEnd } from '#functions/onboarding/accept/accept-request.ts';
import {
  type HttpRequest,
  httpRequest,
  idIn,
  readBody,
  refused,
  wholeBody,
} from '#functions/onboarding/accept/onboarding-request.ts';
import { detailOf } from '#functions/onboarding/state-machine/evolve.ts';
import { concealLink } from '#shared/api/conceal-link.ts';
import type {
  OnboardingAnswer,
  OnboardingListAnswer,
  OnboardingProgressAnswer,
} from '#shared/api/onboarding-answers.ts';
import { type ApiAnswer, answer, problem } from '#shared/lambda/http-api.ts';
import {
  listTime,
  orderedRange,
  pageAnswer,
  pageParameters,
  type QueryParameters,
  readListRequest,
} from '#shared/lambda/list-request.ts';
import { onboardingNotFound, operationImpossible, personErased } from '#shared/lambda/problem-types.ts';
import { isErased, type ListedOnboarding, type OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import type { OnboardingReason, OnboardingState, UnknownStatus } from '#shared/onboarding/onboarding-state.ts';
import { onboardingStepWords, stepRow } from '#shared/onboarding/onboarding-steps.ts';
import type { ListOnboardings, OnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import type { Operation, OperationOutcome } from './operate-onboarding.ts';

/** The failures of the platform that repeated until the onboarding stopped. */
const failures: Readonly<Record<string, string>> = {
  NO_ANSWER: 'The platform has not answered in time for hours. Retry once it answers again.',
  NO_CONNECTION:
    'The connection to the platform has failed for hours. Check platform.baseUrl in the settings file, and the network; then retry.',
  UNREADABLE_ANSWER:
    'The answers of the platform have not been what the specification shows, for hours. Ask its support, or change platformProfile in the settings file; then retry.',
  NO_TOKEN: 'There has been no valid token for hours. Read the log and the alarms of Refresh, then retry.',
  HTTP_401:
    'The platform has refused the token for hours. Read the log and the alarms of Refresh, ask its support about the credentials, then retry.',
  HTTP_404:
    'The platform has answered 404 for hours. Ask its support whether it still has the person, and check platform.baseUrl in the settings file; then retry.',
  HTTP_409:
    'The platform has answered 409 for hours, and does not show what it has already. Ask its support what it has for this person; then retry.',
  HTTP_429:
    'The platform has taken no more requests for hours. Ask its support about its limits, or lower onboardingConcurrency in the settings file; then retry.',
};

/** For any other status. */
const anyStatus = 'The platform answers with this status. Ask its support, and retry once it works again.';

/** What an operator can do if an onboarding does not continue. */
export const remedies: Readonly<Record<string, string>> = {
  REQUESTOR_ID_INVALID:
    'The requestor has no ACTIVE proxy for this person (section 5): give it one on the platform, or set another requestor in the settings file; then retry.',
  REQUESTOR_NOT_ACTIVE:
    'The platform refuses any requestor that is not ACTIVE (section 5). With onboarding.requestor "self" a person can become ACTIVE only by another identification. Set onboarding.requestor in the settings file to an ACTIVE person that has a proxy for each new person, deploy, then retry. With such a requestor, have the platform make it ACTIVE: the onboarding then continues by itself.',
  VALIDATION_ERROR:
    'The platform refuses the identification although the requestor was ACTIVE, so another requestor does not help: ask its support what it refuses, then retry.',
  EXTERNAL_ID_TAKEN:
    'The platform refuses the externalId, and shows no person with it: a person that is no longer shown used it, for example one found INVALID. Onboard the person under another externalId, or ask its support.',
  PERSON_HAS_ANOTHER_EXTERNAL_ID:
    'The platform knows this natural person under another externalId. Find the onboarding of the same person, and continue with that one; another externalId would be refused as well. If it is someone else, ask its support, then retry.',
  CONFLICT_UNEXPLAINED:
    'The platform refuses the person with 409 and shows no person with this externalId: the externalId was used before, or the person is known under another one. Ask its support which; then onboard the person under another externalId, continue with the onboarding that has the person, or retry.',
  EXTERNAL_ID_OF_ANOTHER_PERSON:
    'The externalId is that of another person on the platform: it differs in the fields named. Onboard the person under another externalId.',
  NOT_FOUND:
    'The platform does not know the path of the call: check platform.baseUrl in the settings file, then retry.',
  PERSON_NOT_FOUND:
    'The platform no longer shows the person, for example because it was INVALID for 48 hours. Ask its support; then retry, or cancel.',
  VERIFICATION_NOT_FOUND:
    'The platform no longer shows the identification verification. Ask its support; then retry for another video call, or cancel.',
  CALLER_REFUSED:
    'The platform refuses the caller, not the data: its error names the Requestor-ID or the rights of the credentials. Check onboarding.requestor in the settings file, ask the support of the platform which rights the credentials have, then retry.',
  FORBIDDEN: 'The platform does not allow the call: ask its support about the credentials, then retry.',
  NOT_IMPLEMENTED:
    'The platform does not support this verifier or identification type (section 2.5): set another externalVerifier in the settings file, then retry.',
  BAD_REQUEST: 'The platform refuses the data, in the fields named: request it again with other data.',
  INPUT_REFUSED: 'The data breaks a rule of the specification, in the fields named: request it again with other data.',
  REQUEST_DELETED: 'The data that the onboarding needs was deleted when it ended. Send the request again.',
  ...failures,
};

/** What an operator can do if the platform shows a status that no setting explains. */
const unknownStatusRemedies: Readonly<Record<UnknownStatus['kind'], string>> = {
  'natural-person':
    'No setting explains this status of the person, so the onboarding waits. Ask the platform what the status means, and declare it in platformProfile.statuses of the settings file. The onboarding continues by itself once the person has a status of the specification.',
  'identification-verification':
    'No setting explains this status of the verification, so the onboarding waits. Ask the platform what the status means, add it to the list success, failure or waiting of platformProfile.verificationWords in the settings file, and deploy. The onboarding then continues by itself.',
};

const ofThePlatform =
  'The platform gave this code. For its text, find the event in the timeline of the person or verification, and read the body.';

const notIdentified = 'The video call did not identify the person: retry for another one.';
const activeWithoutIdentification =
  'The video call did not identify the person, but the platform has made the person ACTIVE. Ask its support whether the person is to be identified again.';

/**
 * How to fix what a reason says. A code of the platform may equal one of our codes, with another meaning.
 *
 * @param step of the onboarding
 */
export function remedyFor({ code, source }: OnboardingReason, step: OnboardingState['step']): string {
  if (source === 'platform') return ofThePlatform;
  if (code.startsWith('IDENTIFICATION_')) return step === 'COMPLETED' ? activeWithoutIdentification : notIdentified;
  const own = Object.hasOwn(remedies, code) ? remedies[code] : undefined;
  if (own !== undefined) return own;
  return code.startsWith('HTTP_') ? anyStatus : ofThePlatform;
}

/** The query parameters of `GET /onboardings`. */
export const onboardingListParameters = z
  .strictObject({
    ...pageParameters,
    step: z.optional(z.enum(onboardingStepWords, { error: 'must be a step that the reference names' })),
    updatedFrom: z.optional(listTime),
    updatedTo: z.optional(listTime),
  })
  .check(orderedRange('updatedFrom', 'updatedTo'));

/**
 * Answers `GET /onboardings`: 200 with a page, 400 with each query parameter that is invalid. No item has the link of a video call.
 *
 * @param viewOf what the partner may see of an onboarding
 */
export function createAnswerList(list: ListOnboardings, viewOf: (onboarding: ListedOnboarding) => OnboardingAnswer) {
  return async (query: QueryParameters): Promise<ApiAnswer> => {
    const request = readListRequest('onboardings', onboardingListParameters, query);
    if (request.refusal !== undefined) return request.refusal;
    const { limit, cursor: _, ...filter } = request.parameters;
    const { rows, next } = await list({ filter, limit, after: request.after });
    const items = rows.map((row) => ({ ...concealLink(viewOf(row)), updatedOn: row.updatedOn }));
    return pageAnswer<OnboardingListAnswer>({ items, nextCursor: request.cursorAt(next) });
  };
}

/** The routes of the function, as API Gateway writes them. */
const routedRequest = z.extend(httpRequest, {
  routeKey: z.enum([
    'POST /onboardings',
    'GET /onboardings',
    'GET /onboardings/{externalId}',
    'GET /onboardings/{externalId}/progress',
    'POST /onboardings/{externalId}/cancel',
    'POST /onboardings/{externalId}/retry',
  ]),
});

type OnboardingRoute = z.infer<typeof routedRequest>['routeKey'];

/**
 * The API for the partner's systems:
 *
 * - `POST /onboardings`: 202 with the onboarding; 400 with each field and what is wrong with it; 409 with the fields that
 *   differ from what was requested before, or with the remedy if the onboarding has ended; 410 if its person was erased
 * - `GET /onboardings`: 200 with a page of the list, 400 with each query parameter that is invalid
 * - `GET /onboardings/{externalId}`: 200 with the onboarding, 404, 410
 * - `GET /onboardings/{externalId}/progress`: the same without the link of the video call, for callers who may not take the call
 * - `POST /onboardings/{externalId}/cancel` and `/retry`, for an operator: 202, 404, 409 if it cannot be done, 410
 *
 * No answer has personal data. @throws errors after which the request must be sent again, which is a 503
 */
export function createOnboardingApi({
  request,
  operate,
  store,
  list,
}: {
  readonly request: (body: unknown) => Promise<RequestOutcome>;
  readonly operate: (operation: Operation, onboardingId: string) => Promise<OperationOutcome>;
  readonly store: Pick<OnboardingStore, 'load'>;
  readonly list: ListOnboardings;
}) {
  const answerList = createAnswerList(list, viewOf);
  const routes: Readonly<Record<OnboardingRoute, (http: HttpRequest) => Promise<ApiAnswer>>> = {
    'POST /onboardings': async (http) => {
      const body = readBody(http);
      return body === undefined ? notJson : answerTo(await request(body.value));
    },
    'GET /onboardings': ({ queryStringParameters }) => answerList(queryStringParameters),
    'GET /onboardings/{externalId}': async (http) => answerWith(await store.load(idIn(http)), viewOf),
    'GET /onboardings/{externalId}/progress': async (http) =>
      answerWith(await store.load(idIn(http)), (row) => concealLink(viewOf(row))),
    'POST /onboardings/{externalId}/cancel': async (http) => operated(http, 'cancel'),
    'POST /onboardings/{externalId}/retry': async (http) => operated(http, 'retry'),
  };

  async function operated(http: HttpRequest, operation: Operation): Promise<ApiAnswer> {
    return answerToOperation(operation, await operate(operation, idIn(http)));
  }

  return async (event: unknown): Promise<ApiAnswer> => {
    const { routeKey, ...http } = z.parse(routedRequest, event);
    return routes[routeKey](http);
  };
}

const notJson = refused({ outcome: 'INVALID', problems: [{ field: wholeBody, reason: 'must be JSON' }] });

function answerTo(outcome: RequestOutcome): ApiAnswer {
  return outcome.outcome === 'ACCEPTED' ? answer(202, viewOf(outcome.row)) : refused(outcome);
}

function answerToOperation(operation: Operation, outcome: OperationOutcome): ApiAnswer {
  if (outcome.outcome === 'NOT_FOUND') return notFound;
  if (outcome.outcome === 'ERASED') return erased;
  const view = viewOf(outcome.row);
  if (outcome.outcome === 'DONE') return answer(202, view);
  const { remedy, ...extensions } = view;
  if (outcome.outcome === 'IDENTIFICATION_DELETED')
    return problem(
      operationImpossible,
      'The identification that a retry needs was deleted when the onboarding ended.',
      {
        remedy: 'Send the request again: the onboarding starts again.',
        extensions,
      },
    );
  if (outcome.row.erasingOn !== undefined) return refused({ outcome: 'BEING_ERASED' });
  const done = operation === 'cancel' ? 'canceled' : 'retried';
  return problem(operationImpossible, `An onboarding that is ${view.step} cannot be ${done}.`, { remedy, extensions });
}

function answerWith(
  row: Awaited<ReturnType<OnboardingStore['load']>>,
  show: (row: OnboardingRow) => OnboardingAnswer | OnboardingProgressAnswer,
): ApiAnswer {
  if (row === undefined) return notFound;
  return isErased(row) ? erased : answer(200, show(row));
}

const notFound = problem(onboardingNotFound, 'There is no onboarding with this externalId.');
const erased = problem(personErased, 'The person with this externalId was erased.');

/** What the partner may see of an onboarding: no personal data. */
function viewOf(row: Pick<OnboardingRow, 'onboardingId' | 'version' | 'state'>): OnboardingAnswer {
  const { acceptedOn, stalledOn, identificationUrl, reasons, unknownStatus } = row.state;
  const explained = reasons.map((reason) => ({ ...reason, remedy: remedyFor(reason, row.state.step) }));
  return {
    ...detailOf(row),
    acceptedOn,
    stalledOn,
    identificationUrl,
    reasons: explained,
    unknownStatus: unknownStatus && { ...unknownStatus, remedy: unknownStatusRemedies[unknownStatus.kind] },
    failing: failingView(row.state),
    remedy: remedyAtEnd(row.state.step) ?? remedyWithoutIdentification(row.state),
  };
}

/** What an onboarding waits for that leaves the identification to the partner. */
function remedyWithoutIdentification({ step, mode }: OnboardingState): string | undefined {
  return step === 'AWAITING_ACTIVATION' && mode === 'none'
    ? 'With the mode none, your system identifies the person with the platform. The onboarding waits until the platform shows the person ACTIVE.'
    : undefined;
}

/** The failure that a step backs off from. Once the onboarding is STOPPED, `reasons` have it. */
function failingView({ step, failing, dueOn }: OnboardingRow['state']): OnboardingAnswer['failing'] {
  if (failing === undefined || step === 'STOPPED' || stepRow(step).final) return undefined;
  const { why, since, times } = failing;
  return {
    code: why,
    since,
    attempts: times,
    nextAttemptOn: dueOn,
    remedy:
      'The platform fails this step. The onboarding tries again by itself at nextAttemptOn; to try immediately, send POST /onboardings/{externalId}/retry.',
  };
}
