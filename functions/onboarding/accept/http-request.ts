import * as z from 'zod/mini';
import { answer, type HttpAnswer } from '#shared/lambda/handler.ts';
import { httpEventFields } from '#shared/lambda/http-event.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import type { RequestRefusal } from './accept-request.ts';

/** The fields used of an HTTP API event, payload format 2.0. */
export const httpRequest = z.object({
  routeKey: z.string(),
  pathParameters: httpEventFields.pathParameters,
  body: httpEventFields.body,
  isBase64Encoded: httpEventFields.isBase64Encoded,
});

export type HttpRequest = z.infer<typeof httpRequest>;

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

export const refusals = {
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
