import { Duration } from 'aws-cdk-lib';
import type { AlarmPart } from '#shared/alarm-text.ts';
import { type AlarmDeclaration, type AlarmDeclarations, ownMetric } from './alarms.ts';
import type { DrawbridgeFunction } from './function.ts';
import { outageWithoutOperator } from './max-receive-count.ts';
import {
  countAllMessages,
  purgeDeadLetters,
  readFailedMessages,
  redrive,
  showDeadLetters,
} from './runbook-commands.ts';
import type { WorkQueue } from './work-queue.ts';

/**
 * The alarm on messages that fail again and again. The age of a queue does not show them, since SQS leaves out of it what was
 * received three times.
 */
export function failedMessagesAlarm(environment: { readonly environmentName: string }): AlarmDeclarations {
  // Each period has a failure of such a message: SQS hides a message for 12 minutes at most.
  const period = Duration.minutes(15);
  return {
    MessagesFailedRepeatedly: {
      metric: ownMetric(environment, 'MessagesFailedRepeatedly', { period, statistic: 'Sum' }),
      above: 0,
      hasEnd: true,
      isSparse: true,
      part: undefined,
      meaning: `Messages keep failing. After ${Duration.seconds(outageWithoutOperator).toHours()} hours a message moves to its dead-letter queue.`,
      remedy:
        'Read why they fail. If most messages fail, AWS or the platform refuses calls: SQS retries, and nothing is lost. If one fails, fix the cause that its error names before it is in the dead-letter queue.',
      commands: [readFailedMessages, countAllMessages],
    },
  };
}

/**
 * The alarm on messages that Lambda drops because their function seems to be in a cycle. Lambda follows SQS, SNS, S3 and its own
 * invocations: https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 *
 * @param part the function in the picture of the console
 */
export function recursionAlarm(
  part: AlarmPart,
  { lambda, node }: DrawbridgeFunction,
  queue: WorkQueue,
): AlarmDeclaration {
  const name = node.id;
  // What waits for its turn in a FIFO queue is of no use when it comes late.
  const [end, command] = queue.fifo
    ? ['purge the dead-letter queue', purgeDeadLetters(queue.deadLetters)]
    : ['redrive the dead-letter queue', redrive(queue)];
  return {
    metric: lambda.metric('RecursiveInvocationsDropped', { period: Duration.minutes(1), statistic: 'Sum' }),
    above: 0,
    hasEnd: false,
    part,
    meaning: `Lambda moves a message to the dead-letter queue once its chain has invoked ${name} about 16 times. Something outside Drawbridge closes a cycle.`,
    remedy: `Find out what else sends to the queue of ${name}, and end the cycle. Then ${end}. Do not allow recursive loops for ${name}.`,
    commands: [showDeadLetters(queue.deadLetters), command],
  };
}
