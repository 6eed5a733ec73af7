import * as z from 'zod/mini';
import type { RequestOutcome } from '#functions/onboarding/accept/accept-request.ts';
import { type HttpRequest, httpRequest, idIn, readBody, refused } from '#functions/onboarding/accept/http-request.ts';
import { wholeBody } from '#functions/onboarding/accept/onboarding-request.ts';
import { remedyAtEnd } from '#functions/onboarding/accept/repeated-request.ts';
import { detailOf } from '#functions/onboarding/state-machine/change-row.ts';
import type { OnboardingAnswer } from '#shared/api/onboarding-answers.ts';
import { answer, type HttpAnswer } from '#shared/lambda/http-api.ts';
import { problem } from '#shared/lambda/problem.ts';
import { onboardingNotFound, operationImpossible, personErased } from '#shared/lambda/problem-types.ts';
import type { ListOnboardings } from '#shared/onboarding/onboarding-list.ts';
import { isErased, type OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import { stepRow } from '#shared/onboarding/onboarding-steps.ts';
import type { OnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { createAnswerList } from './list-onboardings.ts';
import type { Operation, OperationOutcome } from './operate-onboarding.ts';
import { remedyFor, unknownStatusRemedies } from './problem-remedies.ts';

/** The routes of the function, as API Gateway writes them. */
const routedRequest = z.extend(httpRequest, {
  routeKey: z.enum([
    'POST /onboardings',
    'GET /onboardings',
    'GET /onboardings/{externalId}',
    'POST /onboardings/{externalId}/cancel',
    'POST /onboardings/{externalId}/retry',
  ]),
});

type OnboardingRoute = z.infer<typeof routedRequest>['routeKey'];

export type OnboardingApiDeps = {
  readonly request: (body: unknown) => Promise<RequestOutcome>;
  readonly operate: (operation: Operation, onboardingId: string) => Promise<OperationOutcome>;
  readonly store: Pick<OnboardingStore, 'load'>;
  readonly list: ListOnboardings;
};

/**
 * The API for the partner's systems:
 *
 * - `POST /onboardings`: 202 with the onboarding; 400 with each field and what is wrong with it; 409 with the fields that
 *   differ from what was requested before, or with the remedy where the onboarding has ended; 410 where its person was erased
 * - `GET /onboardings`: 200 with a page of the list, 400 with each query parameter that is invalid
 * - `GET /onboardings/{externalId}`: 200 with the onboarding, 404, 410
 * - `POST /onboardings/{externalId}/cancel` and `/retry`, for an operator: 202, 404, 409 where it cannot be done, 410
 *
 * No answer has personal data. @throws what must be sent again, which is a 503
 */
export function createOnboardingApi({ request, operate, store, list }: OnboardingApiDeps) {
  const answerList = createAnswerList(list, viewOf);
  const routes: Readonly<Record<OnboardingRoute, (http: HttpRequest) => Promise<HttpAnswer>>> = {
    'POST /onboardings': async (http) => {
      const body = readBody(http);
      return body === undefined ? notJson : answerTo(await request(body.value));
    },
    'GET /onboardings': ({ queryStringParameters }) => answerList(queryStringParameters),
    'GET /onboardings/{externalId}': async (http) => answerWith(await store.load(idIn(http))),
    'POST /onboardings/{externalId}/cancel': async (http) => operated(http, 'cancel'),
    'POST /onboardings/{externalId}/retry': async (http) => operated(http, 'retry'),
  };

  async function operated(http: HttpRequest, operation: Operation): Promise<HttpAnswer> {
    return answerToOperation(operation, await operate(operation, idIn(http)));
  }

  return async (event: unknown): Promise<HttpAnswer> => {
    const { routeKey, ...http } = z.parse(routedRequest, event);
    return routes[routeKey](http);
  };
}

const notJson = refused({ outcome: 'INVALID', problems: [{ field: wholeBody, reason: 'must be JSON' }] });

function answerTo(outcome: RequestOutcome): HttpAnswer {
  return outcome.outcome === 'ACCEPTED' ? answer(202, viewOf(outcome.row)) : refused(outcome);
}

function answerToOperation(operation: Operation, outcome: OperationOutcome): HttpAnswer {
  if (outcome.outcome === 'NOT_FOUND') return notFound;
  if (outcome.outcome === 'ERASED') return erased;
  const view = viewOf(outcome.row);
  if (outcome.outcome === 'DONE') return answer(202, view);
  if (outcome.row.erasingOn !== undefined) return refused({ outcome: 'BEING_ERASED' });
  const done = operation === 'cancel' ? 'canceled' : 'retried';
  const { remedy, ...extensions } = view;
  return problem(operationImpossible, `An onboarding that is ${view.step} cannot be ${done}.`, { remedy, extensions });
}

function answerWith(row: Awaited<ReturnType<OnboardingStore['load']>>): HttpAnswer {
  if (row === undefined) return notFound;
  return isErased(row) ? erased : answer(200, viewOf(row));
}

const notFound = problem(onboardingNotFound, 'There is no onboarding of this externalId.');
const erased = problem(personErased, 'The person of this externalId was erased.');

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
    remedy: remedyAtEnd(row.state.step),
  };
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
