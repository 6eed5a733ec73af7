import * as z from 'zod/mini';
import { requestorId } from '#shared/platform/fields/fields.ts';

/** Who is named as the requestor of a call: no one (`none`), the person that the call is about (`self`), or the natural person of this id. */
export type Requestor = 'none' | 'self' | (string & {});

function oneOf(words: readonly string[], error: string) {
  return z
    .string({ error })
    .check(z.refine((text) => words.includes(text) || requestorId.safeParse(text).success, { error }));
}

const fixed = oneOf(
  ['none'],
  'must be none or the id of a natural person (section 5): self stands for the one person that a call is about',
);
const ofPerson = oneOf(['none', 'self'], 'must be none, self or the id of a natural person (section 5)');

/** The requestor of the calls whose Requestor-ID the specification leaves open, by group of operations. */
export const requestors = z.strictObject({
  /** Get natural person. */
  naturalPerson: z._default(ofPerson, 'none'),
  /** Get natural persons. */
  naturalPersons: z._default(fixed, 'none'),
  /** Get Identification Verification, and the list of them, which is read to find those of one person. */
  verifications: z.optional(ofPerson),
  /** Get transfer. */
  transfers: z.optional(ofPerson),
  /** The operations on registered webhooks. */
  webhooks: z._default(fixed, 'none'),
  /** List undelivered webhooks, and mark them delivered. */
  undeliveredWebhooks: z._default(fixed, 'none'),
});

/**
 * The Requestor-ID of a call; undefined for a call without one.
 *
 * @param person the natural person that the call is about
 */
export function requestorIdOf(requestor: Requestor, person?: string): string | undefined {
  if (requestor === 'none') return undefined;
  return requestor === 'self' ? person : requestor;
}
