/** The promises by number: docs/explanation/promises.md has the tests of each. */
export const promiseSentences = {
  1: 'a webhook answered 2xx is durable',
  2: 'an event has its effect once',
  3: 'every accepted event ends applied, superseded, quarantined or in a DLQ',
  4: 'the final state of an entity is the same under every order and duplication',
  5: 'every marked record is committed',
  6: 'one person per externalId, one running verification per onboarding',
  7: 'no call uses an expired token; one refresh per need',
  8: 'unauthenticated requests write nothing; no personal data or secret leaks',
  9: 'all work finishes without an operator after the faults end',
  10: 'no answer of the platform costs more than bounded memory',
  12: 'reconciliation finds what webhooks failed to report, and reports no other drift',
} as const;

/** Of a promise that a run can break. */
export type PromiseInRuns = keyof typeof promiseSentences;

/** Why the numbers leave one out. */
export const withoutPromise11 = 'Promise 11 is about releases: no run contains one, and the tests of upgrades hold it.';
