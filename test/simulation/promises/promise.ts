import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';

/** The promises that a history can break: promise 11 is about releases. */
export const promiseNumbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12] as const;

export type PromiseNumber = (typeof promiseNumbers)[number];

/** The promises by number. */
export const promises: Readonly<Record<PromiseNumber, string>> = {
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
};

/** A broken promise with a description. */
export type BrokenPromise = { readonly promise: PromiseNumber; readonly what: string };

/** A check of the simulated system after all work has finished. */
export type FinalCheck = (system: SimulatedSystem, notified: readonly NotifiedEvent[]) => BrokenPromise | undefined;

/** A webhook of a registered event type that the platform sent. */
export type NotifiedEvent = {
  readonly eventType: string;
  readonly body: string;
  /** The position in the plan of the history, which gives the order of the platform. */
  readonly number: number;
};
