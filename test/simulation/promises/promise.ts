import { promiseSentences } from '#sandbox/report/promises.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';

/** The promises that a history can break: promise 11 is about releases. */
export const promiseNumbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12] as const;

export type PromiseNumber = (typeof promiseNumbers)[number];

/** The promises by number. */
export const promises: Readonly<Record<PromiseNumber, string>> = promiseSentences;

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
