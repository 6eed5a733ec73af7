import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';

/** The promises of the design, by their numbers. */
export const promises = {
  1: 'a webhook answered 2xx is durable',
  2: 'an event has its effect once',
  3: 'every accepted event ends applied, superseded, quarantined or in a DLQ',
  4: 'the final state of an entity is the same under every order and duplication',
  5: 'what is marked is committed',
  6: 'one person per externalId, one running verification per onboarding',
  7: 'no call goes out with an expired token; one refresh per need',
  8: 'unauthenticated requests write nothing; no personal data or secret leaves',
  9: 'when faults stop, everything drains without a hand',
  // Not of the design's list: what reconciliation is for.
  10: 'what webhooks failed to tell is found by asking, and nothing else is taken for drift',
} as const;

export type PromiseNumber = keyof typeof promises;

/** A promise that was not kept. */
export type BrokenPromise = { readonly promise: PromiseNumber; readonly what: string };

/** What the world must be like once everything has come to rest. */
export type FinalCheck = (system: SimulatedSystem, notified: readonly NotifiedEvent[]) => BrokenPromise | undefined;

/** What the platform had to say of a type that was registered. */
export type NotifiedEvent = {
  readonly eventType: string;
  readonly body: string;
  /** Its place in the plan of the history, which says what the platform did before what. */
  readonly number: number;
};
