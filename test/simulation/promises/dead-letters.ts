import type { FinalCheck } from './promise.ts';

/** What is still slow when the faults end may keep a message from its end so often, and no more. */
const maxFailures = 2;

/**
 * Promise 9: what moves to the DLQ is what something went wrong with. Without this, a webhook that no release of the functions
 * can work on would count as one that has ended, since the DLQ is one of the ends of promise 3.
 */
export const checkDeadLetters: FinalCheck = ({ cloud, receivesBefore }) => {
  const before = receivesBefore();
  const dead = cloud.sqs.queue('webhooks-dlq').all();
  const failures = dead.map(({ id, receiveCount }) => receiveCount - (before.get(id) ?? 0));
  const maxReceives = Math.max(0, ...failures);
  if (maxReceives <= maxFailures) return undefined;
  return {
    promise: 9,
    what: `A message failed ${maxReceives} times while nothing went wrong any more, and is in the DLQ.`,
  };
};
