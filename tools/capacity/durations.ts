/**
 * Durations that the calculation assumes, in milliseconds, with the meaning of each. None was measured on AWS: replace a
 * figure by what your own environment shows.
 */
export const durations = {
  receive: { ms: 20, meaning: 'An invocation of `receive`.' },
  storeBatch: { ms: 60, meaning: 'A batch of `store`, without its webhooks.' },
  storeWebhook: { ms: 4, meaning: 'Each webhook of a batch.' },
  platformPage: {
    ms: 200,
    meaning: 'A page of 20 persons or undelivered webhooks: listed, and what it holds committed.',
  },
} as const;
