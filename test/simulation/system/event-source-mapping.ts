import type { QueuedMessage, SimulatedQueue } from '#test/simulation/aws/sqs-queue.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Scheduler, Task } from '#test/simulation/scheduler/scheduler.ts';
import type { LambdaFunction, Outcome } from './lambda-function.ts';

export type EventSourceMappingOptions = {
  readonly name: string;
  readonly queue: SimulatedQueue;
  readonly lambda: LambdaFunction;
  readonly batchSize: number;
  /** The maximum number of concurrent batches. */
  readonly concurrency: number;
};

export type EventSourceMappingDeps = {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Whether SQS fails every call of the mapping. */
  readonly isDown: (service: 'sqs') => boolean;
  readonly trace: (who: string, what: string) => void;
  /** Whether Lambda drops a message, because the function is in a cycle. */
  readonly isDropped: (messageId: string) => boolean;
};

/** In milliseconds: the maximum delay between a visible message and its receive. */
const maxPollMs = 200;

/** In milliseconds: the delay until a mapping polls again after a receive that failed. */
const pauseAfterFailure = 10_000;

/**
 * Invokes a function with the messages of a queue, as Lambda does, in batches of any size up to the batch size. Processed
 * messages are deleted. The others become visible again after the visibility timeout.
 *
 * @returns `wake`, to be called when the queue may have a visible message
 */
export function createEventSourceMapping(
  { name, queue, lambda, batchSize, concurrency }: EventSourceMappingOptions,
  { scheduler, faults, random, isDown, trace, isDropped }: EventSourceMappingDeps,
): { readonly wake: () => void } {
  let poll: Task | undefined;
  let underWay = 0;

  function wake(): void {
    const nextAt = queue.nextAt();
    if (nextAt === undefined || underWay >= concurrency) return;
    const wait = Math.max(0, nextAt - scheduler.now());
    if (poll !== undefined && poll.at <= scheduler.now() + wait + maxPollMs) return;
    scheduler.cancel(poll);
    poll = scheduler.after(wait + Math.floor(random() * maxPollMs), receive);
  }

  function receive(): void {
    if (isDown('sqs')) {
      poll = scheduler.after(pauseAfterFailure, receive);
      return;
    }
    poll = undefined;
    const messages = queue.receive(1 + Math.floor(random() * batchSize)).filter(({ id, receipt }) => {
      if (!isDropped(id)) return true;
      const dropped = queue.find(receipt);
      if (dropped !== undefined) queue.remove(dropped);
      return false;
    });
    if (messages.length > 0) {
      underWay += 1;
      if (isReordered(messages)) faults.observe('reordered messages');
      for (const message of messages) disturbMessage(message);
      trace(name, `invokes with ${messages.length} messages`);
      const Records = messages.map(({ id, body, receiveCount }) => ({
        messageId: id,
        body,
        attributes: { ApproximateReceiveCount: String(receiveCount) },
      }));
      void lambda.invoke({ Records }).then((outcome) => scheduler.after(0, () => end(messages, outcome)));
    }
    wake();
  }

  /** Messages can be delivered twice, and can become visible again during their processing. */
  function disturbMessage({ id }: QueuedMessage): void {
    const message = queue.all().find((one) => one.id === id);
    if (message === undefined) return;
    if (faults.happens('visibility timeout expires during work'))
      queue.hide(message, faults.draw('visibility timeout expires during work') * 2);
    // A FIFO queue repeats no message before its visibility timeout expires.
    if (queue.properties.isFifo !== true && faults.happens('message delivered twice'))
      queue.add({
        ...message,
        receipt: undefined,
        visibleAt: scheduler.now() + faults.draw('message delivered twice') * 60_000,
      });
  }

  function end(messages: readonly QueuedMessage[], outcome: Outcome): void {
    underWay -= 1;
    const failed = failedOf(messages, outcome);
    if (failed.size > 0 && failed.size < messages.length) faults.observe('partial batch failure');
    const done = messages.filter(({ id }) => !failed.has(id));
    trace(name, `deletes ${done.length} of ${messages.length} messages`);
    for (const { receipt } of done) {
      if (isDown('sqs') || faults.happens('message deletion lost')) continue;
      const message = queue.find(receipt);
      if (message !== undefined) queue.remove(message);
    }
    wake();
  }

  return { wake };
}

function isReordered(messages: readonly QueuedMessage[]): boolean {
  return messages.some(({ sentAt }, index) => sentAt < (messages[index - 1]?.sentAt ?? 0));
}

/** The failed messages: all of them when the response names an unknown id. */
function failedOf(messages: readonly QueuedMessage[], outcome: Outcome): ReadonlySet<string> {
  const all = new Set(messages.map(({ id }) => id));
  if ('failure' in outcome) return all;
  const { batchItemFailures } = outcome.answer as BatchAnswer;
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  return [...failed].every((id) => all.has(id)) ? failed : all;
}

type BatchAnswer = { readonly batchItemFailures: readonly { readonly itemIdentifier: string }[] };
