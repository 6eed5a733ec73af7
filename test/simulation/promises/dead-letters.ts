import { isOfPlatform } from '#test/simulation/faults/long-failure.ts';
import type { FinalCheck } from './promise.ts';

const ofEvents = ['webhooks-dlq', 'requests-dlq'];
const ofCallers = ['onboarding-dlq', 'token-refreshes-dlq'];

/**
 * Promise 9: no fault that ends within hours moves a message to a dead-letter queue. A platform that fails for a day can, where a
 * function calls it.
 */
export const checkDeadLetters: FinalCheck = ({ cloud, longFailure, judged }) => {
  const names = isOfPlatform(longFailure) ? ofEvents : [...ofEvents, ...ofCallers];
  judged(9, names.length);
  const found = names.find((name) => cloud.sqs.queue(name).all().length > 0);
  return found === undefined ? undefined : { promise: 9, what: `A message is in ${found}.` };
};
