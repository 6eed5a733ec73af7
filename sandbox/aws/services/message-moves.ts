import { setTimeout as wait } from 'node:timers/promises';
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { type AwsService, AwsServiceError, type Operations, serve } from './aws-service.ts';
import { readQueueDepth } from './sqs.ts';

export type MessageMoveDeps = {
  /** Reaches the queues: their messages are moved by receive, send and delete. */
  readonly sqs: SQSClient;
  readonly now: () => Date;
  readonly newId: () => string;
};

const startInput = z.strictObject({
  SourceArn: z.string(),
  DestinationArn: z.string().optional(),
  MaxNumberOfMessagesPerSecond: z.int().min(1).max(500).optional(),
});
const listInput = z.strictObject({ SourceArn: z.string(), MaxResults: z.int().min(1).max(10).default(1) });

type Queues = Blueprint['queues'];
type Queue = Queues[number];

type Task = {
  readonly handle: string;
  readonly request: z.infer<typeof startInput>;
  readonly startedAt: Date;
  readonly toMove: number;
  moved: number;
  status: 'RUNNING' | 'COMPLETED' | 'FAILED';
  failureReason: string | undefined;
};

/** Adds the redrive of dead-letter queues to a service of SQS that has none. Queues are those that the stacks declare. */
export function addMessageMoves(service: AwsService, queues: Queues, deps: MessageMoveDeps): AwsService {
  const closing = new AbortController();
  const operations = moveOperations(queues, deps, closing.signal);
  const moves = serve(operations);
  return {
    close: () => {
      closing.abort();
      return service.close();
    },
    handle: (call) => (Object.hasOwn(operations, call.operation) ? moves : service).handle(call),
  };
}

function moveOperations(queues: Queues, { sqs, now, newId }: MessageMoveDeps, signal: AbortSignal): Operations {
  let tasks: readonly Task[] = [];
  const tasksOf = ({ arn }: Queue) => tasks.filter(({ request }) => request.SourceArn === arn);

  /** Moves as many messages as were there at the start: a message that fails again does not keep the task busy. */
  async function run(task: Task, from: Queue, to: Queue): Promise<void> {
    const { MaxNumberOfMessagesPerSecond: rate } = task.request;
    while (task.moved < task.toMove && !signal.aborted && (await moveOne(from.ref, to.ref))) {
      task.moved += 1;
      if (rate !== undefined) await wait(1_000 / rate, undefined, { signal });
    }
  }

  /** @returns whether there was a message to move */
  async function moveOne(from: string, to: string): Promise<boolean> {
    const { Messages: [message] = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: from,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['MessageGroupId'],
      }),
    );
    if (message === undefined) return false;
    const { Body: MessageBody, MessageAttributes, Attributes, ReceiptHandle } = message;
    const MessageGroupId = Attributes?.MessageGroupId;
    // A FIFO queue would drop a message whose deduplication id it took within the last 5 minutes.
    const fifo = MessageGroupId === undefined ? {} : { MessageGroupId, MessageDeduplicationId: newId() };
    await sqs.send(new SendMessageCommand({ QueueUrl: to, MessageBody, MessageAttributes, ...fifo }));
    await sqs.send(new DeleteMessageCommand({ QueueUrl: from, ReceiptHandle }));
    return true;
  }

  return {
    StartMessageMoveTask: async (input) => {
      const request = startInput.parse(input);
      const from = find(queues, request.SourceArn);
      const to = destinationOf(queues, from, request.DestinationArn);
      const { visible } = await readQueueDepth(sqs, from.ref);
      if (tasksOf(from).some(({ status }) => status === 'RUNNING'))
        throw new AwsServiceError('UnsupportedOperation', `A task already moves the messages of ${from.physicalName}.`);
      const task: Task = {
        handle: newId(),
        request,
        startedAt: now(),
        toMove: visible,
        moved: 0,
        status: 'RUNNING',
        failureReason: undefined,
      };
      tasks = [task, ...tasks];
      void run(task, from, to).then(
        () => {
          task.status = 'COMPLETED';
        },
        (error: unknown) => {
          task.status = 'FAILED';
          task.failureReason = String(error);
        },
      );
      return { TaskHandle: task.handle };
    },
    ListMessageMoveTasks: (input) => {
      const { SourceArn, MaxResults } = listInput.parse(input);
      return { Results: tasksOf(find(queues, SourceArn)).slice(0, MaxResults).map(describe) };
    },
  };
}

function find(queues: Queues, arn: string): Queue {
  const queue = queues.find((one) => one.arn === arn);
  if (queue === undefined) throw new AwsServiceError('ResourceNotFoundException', `There is no queue ${arn}.`);
  return queue;
}

/** Without a destination, the queue that the messages came from. */
function destinationOf(queues: Queues, from: Queue, destinationArn: string | undefined): Queue {
  const sources = queues.filter(({ properties }) => properties.RedrivePolicy?.deadLetterTargetArn === from.arn);
  const [source] = sources;
  if (source === undefined)
    throw new AwsServiceError('InvalidParameterValue', `${from.physicalName} is not the dead-letter queue of a queue.`);
  if (destinationArn !== undefined) return find(queues, destinationArn);
  if (sources.length === 1) return source;
  // Each message would have to say which queue it came from: the sandbox does not keep that.
  throw new AwsServiceError(
    'UnsupportedOperation',
    `The sandbox does not know from which of ${sources.length} queues the messages of ${from.physicalName} came: pass DestinationArn.`,
  );
}

function describe({ handle, request, startedAt, toMove, moved, status, failureReason }: Task): object {
  return {
    ...request,
    ...(status === 'RUNNING' && { TaskHandle: handle }),
    Status: status,
    StartedTimestamp: startedAt.getTime(),
    ApproximateNumberOfMessagesToMove: toMove,
    ApproximateNumberOfMessagesMoved: moved,
    FailureReason: failureReason,
  };
}
