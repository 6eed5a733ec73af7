import type { FinalCheck } from './promise.ts';

/** The maximum number of failures of a message after the faults end. Slow I/Os from before can cause these. */
const maxFailures = 2;

/**
 * Promise 9: a message only moves to the DLQ because of faults. Without this check, a webhook that always fails would satisfy
 * promise 3, because the DLQ is one of its end states. An onboarding whose message is there moves on all the same, which other checks see.
 */
export const checkDeadLetters: FinalCheck = ({ cloud, receivesBefore, judged }) => {
  const before = receivesBefore();
  const dead = ['webhooks-dlq', 'onboarding-dlq'].flatMap((name) => cloud.sqs.queue(name).all());
  const failures = dead.map(({ id, receiveCount }) => receiveCount - (before.get(id) ?? 0));
  judged(9, dead.length);
  const maxReceives = Math.max(0, ...failures);
  if (maxReceives <= maxFailures) return undefined;
  return {
    promise: 9,
    what: `A message failed ${maxReceives} times after the faults ended, and is in the DLQ.`,
  };
};
