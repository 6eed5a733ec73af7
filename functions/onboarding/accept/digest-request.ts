import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { RequestDigests } from '#shared/onboarding/onboarding-state.ts';
import { type OnboardingRequest, wholeBody } from './onboarding-request.ts';

/**
 * What tells whether a request is the same as one before, when nothing else is left of that. The digest of the whole decides
 * that. Those of single fields only name what differs, and are 16 bits long: of a birthday, more would give it away.
 *
 * @param salt of this onboarding alone
 */
export function digestRequest({ person, identification }: OnboardingRequest, salt: string): RequestDigests {
  const digest = (name: string, value: unknown) =>
    createHash('sha256')
      .update(`${salt} ${name} ${canonicalize(value)}`)
      .digest('hex');
  const fields = Object.entries({ person, identification }).flatMap(([part, values]) =>
    Object.entries(values).map(([name, value]) => [`${part}.${name}`, value] as const),
  );
  return {
    salt,
    whole: digest('', { person, identification }),
    fields: Object.fromEntries(fields.map(([name, value]) => [name, digest(name, value).slice(0, 4)])),
  };
}

/** The names of the fields in which a request differs from the one that these digests are of; none where it is the same. */
export function differencesFrom(before: RequestDigests, request: OnboardingRequest): readonly string[] {
  const now = digestRequest(request, before.salt);
  if (now.whole === before.whole) return [];
  const names = new Set([...Object.keys(before.fields), ...Object.keys(now.fields)]);
  const differing = [...names].filter((name) => before.fields[name] !== now.fields[name]);
  // One in 65,536: their short digests are the same.
  return differing.length > 0 ? differing : [wholeBody];
}
