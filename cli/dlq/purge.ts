import { PurgeQueueCommand } from '@aws-sdk/client-sqs';
import type { CommandContext } from '#cli/command/command-context.ts';
import { type RecordDeployment, type RecordDeps, recordAction } from '#cli/deployment/record-action.ts';
import { countOf } from '#cli/output/count-of.ts';
import type { purgeableQueues } from './dead-letter-queues.ts';
import { formatMessages } from './format-messages.ts';
import { readQueue } from './read-queues.ts';

type PurgeableQueue = (typeof purgeableQueues)[number];

/** Has SQS delete all messages of a dead-letter queue within a minute. The log records it before. @throws {CommandError} */
export async function purgeQueue(
  deployment: RecordDeployment,
  { queue, count }: { readonly queue: PurgeableQueue; readonly count: number },
  deps: RecordDeps,
): Promise<void> {
  await recordAction(deployment, { message: 'purge requested', queue, size: count }, deps);
  const QueueUrl = (await deployment.resources()).idOf('queue', queue);
  await deployment.clients.sqs.send(new PurgeQueueCommand({ QueueUrl }));
}

/** Asks, and deletes all messages of a dead-letter queue. @throws {CommandError} */
export async function purge(
  queue: PurgeableQueue,
  { output, connect, confirm }: CommandContext,
  deps: RecordDeps,
): Promise<void> {
  const deployment = await connect();
  const { waiting, inFlight } = await readQueue(deployment, queue);
  const count = waiting + inFlight;
  if (count === 0) {
    output.answer({ queue, purged: 0 }, () => `${queue} holds no message.`);
    return;
  }
  await confirm(`delete ${formatMessages({ waiting, inFlight })} of ${queue}`);
  await purgeQueue(deployment, { queue, count }, deps);
  output.answer(
    { queue, purged: count },
    () => `SQS deletes ${countOf(count, 'message')} of ${queue} within a minute.`,
  );
}
