/**
 * In seconds: how long every call to a service of AWS can fail before a message moves to a dead-letter queue
 * (docs/decisions/store.md, "Six hours before the dead-letter queue").
 */
export const outageWithoutOperator = 6 * 60 * 60;

/**
 * How often SQS hands out a message before the message moves to the dead-letter queue: as often as it takes to outlast an outage.
 *
 * @param visibilityTimeout in seconds: SQS hands out a failed message again after this time
 */
export function maxReceiveCountOf(visibilityTimeout: number): number {
  return Math.ceil(outageWithoutOperator / visibilityTimeout);
}
