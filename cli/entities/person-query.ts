import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { requestPath } from '#cli/command/request-url.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { erasureAnswer } from '#shared/api/onboarding-answers.ts';
import { onboardingIdIn } from '#shared/onboarding/onboarding-keys.ts';

/** The query parameters of `GET` and `DELETE /persons/{externalId}`. */
export type PersonQuery = Readonly<
  Record<'naturalPersonId' | 'identificationVerificationId' | 'onboardingId', string | undefined>
> & {
  /** Only of `GET`: the answer has what the onboardings still hold of their requests. */
  readonly request?: 'include';
};

/** The ids of a person that no onboarding knows, and other onboardings of the same person. */
export type PersonIds = Readonly<Record<'naturalPersons' | 'verifications' | 'onboardings', readonly string[]>>;

/** The ids as query parameters. */
export function personQueryOf({ naturalPersons, verifications, onboardings }: PersonIds): PersonQuery {
  return {
    naturalPersonId: naturalPersons.join(',') || undefined,
    identificationVerificationId: verifications.join(',') || undefined,
    onboardingId: onboardings.map(onboardingIdIn).join(',') || undefined,
  };
}

/** In milliseconds: another request may be at work on the same. */
export const repeatInterval = 1_000;

export type EraseDeps = Pick<CommandDeps, 'wait'> & {
  readonly api: Deployment['api'];
  /** Is called before the request is first repeated. */
  readonly onRepeat?: () => void;
};

/** Erases a person: repeats the request until the erasure is complete. @returns the number of requests @throws {CommandError} */
export async function erasePerson(
  externalId: string,
  query: PersonQuery,
  { api, wait, onRepeat = () => undefined }: EraseDeps,
): Promise<number> {
  const request = { method: 'DELETE', path: requestPath`/persons/${externalId}`, query } as const;
  for (let requests = 1; ; requests += 1) {
    if ((await api.send(request, z.optional(erasureAnswer))) === undefined) return requests;
    if (requests === 1) onRepeat();
    await wait(repeatInterval);
  }
}
