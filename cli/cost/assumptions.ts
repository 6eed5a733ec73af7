/** What the calculation takes for granted. None was measured on AWS: replace a value by what your own environment shows. */
export const assumptions = {
  receiveMs: { value: 12, meaning: 'Milliseconds of `receive`: CPU time of another machine, and 10 ms for SQS.' },
  storeMs: {
    value: 35,
    meaning: 'Milliseconds of `store` for the first webhook of a batch: CPU time, and 5 to 15 ms a request.',
  },
  storeMoreMs: { value: 4, meaning: 'Milliseconds of `store` for each further webhook of a batch.' },
  runMs: { value: 1_000, meaning: 'Milliseconds of a scheduled run that finds nothing, except a run of `wake`.' },
  wakeMs: { value: 50, meaning: 'Milliseconds of a run of `wake` that finds no due onboarding.' },
  drainStartMs: { value: 500, meaning: 'Milliseconds of a run of `drain` until it asks for its first page.' },
  pageMs: {
    value: 200,
    meaning: 'Milliseconds of a page of 20 persons or undelivered webhooks: listed, and committed.',
  },
  pollers: { value: 5, meaning: 'Connections by which Lambda polls a queue. Each gathers batches of its own.' },
  pollSeconds: { value: 20, meaning: 'Seconds that such a poll waits.' },
  platformLogBytes: {
    value: 700,
    meaning: 'Bytes that Lambda itself logs for an invocation, except for `receive` and `store`.',
  },
  compressedShare: {
    value: 0.2,
    meaning: 'Share of log bytes that is left to store: AWS compresses, to 6 of 30 GB in its own example.',
  },
  metricsPerRoute: { value: 6, meaning: 'Metrics of a route with detailed metrics.' },
  memoryMetrics: { value: 2, meaning: 'Metrics of the memory of `receive` and `store`.' },
  dataKeySeconds: { value: 300, meaning: 'Seconds after which SQS and DynamoDB ask KMS again.' },
  receiveInstances: { value: 5, meaning: 'Instances of `receive` that read the webhook secret.' },
  secretSeconds: { value: 300, meaning: 'Seconds that `receive` keeps the webhook secret.' },
  webhooksPerEntity: { value: 3, meaning: 'Webhooks about an entity, such as an order: PENDING, FILLED, SETTLED.' },
  entityMonths: { value: 12, meaning: 'Months of entities in the table. Entities never expire.' },
  openShare: {
    value: 0.01,
    meaning: 'Share of the entities that expect a report. Each run of `reconcile` reads their index.',
  },
  transferShare: {
    value: 0.04,
    meaning: 'Share of the new entities that are transfers. Most are orders, which no operation reads.',
  },
  verificationShare: { value: 0.005, meaning: 'Share of the new entities that are verifications.' },
  silentShare: { value: 0.1, meaning: 'Share of these two that are silent, and read back each `readBackAfterHours`.' },
  silentHours: { value: 24, meaning: 'Hours for which they are silent.' },
  markedShare: { value: 0.001, meaning: 'Share of all persons of whom a webhook leaves the status open, each day.' },
  entitiesPerPerson: {
    value: 200,
    meaning: 'Entities for each person on the platform. `reconcile` compares the list of persons.',
  },
  checkpointSeconds: { value: 10, meaning: 'Seconds of a run of `reconcile` between two checkpoints.' },
} as const satisfies Readonly<Record<string, { readonly value: number; readonly meaning: string }>>;
