import * as z from 'zod/mini';
import { type HttpAnswer, httpEventFields, pointerTo, problem, type RequestError } from '#shared/lambda/http-api.ts';
import {
  erasureUnderWay,
  invalidRequest,
  onboardingConflict,
  onboardingEnded,
  personErased,
} from '#shared/lambda/problem-types.ts';
import { onboardingIdIn } from '#shared/onboarding/onboarding-keys.ts';
import type { RequestRefusal } from './accept-request.ts';
import { hiddenName, type Problem, wholeBody } from './onboarding-request.ts';

/** The fields used of an HTTP API event, payload format 2.0. */
export const httpRequest = z.object({
  pathParameters: httpEventFields.pathParameters,
  queryStringParameters: httpEventFields.queryStringParameters,
  body: httpEventFields.body,
  isBase64Encoded: httpEventFields.isBase64Encoded,
});

export type HttpRequest = z.infer<typeof httpRequest>;

/** The onboarding that the path names. */
export function idIn({ pathParameters }: HttpRequest): string {
  return onboardingIdIn(pathParameters?.['externalId'] ?? '');
}

/** Throws if bytes are not UTF-8: a lenient decoder would change a name that has another encoding. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The value of the body; undefined if it is not JSON in UTF-8. */
export function readBody({ body = '', isBase64Encoded }: HttpRequest): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(isBase64Encoded ? utf8.decode(Buffer.from(body, 'base64')) : body) };
  } catch {
    return undefined;
  }
}

const refusals = {
  INVALID: [invalidRequest, 'The request has invalid fields.'],
  CONFLICT: [onboardingConflict, 'There is an onboarding of this externalId with other data.'],
  ENDED: [onboardingEnded, 'The onboarding of this externalId has ended.'],
  ERASED: [personErased, 'The person of this externalId was erased.'],
  BEING_ERASED: [erasureUnderWay, 'The person of this externalId is being erased.'],
} as const;

type Refusal = Omit<RequestRefusal, 'onboardingId' | 'problems'> & Partial<Pick<RequestRefusal, 'problems'>>;

/** A refusal with each field and what is wrong with it. */
export function refused({ outcome, problems = [], step, remedy }: Refusal): HttpAnswer {
  const [type, detail] = refusals[outcome];
  return problem(type, detail, { errors: problems.map(errorOf), remedy, extensions: { step } });
}

/** Splits at dots, since no name of a field has one: neither in a schema, nor as `problemsOf` shows it. */
function errorOf({ field, reason }: Problem): RequestError {
  const path = field === wholeBody ? [] : field.split('.');
  if (path.at(-1) !== hiddenName) return { pointer: pointerTo(path), detail: reason };
  return { pointer: pointerTo(path.slice(0, -1)), detail: 'has a field that does not exist' };
}
