import * as z from 'zod/mini';
import { answer, type HttpAnswer, problem } from '#shared/handler.ts';
import { httpEventFields } from '#shared/http-event.ts';
import { onboardingIdOf } from '#shared/onboarding-keys.ts';
import { isErased, type OnboardingRow } from '#shared/onboarding-row.ts';
import { stepRow } from '#shared/onboarding-steps.ts';
import type { OnboardingStore } from '#shared/onboarding-store.ts';
import { detailOf } from './onboarding-row-change.ts';
import type { Operation, OperationOutcome } from './operate.ts';
import { remedyFor } from './reasons.ts';
import { remedyAtEnd } from './repeated-request.ts';
import type { RequestOutcome, RequestRefusal } from './request.ts';

export type OnboardingApiDeps = {
  readonly request: (body: unknown) => Promise<RequestOutcome>;
  readonly operate: (operation: Operation, onboardingId: string) => Promise<OperationOutcome>;
  readonly store: Pick<OnboardingStore, 'load'>;
};

/** The fields used of an HTTP API event, payload format 2.0. */
export const httpRequest = z.object({
  routeKey: z.string(),
  pathParameters: httpEventFields.pathParameters,
  body: httpEventFields.body,
  isBase64Encoded: httpEventFields.isBase64Encoded,
});

export type HttpRequest = z.infer<typeof httpRequest>;

/**
 * The API for the partner's systems:
 *
 * - `POST /onboardings`: 202 with the onboarding; 400 with each field and what is wrong with it; 409 with the fields that
 *   differ from what was requested before, or with the remedy where the onboarding has ended; 410 where its person was erased
 * - `GET /onboardings/{externalId}`: 200 with the onboarding, 404, 410
 * - `POST /onboardings/{externalId}/cancel` and `/retry`, for an operator: 202, 404, 409 where it cannot be done, 410
 *
 * No answer has personal data. @throws what must be sent again, which is a 503
 */
export function createOnboardingApi({ request, operate, store }: OnboardingApiDeps) {
  const routes: Readonly<Record<string, (http: HttpRequest) => Promise<HttpAnswer>>> = {
    'POST /onboardings': async (http) => {
      const body = readBody(http);
      return body === undefined ? refused(notJson) : answerTo(await request(body.value));
    },
    'GET /onboardings/{externalId}': async (http) => show(await store.load(idIn(http))),
    'POST /onboardings/{externalId}/cancel': async (http) => operated(http, 'cancel'),
    'POST /onboardings/{externalId}/retry': async (http) => operated(http, 'retry'),
  };

  async function operated(http: HttpRequest, operation: Operation): Promise<HttpAnswer> {
    return answerToOperation(operation, await operate(operation, idIn(http)));
  }

  return async (event: unknown): Promise<HttpAnswer> => {
    const http = z.parse(httpRequest, event);
    const route = Object.hasOwn(routes, http.routeKey) ? routes[http.routeKey] : undefined;
    return route === undefined ? problem(404, 'There is no such operation.') : route(http);
  };
}

/** The onboarding that the path names. */
export function idIn({ pathParameters }: HttpRequest): string {
  return onboardingIdOf(pathParameters?.['externalId'] ?? '');
}

/** Throws where bytes are no UTF-8: read otherwise, a name in another encoding would be a wrong one. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What the body says; undefined where it is no JSON, which is UTF-8. */
export function readBody({ body = '', isBase64Encoded }: HttpRequest): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(isBase64Encoded ? utf8.decode(Buffer.from(body, 'base64')) : body) };
  } catch {
    return undefined;
  }
}

const notJson: RequestRefusal = {
  outcome: 'INVALID',
  onboardingId: undefined,
  problems: [{ field: 'the body', reason: 'must be JSON' }],
};

const refusals = {
  INVALID: [400, 'These fields are wrong.'],
  CONFLICT: [409, 'There is an onboarding of this externalId with other data.'],
  ENDED: [409, 'The onboarding of this externalId has ended.'],
  ERASED: [410, 'The person of this externalId was erased: use another externalId.'],
  BEING_ERASED: [
    409,
    'The person of this externalId is being erased: send DELETE /persons/{externalId} until it answers 204, then use another externalId.',
  ],
} as const;

/** A refusal with each field and what is wrong with it. */
export function refused({ outcome, problems, step, remedy }: RequestRefusal): HttpAnswer {
  const [statusCode, message] = refusals[outcome];
  return answer(statusCode, { message, step, remedy, problems });
}

function answerTo(outcome: RequestOutcome): HttpAnswer {
  return outcome.outcome === 'ACCEPTED' ? answer(202, viewOf(outcome.row)) : refused(outcome);
}

function answerToOperation(operation: Operation, outcome: OperationOutcome): HttpAnswer {
  if (outcome.outcome === 'NOT_FOUND') return notFound;
  if (outcome.outcome === 'ERASED') return erased;
  const view = viewOf(outcome.row);
  if (outcome.outcome === 'DONE') return answer(202, view);
  if (outcome.row.erasingOn !== undefined) return problem(...refusals.BEING_ERASED);
  const done = operation === 'cancel' ? 'canceled' : 'retried';
  return answer(409, { message: `The onboarding is ${view.step}: it cannot be ${done}.`, ...view });
}

function show(row: Awaited<ReturnType<OnboardingStore['load']>>): HttpAnswer {
  if (row === undefined) return notFound;
  return isErased(row) ? erased : answer(200, viewOf(row));
}

const notFound = problem(404, 'There is no onboarding of this externalId.');
const erased = problem(410, 'The person of this externalId was erased.');

/** What the partner may see of an onboarding: no personal data. */
function viewOf(row: OnboardingRow) {
  const { acceptedOn, stalledOn, identificationUrl, reasons } = row.state;
  const explained = reasons.map((reason) => ({ ...reason, remedy: remedyFor(reason.code) }));
  return {
    ...detailOf(row),
    acceptedOn,
    stalledOn,
    identificationUrl,
    reasons: explained,
    failing: failingView(row.state),
    remedy: remedyAtEnd(row.state.step),
  };
}

/** The failure that a step backs off from. Once the onboarding is STOPPED, `reasons` have it. */
function failingView({ step, failing, dueOn }: OnboardingRow['state']) {
  if (failing === undefined || step === 'STOPPED' || stepRow(step).final) return undefined;
  const { why, since, times } = failing;
  return {
    code: why,
    since,
    attempts: times,
    nextAttemptOn: dueOn,
    remedy:
      'The platform fails this step. The onboarding tries again by itself at nextAttemptOn; to try at once, send POST /onboardings/{externalId}/retry.',
  };
}
