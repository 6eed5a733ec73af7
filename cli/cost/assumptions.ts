/**
 * What the calculation takes for granted, with the meaning of each figure. None was measured on AWS: replace a figure by
 * what your own environment shows.
 */
const stated = {
  receiveMs: [
    12,
    'Milliseconds that an invocation of `receive` is billed: CPU time of another machine, and 10 ms for a request to SQS.',
  ],
  storeMs: [
    35,
    'Milliseconds that an invocation of `store` with one webhook is billed: CPU time of another machine, and 5 to 15 ms for each request.',
  ],
  runMs: [1_000, 'Milliseconds that a scheduled run is billed, but one of `wake`.'],
  wakeMs: [50, 'Milliseconds that a run of `wake` is billed that finds no due onboarding: a query, and its CPU time.'],
  webhooksPerBatch: [1, 'Webhooks in an invocation of `store`. Up to 10 share one when webhooks arrive in bursts.'],
  pollers: [5, 'Connections by which Lambda polls a queue without messages.'],
  pollSeconds: [20, 'Seconds that such a poll waits.'],
  platformLogBytes: [
    700,
    'Bytes that Lambda itself logs for an invocation. It logs nothing for `receive` and `store`.',
  ],
  metricsPerRoute: [6, 'Metrics that API Gateway writes for the route of the webhooks.'],
  dataKeySeconds: [300, 'Seconds after which SQS and DynamoDB ask KMS again.'],
  receiveInstances: [5, 'Instances of `receive` that read the webhook secret.'],
  secretSeconds: [300, 'Seconds that `receive` keeps the webhook secret.'],
  webhooksPerEntity: [3, 'Webhooks about an entity, such as an order that is PENDING, FILLED and SETTLED.'],
  openShare: [0.01, 'Share of the entities that expect a report. Each run of `reconcile` reads them in an index.'],
  entityMonths: [12, 'Months of entities in the table. Entities never expire.'],
} as const satisfies Readonly<Record<string, readonly [value: number, meaning: string]>>;

export type Assumptions = { readonly [Name in keyof typeof stated]: number };

/** Each assumption in words, for a reader who doubts a cost. */
export const assumptionRows: readonly (readonly [name: string, value: number, meaning: string])[] = Object.entries(
  stated,
).map(([name, [value, meaning]]) => [name, value, meaning]);

/** The value of each assumption. */
export const assumptions: Assumptions = {
  receiveMs: stated.receiveMs[0],
  storeMs: stated.storeMs[0],
  runMs: stated.runMs[0],
  wakeMs: stated.wakeMs[0],
  webhooksPerBatch: stated.webhooksPerBatch[0],
  pollers: stated.pollers[0],
  pollSeconds: stated.pollSeconds[0],
  platformLogBytes: stated.platformLogBytes[0],
  metricsPerRoute: stated.metricsPerRoute[0],
  dataKeySeconds: stated.dataKeySeconds[0],
  receiveInstances: stated.receiveInstances[0],
  secretSeconds: stated.secretSeconds[0],
  webhooksPerEntity: stated.webhooksPerEntity[0],
  openShare: stated.openShare[0],
  entityMonths: stated.entityMonths[0],
};
