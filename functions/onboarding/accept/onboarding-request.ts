import * as z from 'zod/mini';
import { changesPath } from '#shared/api/request-path.ts';
import { type ApiAnswer, httpEventFields, pointerTo, problem, type RequestError } from '#shared/lambda/http-api.ts';
import {
  erasureUnderWay,
  invalidRequest,
  onboardingConflict,
  onboardingEnded,
  personErased,
} from '#shared/lambda/problem-types.ts';
import type { onboardingProblem } from '#shared/onboarding/onboarding-event.ts';
import { onboardingIdIn } from '#shared/onboarding/onboarding-keys.ts';
import type { OnboardingStep } from '#shared/onboarding/onboarding-steps.ts';
import { httpsUrl, words } from '#shared/platform/fields/fields.ts';
import { ownMessages, parseUntrusted } from '#shared/platform/fields/parse-untrusted.ts';
import { notAllowed } from '#shared/platform/profile/additional-fields.ts';
import {
  type IdentificationProfile,
  identificationFieldsOf,
  identificationRules,
} from '#shared/platform/resources/natural-person-identification.ts';
import { naturalPersonBodies, type PersonFields } from '#shared/platform/resources/natural-person-schema.ts';

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

/** The id of the person in the partner's system (section 2.4), as it can stand in `/onboardings/{externalId}`. */
export const externalId = words().check(
  z.refine(
    (id) => !changesPath(id) && !/\p{Cc}/u.test(id),
    'must have no slashes, no ?, # or %, and no control characters',
  ),
  z.refine((id) => !/^\.{1,2}$/.test(id), 'must not be . or ..'),
  z.refine((id) => !id.startsWith('onboardingId:'), 'must not begin with onboardingId:'),
);

const isMode = { error: 'must be video, supplied or none' };

const byVideo = z.strictObject({ mode: z.literal('video'), redirectUrl: z.optional(httpsUrl) });
const withoutIdentification = z.strictObject({ mode: z.literal('none') });

/** The parts of the profile that a request depends on. */
export type RequestProfile = PersonFields & IdentificationProfile;

/** The body of `POST /onboardings`, and the detail of `OnboardingRequested`, as it may be sent at this time. */
export function onboardingRequest(now: Date, profile: RequestProfile) {
  const { sentFields, times } = profile;
  const supplied = z.extend(identificationFieldsOf(sentFields), { mode: z.literal('supplied') });
  return z.strictObject({
    externalId,
    /** The writable fields of section 2.4, and those that the platform profile allows. */
    person: naturalPersonBodies(profile).requestedPerson,
    identification: z.discriminatedUnion(
      'mode',
      [byVideo, supplied.check(identificationRules(now, times)), withoutIdentification],
      isMode,
    ),
  });
}

export type OnboardingRequest = z.output<ReturnType<typeof onboardingRequest>>;

/** A field, and what is wrong with it; never its value. */
export type Problem = Readonly<z.output<typeof onboardingProblem>>;

/** The field of a problem that the body as a whole has. */
export const wholeBody = 'the body';

/** What was requested; or each field that is wrong. */
export type CheckedRequest =
  | { readonly request: OnboardingRequest }
  | { readonly problems: readonly Problem[]; readonly externalId: string | undefined };

export function checkRequest(body: unknown, now: Date, profile: RequestProfile): CheckedRequest {
  const result = parseUntrusted(onboardingRequest(now, profile), body, ownMessages);
  if (result.success) return { request: result.data };
  const named = z.object({ externalId }).safeParse(body);
  return { problems: problemsOf(result.error), externalId: named.success ? named.data.externalId : undefined };
}

/** A body can have a problem at each of its bytes, and an entry of EventBridge takes 256 KB. */
const maxProblems = 100;

/** The fields that a schema refuses: the first 100 problems. */
export function problemsOf({ issues }: Pick<z.core.$ZodError, 'issues'>): readonly Problem[] {
  const problems = issues.slice(0, maxProblems).flatMap((issue) => {
    const field = issue.path.map(String).join('.');
    if (issue.code !== 'unrecognized_keys') return [{ field: field || wholeBody, reason: issue.message }];
    return issue.keys.slice(0, maxProblems).map((key) => ({
      field: [...issue.path.map(String), nameOf(key)].join('.'),
      reason: issue.message === notAllowed ? notAllowed : 'is not a field',
    }));
  });
  return problems.slice(0, maxProblems);
}

/** The last name of a field whose name is not shown. */
export const hiddenName = '?';

/** A caller may send a value instead of a name: the value must not reach a log. */
function nameOf(key: string): string {
  return /^[A-Za-z]\w{0,63}$/.test(key) ? key : hiddenName;
}

/** A request that is not accepted. */
export type RequestRefusal = {
  /**
   * INVALID: fields are wrong. CONFLICT: there is an onboarding of the externalId, with other data. ENDED: there is one that
   * has ended and a request does not restart it. ERASED: there was one, whose person was erased. BEING_ERASED: an erasure
   * of its person has begun, and has not ended.
   */
  readonly outcome: 'INVALID' | 'CONFLICT' | 'ENDED' | 'ERASED' | 'BEING_ERASED';
  /** Undefined if the request names no externalId. */
  readonly onboardingId: string | undefined;
  readonly problems: readonly Problem[];
  /** The step of the onboarding that is there. */
  readonly step?: OnboardingStep;
  /** What the caller can do next. */
  readonly remedy?: string;
};

const refusals = {
  INVALID: [invalidRequest, 'The request has invalid fields.'],
  CONFLICT: [onboardingConflict, 'An onboarding with this externalId exists, with different data.'],
  ENDED: [onboardingEnded, 'The onboarding with this externalId has ended.'],
  ERASED: [personErased, 'The person with this externalId was erased.'],
  BEING_ERASED: [erasureUnderWay, 'The person with this externalId is being erased.'],
} as const;

type Refusal = Omit<RequestRefusal, 'onboardingId' | 'problems'> & Partial<Pick<RequestRefusal, 'problems'>>;

/** A refusal with each field and what is wrong with it. */
export function refused({ outcome, problems = [], step, remedy }: Refusal): ApiAnswer {
  const [type, detail] = refusals[outcome];
  return problem(type, detail, { errors: problems.map(errorOf), remedy, extensions: { step } });
}

/** Splits at dots, since no name of a field has one: neither in a schema, nor as `problemsOf` shows it. */
function errorOf({ field, reason }: Problem): RequestError {
  const path = field === wholeBody ? [] : field.split('.');
  if (path.at(-1) !== hiddenName) return { pointer: pointerTo(path), detail: reason };
  return { pointer: pointerTo(path.slice(0, -1)), detail: 'has a field that does not exist' };
}
