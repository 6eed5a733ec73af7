import type { Durations } from './burst/burst-model.ts';

/**
 * Durations that the calculation assumes, in milliseconds, with the meaning of each. None was measured on AWS: replace a
 * figure by what your own environment shows.
 */
export const assumedDurations = {
  receive: [20, 'An invocation of `receive`.'],
  receiveColdStart: [400, 'The start of an instance of `receive`.'],
  storeBatch: [60, 'A batch of `store`, without its webhooks.'],
  storeWebhook: [4, 'Each webhook of a batch.'],
  storeColdStart: [700, 'The start of an instance of `store`.'],
  drainPage: [200, 'A page of 20 undelivered webhooks: listed, committed and handed over.'],
} as const satisfies Readonly<Record<keyof Durations, readonly [value: number, meaning: string]>>;

/** The value of each duration. */
export const durations: Durations = {
  receive: assumedDurations.receive[0],
  receiveColdStart: assumedDurations.receiveColdStart[0],
  storeBatch: assumedDurations.storeBatch[0],
  storeWebhook: assumedDurations.storeWebhook[0],
  storeColdStart: assumedDurations.storeColdStart[0],
  drainPage: assumedDurations.drainPage[0],
};
