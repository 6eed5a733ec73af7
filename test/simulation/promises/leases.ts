import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { leaseMs, readOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import type { Command } from '#test/simulation/aws/commands.ts';
import type { BrokenPromise } from './promise.ts';

/** In milliseconds: what may pass between the decision to lease an onboarding and the save. */
const tolerance = 1_000;

/** Promise 9: the waker sends a due onboarding once per lease, so it saves the end of the lease first, and sends no other. */
export function createLeaseWatch() {
  const saved = new Set<string>();

  /** Checks a command of the waker. @param now of its process, in milliseconds since 1970 */
  return (command: Command, now: number): BrokenPromise | undefined => {
    if (command instanceof PutItemCommand) {
      const { onboardingId, dueOn } = command.input.Item ?? {};
      saved.add(`${onboardingId?.S} ${dueOn?.S}`);
      if (Date.parse(dueOn?.S ?? '') > now + leaseMs - tolerance) return undefined;
      return { promise: 9, what: `The onboarding ${onboardingId?.S} is leased, and stays due.` };
    }
    if (!(command instanceof SendMessageBatchCommand)) return undefined;
    const messages = (command.input.Entries ?? []).map(({ MessageBody = '' }) => readOnboardingMessage(MessageBody));
    const other = messages.find(({ onboardingId, lease }) => !saved.has(`${onboardingId} ${lease}`));
    return other && { promise: 9, what: `The onboarding ${other.onboardingId} is sent without a lease.` };
  };
}
