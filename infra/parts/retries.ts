import { Duration } from 'aws-cdk-lib';

/*
 * How often, and for how long, everything in these stacks is tried again. Queues, schedules, rules and alarm texts take
 * their figures from here.
 */

/** How often SQS hands out a message before the message goes to the dead-letter queue (docs/decisions/0015). */
export const maxReceiveCounts = {
  webhooks: 10,
  onboarding: 10,
  /** At 2 minutes a try more than 3 hours. A token has expired long before, and the report about the token with it. */
  tokenRefreshes: 100,
} as const;

/** The time limit of `store`, for which SQS hides webhooks. */
export const storeTimeout = Duration.seconds(30);

/** SQS hides a message for this many time limits of the function, as AWS advises for event source mappings. */
const timeLimitsHidden = 6;

/** For how long SQS hides a message from other receivers, when its function has this time limit. */
export function visibilityTimeoutOf(functionTimeout: Duration): Duration {
  return Duration.seconds(functionTimeout.toSeconds() * timeLimitsHidden);
}

/** What EventBridge does at most for a target that does not take an event. */
export const eventBridgeRetries = { maxEventAge: Duration.hours(24), retryAttempts: 185 };

/** How often EventBridge Scheduler tries to start a run, at most until the next run is due. */
export const scheduleRetryAttempts = 10;

/** How often Lambda runs an asynchronous invocation: the default, which is also the most. */
export const asyncInvocationTries = 3;
