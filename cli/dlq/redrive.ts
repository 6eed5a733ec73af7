import {
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import type { CommandContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import type { QueueName } from '#cli/deployment/resource-names.ts';
import { readQueues } from './read-queues.ts';

/** In milliseconds: between two questions how far SQS is. */
const interval = 1_000;

/** Moves the messages of a dead-letter queue back to its queue, and waits until SQS has moved them. @throws {CommandError} */
export async function redrive(
  queue: QueueName,
  { output, connect, confirm }: CommandContext,
  { startProgress, wait }: Pick<CommandDeps, 'startProgress' | 'wait'>,
): Promise<void> {
  const deployment = await connect();
  const [status] = await readQueues(deployment, [queue]);
  const count = status?.waiting ?? 0;
  output.note(`${queue} holds ${count} messages.`);
  if (count === 0) {
    output.answer({ queue, count, moved: 0 }, () => 'Nothing was moved.');
    return;
  }
  await confirm(`move ${count} messages of ${queue} back to their queue`);
  const { sqs } = deployment.clients;
  const QueueUrl = (await deployment.resources()).idOf('queue', queue);
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  const SourceArn = Attributes?.QueueArn;
  await sqs.send(new StartMessageMoveTaskCommand({ SourceArn }));
  const progress = startProgress('Moving', count);
  let moved = 0;
  for (;;) {
    const { Results: [task] = [] } = await sqs.send(new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 }));
    const now = task?.ApproximateNumberOfMessagesMoved ?? moved;
    if (now > moved) progress.advance(now - moved);
    moved = now;
    if (task?.Status === 'FAILED')
      throw new CommandError(
        `SQS stopped moving: ${task.FailureReason ?? 'no reason'}.`,
        `drawbridge dlq show ${queue}`,
      );
    if (task?.Status !== 'RUNNING') break;
    await wait(interval);
  }
  progress.stop(`${moved} messages moved.`);
  output.answer(
    { queue, count, moved },
    () => `${moved} messages of ${queue} are in their queue again. To see whether they fail again: drawbridge dlq ls`,
  );
}
