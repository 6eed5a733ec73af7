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
    meaning: 'The platform lists a page of persons or undelivered webhooks.',
  },
  drainStart: { ms: 500, meaning: 'A run of `drain`, until it asks for its first page.' },
} as const;
