import * as z from 'zod/mini';
import type { onboardingProblem } from '#shared/onboarding/onboarding-event.ts';
import { httpsUrl, words } from '#shared/platform/fields/fields.ts';
import { ownMessages, parseUntrusted } from '#shared/platform/fields/parse-untrusted.ts';
import { notAllowed } from '#shared/platform/profile/additional-fields.ts';
import {
  type IdentificationProfile,
  identificationFieldsOf,
  identificationRules,
} from '#shared/platform/resources/natural-person-identification.ts';
import { naturalPersonBodies, type PersonFields } from '#shared/platform/resources/natural-person-schema.ts';

/** The id of the person in the partner's system (section 2.4), as it can stand in `/onboardings/{externalId}`. */
export const externalId = words().check(
  z.refine((id) => /^[^\p{Cc}/\\]+$/u.test(id), 'must have no slashes and no control characters'),
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
