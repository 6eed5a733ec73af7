import type { Allowance } from './token-bucket.ts';

/** What a burst meets: the load, the settings of the environment, the quotas of the account, and durations. */
export type BurstModel = {
  /** Webhooks a second that the platform delivers, and for how many seconds. */
  readonly webhooksPerSecond: number;
  readonly burstSeconds: number;
  /** The setting `webhookThrottle`, as far as the account's quota allows it. */
  readonly throttle: Allowance;
  /** Instances of `receive`: at most, and how fast Lambda adds them. */
  readonly receiveConcurrency: number;
  readonly newInstances: Allowance;
  /** The setting `storeConcurrency`. */
  readonly storeConcurrency: number;
  /** Batches that Lambda works on when a queue wakes, and how many it adds a minute. */
  readonly pollers: { readonly first: number; readonly perMinute: number };
  /** Write units a second of each table. */
  readonly writeUnits: Allowance;
  /** PutEvents requests a second. */
  readonly putEvents: Allowance;
  readonly durations: Durations;
};

/** In milliseconds. */
export type Durations = {
  readonly receive: number;
  readonly receiveColdStart: number;
  /** Of `store`: for each batch, and for each webhook of the batch. */
  readonly storeBatch: number;
  readonly storeWebhook: number;
  readonly storeColdStart: number;
  /** Of `drain`: to list, commit and hand over one page. */
  readonly drainPage: number;
};

/** Webhooks in a batch of `store` at most. */
export const batchSize = 10;

/** Undelivered webhooks in a page. */
export const pageSize = 20;

/** Seconds between two runs of `drain`. */
export const drainSeconds = 300;

/** The time limit of a batch of `store` in milliseconds, after which SQS would hand it out again. */
export const storeTimeLimit = 30_000;
