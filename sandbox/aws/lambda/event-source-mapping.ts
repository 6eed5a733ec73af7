import { setTimeout as wait } from 'node:timers/promises';
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import type { Place } from '#sandbox/aws/stacks/identity.ts';
import { SandboxError } from '#sandbox/errors.ts';
import { cutErrorTypes } from './execution-environment.ts';
import type { FunctionHost, HostedFunction } from './function-host.ts';
import { failedOf, type Mapping, type Queue, toRecord } from './sqs-records.ts';

export type EventSourceMappingDeps = {
  readonly sqs: SQSClient;
  readonly functions: FunctionHost;
  readonly place: Place;
  /**
   * In seconds: how soon a message of the queue comes back after its function failed. Undefined leaves it invisible for as long as
   * its queue says, as AWS does: minutes.
   */
  readonly redeliveryDelay: (queueName: string) => number | undefined;
  /** Called when a run with messages of the queue was cut, before `redeliveryDelay`. */
  readonly onCut: (queueName: string, timeoutSeconds: number) => void;
  /** Called when these messages are deleted, or wait to become visible again. */
  readonly onReleased: (receiptHandles: readonly string[]) => void;
  readonly now: () => Date;
};

/** The most messages of one SQS receive. */
const maxReceived = 10;

/** In milliseconds: how long a poller waits after a call that failed. */
const pauseAfterFailure = 500;

/** As many batches at a time as a function has processes on the laptop; more would only wait. */
const maxPollers = 2;

/**
 * Polls the queues and hands their messages to the functions in batches, as Lambda does: what a function reports as
 * done is deleted, anything else comes back, and moves to the dead-letter queue in the end.
 *
 * @returns what stops it, once the batches under way are over
 */
export function startEventSourceMappings(
  { eventSourceMappings, queues }: Pick<Blueprint, 'eventSourceMappings' | 'queues'>,
  deps: EventSourceMappingDeps,
): () => Promise<void> {
  const stopping = new AbortController();
  const pollers = eventSourceMappings
    .filter(({ properties }) => properties.Enabled)
    .flatMap((mapping) => {
      const queue = queues.find(({ arn }) => arn === mapping.properties.EventSourceArn);
      const host = deps.functions.find(mapping.properties.FunctionName);
      if (queue === undefined || host === undefined)
        throw new SandboxError('NOT_HOSTED', `The sandbox does not know the queue or the function of ${mapping.path}.`);
      const most = Math.min(mapping.properties.ScalingConfig?.MaximumConcurrency ?? maxPollers, maxPollers);
      return Array.from({ length: most }, () => poll({ mapping, queue, host, deps, signal: stopping.signal }));
    });
  return async () => {
    stopping.abort();
    await Promise.all(pollers);
  };
}

type Poller = {
  readonly mapping: Mapping;
  readonly queue: Queue;
  readonly host: HostedFunction;
  readonly deps: EventSourceMappingDeps;
  readonly signal: AbortSignal;
};

async function poll(poller: Poller): Promise<void> {
  while (!poller.signal.aborted) {
    try {
      const messages = await receiveBatch(poller);
      const receiptHandles = messages.map(({ ReceiptHandle = '' }) => ReceiptHandle);
      if (messages.length > 0) await handOver(poller, messages).finally(() => poller.deps.onReleased(receiptHandles));
    } catch {
      // SQS is unreachable, or the host closes. Received messages become visible again, and Lambda continues to poll as well.
      await wait(pauseAfterFailure, undefined, { signal: poller.signal }).catch(() => undefined);
    }
  }
}

/** Waits for a first message, then for as many as a batch takes, or until the batching window ends. */
async function receiveBatch({ mapping, queue, deps, signal }: Poller): Promise<readonly Message[]> {
  const { BatchSize, MaximumBatchingWindowInSeconds } = mapping.properties;
  const batch: Message[] = [];
  let windowEnds: number | undefined;
  do {
    const left = windowEnds === undefined ? 20 : Math.ceil((windowEnds - deps.now().getTime()) / 1000);
    const { Messages = [] } = await deps.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queue.ref,
        MaxNumberOfMessages: Math.min(BatchSize - batch.length, maxReceived),
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
        WaitTimeSeconds: Math.min(20, left),
      }),
      { abortSignal: signal },
    );
    batch.push(...Messages);
    if (batch.length > 0) windowEnds ??= deps.now().getTime() + MaximumBatchingWindowInSeconds * 1000;
  } while (batch.length < BatchSize && windowEnds !== undefined && deps.now().getTime() < windowEnds);
  return batch;
}

async function handOver({ mapping, queue, host, deps }: Poller, messages: readonly Message[]): Promise<void> {
  /** @returns the messages that the function did not process */
  async function invoke(batch: readonly Message[]): Promise<readonly Message[]> {
    const event = { Records: batch.map((message) => toRecord(message, queue, deps.place)) };
    const result = await host.invoke(JSON.stringify(event), batch.map(traceOf));
    if (result.error !== undefined && cutErrorTypes.has(result.error.errorType))
      deps.onCut(queue.physicalName, host.timeoutSeconds);
    return result.error === undefined ? failedOf(mapping, batch, result.payload) : batch;
  }

  // Lambda receives a message of a recursive chain again and again, until SQS moves it to the dead-letter queue.
  const stopped = messages.filter((message) => host.stopsRecursion(traceOf(message), queue.physicalName));
  const allowed = messages.filter((message) => !stopped.includes(message));
  const failed = [...stopped, ...(allowed.length === 0 ? [] : await invoke(allowed))];
  const done = messages.filter((message) => !failed.includes(message));
  await forEachTen(done, (entries) =>
    deps.sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queue.ref, Entries: entries })),
  );
  const VisibilityTimeout = deps.redeliveryDelay(queue.physicalName);
  if (VisibilityTimeout === undefined) return;
  await forEachTen(failed, (entries) =>
    deps.sqs.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl: queue.ref,
        Entries: entries.map((entry) => ({ ...entry, VisibilityTimeout })),
      }),
    ),
  );
}

function traceOf({ Attributes }: Message): string | undefined {
  return Attributes?.AWSTraceHeader;
}

type Entry = { readonly Id: string; readonly ReceiptHandle: string };

async function forEachTen(messages: readonly Message[], act: (entries: Entry[]) => Promise<unknown>): Promise<void> {
  const entries = messages.map(({ ReceiptHandle = '' }, index) => ({ Id: String(index), ReceiptHandle }));
  for (let start = 0; start < entries.length; start += maxReceived)
    await act(entries.slice(start, start + maxReceived));
}
