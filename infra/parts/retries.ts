import { Duration } from 'aws-cdk-lib';

/*
 * How often, and for how long, everything in these stacks is tried again. Queues, schedules, rules and alarm texts take
 * their figures from here, and from `max-receive-count.ts`.
 */

/** The time limit of `store`, for which SQS hides webhooks. */
export const storeTimeout = Duration.seconds(30);

/** The time limit of `request-event`, for which SQS hides requests. */
export const requestEventTimeout = Duration.seconds(30);

/** SQS hides a message for this many time limits of the function, as AWS advises for event source mappings. */
const timeLimitsHidden = 6;

/** For how long SQS hides a message from other receivers, when its function has this time limit. */
export function visibilityTimeoutOf(functionTimeout: Duration): Duration {
  return Duration.seconds(functionTimeout.toSeconds() * timeLimitsHidden);
}

/** How long, and how often, EventBridge retries a target that does not accept an event. */
export const eventBridgeRetries = { maxEventAge: Duration.hours(24), retryAttempts: 185 };

/** How often EventBridge Scheduler tries to start a run, at most until the next run is due. */
export const scheduleRetryAttempts = 10;
