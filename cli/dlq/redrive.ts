import {
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import type { CommandContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { type RecordDeployment, type RecordDeps, recordAction } from '#cli/deployment/record-action.ts';
import type { QueueName } from '#cli/deployment/resource-names.ts';
import { countOf } from '#cli/output/count-of.ts';
import { type RedrivableQueue, redriveTargets } from './dead-letter-queues.ts';
import { formatMessages } from './format-messages.ts';
import { type QueueStatus, readQueue } from './read-queues.ts';
import { describeMissing, nameMessages, redriveChosen } from './take-messages.ts';

/** In milliseconds: between two questions how far SQS is. */
const interval = 1_000;

/** How often the messages are counted that a reader has received: it gives them back within seconds. */
const maxCounts = 5;

/** What is to be moved: the messages of a dead-letter queue, as they were counted. */
export type Redrive = { readonly queue: RedrivableQueue; readonly count: number };

/**
 * Moves the messages of a dead-letter queue back to its queue, and waits until SQS has moved them. The log records it before.
 *
 * @param onMoved called with the number so far
 * @returns the number of messages
 * @throws {CommandError}
 */
export async function moveMessages(
  deployment: RecordDeployment,
  { queue, count }: Redrive,
  deps: RecordDeps & Pick<CommandDeps, 'wait'>,
  onMoved: (moved: number) => void,
): Promise<number> {
  const { resources, clients } = deployment;
  const { sqs } = clients;
  await recordAction(deployment, { message: 'redrive requested', queue, size: count }, deps);
  const arnOf = async (name: QueueName) => {
    const QueueUrl = (await resources()).idOf('queue', name);
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
    return Attributes?.QueueArn;
  };
  const SourceArn = await arnOf(queue);
  // SQS knows no queue before for a message that EventBridge sent to the dead-letter queue.
  const DestinationArn = await arnOf(redriveTargets[queue]);
  await sqs.send(new StartMessageMoveTaskCommand({ SourceArn, DestinationArn }));
  let moved = 0;
  for (;;) {
    const { Results: [task] = [] } = await sqs.send(new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 }));
    moved = Math.max(moved, task?.ApproximateNumberOfMessagesMoved ?? moved);
    onMoved(moved);
    if (task?.Status === 'FAILED')
      throw new CommandError(
        `SQS stopped moving: ${task.FailureReason ?? 'no reason'}.`,
        `drawbridge dlq show ${queue}`,
      );
    if (task?.Status !== 'RUNNING') return moved;
    await deps.wait(interval);
  }
}

/**
 * Counts the messages of a dead-letter queue, asks, and moves them back to their queue: all, or those with these ids.
 *
 * @throws {CommandError}
 */
export async function redrive(
  { queue, messageIds }: { readonly queue: RedrivableQueue; readonly messageIds: readonly string[] },
  { output, connect, confirm }: CommandContext,
  deps: RecordDeps & Pick<CommandDeps, 'startProgress' | 'wait' | 'exit'>,
): Promise<void> {
  const { startProgress, wait, exit } = deps;
  const deployment = await connect();
  if (messageIds.length > 0) {
    await confirm(`move ${nameMessages(messageIds)} of ${queue} back to their queue`);
    const { taken, missing } = await redriveChosen(deployment, { queue, messageIds }, deps, () => undefined);
    for (const line of describeMissing({ missing })) output.note(line);
    if (missing.length > 0) exit(exitCodes.found);
    return output.answer(
      { queue, moved: taken.length, messageIds: taken, missing },
      () => `Moved ${nameMessages(taken)} out of ${queue}. To see whether they fail again: drawbridge dlq ls`,
    );
  }
  const { waiting: count, inFlight } = await countMessages(deployment, queue, wait);
  output.note(`${queue} holds ${formatMessages({ waiting: count, inFlight })}.`);
  if (count === 0) {
    output.answer({ queue, count, inFlight, moved: 0 }, () =>
      inFlight === 0
        ? 'Nothing was moved.'
        : 'Nothing was moved: another reader has the messages, and SQS moves none of those. Run the command again in a few minutes.',
    );
    if (inFlight > 0) exit(exitCodes.found);
    return;
  }
  await confirm(`move ${countOf(count, 'message')} of ${queue} back to their queue`);
  const progress = startProgress('Moving', count);
  let before = 0;
  const moved = await moveMessages(deployment, { queue, count }, deps, (now) => {
    if (now > before) progress.advance(now - before);
    before = now;
  });
  progress.stop(`Moved ${countOf(moved, 'message')}.`);
  output.answer(
    { queue, count, inFlight, moved },
    () => `Moved ${moved} of ${count + inFlight} out of ${queue}. To see whether they fail again: drawbridge dlq ls`,
  );
}

/** Counts messages. Waits for those that a reader has received, because SQS does not move them. */
export async function countMessages(
  deployment: Pick<Deployment, 'clients' | 'resources'>,
  queue: QueueName,
  wait: CommandDeps['wait'],
): Promise<Pick<QueueStatus, 'waiting' | 'inFlight'>> {
  for (let counted = 1; ; counted += 1) {
    const status = await readQueue(deployment, queue);
    if (status.inFlight === 0 || counted === maxCounts) return status;
    await wait(interval);
  }
}
