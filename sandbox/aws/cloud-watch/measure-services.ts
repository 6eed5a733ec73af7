import { setInterval } from 'node:timers';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Invoked, Recursion } from '#sandbox/aws/lambda/function-host.ts';
import type { OnMatched } from '#sandbox/aws/services/event-rules.ts';
import { readQueueDepth, type Sqs } from '#sandbox/aws/services/sqs.ts';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { metricsIn } from './embedded-metrics.ts';
import type { MetricStore } from './metric-store.ts';

export type Measurements = {
  readonly onLog: (line: string) => void;
  readonly onInvoked: (invoked: Invoked) => void;
  readonly onRecursion: (recursion: Pick<Recursion, 'functionName'>) => void;
  readonly onMatched: OnMatched;
  /** @param status of an answer of the HTTP API */
  readonly onAnswered: (status: number) => void;
  /** Measures the queues regularly. @returns how to end that */
  readonly watchQueues: (queues: Blueprint['queues'], sqs: WatchedSqs) => () => void;
};

export type WatchedSqs = { readonly client: SQSClient; readonly oldestMessageAge: Sqs['oldestMessageAge'] };

/** In milliseconds of real time. */
const queueInterval = 5_000;

/**
 * Writes what AWS measures by itself, as far as alarms and the command line read it: invocations, errors and durations of
 * functions, answers of the API, messages in queues, events of rules. And what functions write in the embedded metric format.
 */
export function measureServices(
  { apis }: Pick<Blueprint, 'apis'>,
  { metrics, now }: { readonly metrics: MetricStore; readonly now: () => Date },
): Measurements {
  const add = (namespace: string, dimensions: Readonly<Record<string, string>>, values: Record<string, number>) => {
    for (const [name, value] of Object.entries(values))
      metrics.add({ namespace, name, dimensions }, value, now().getTime());
  };

  return {
    onLog: (line) => {
      for (const { id, value, at } of metricsIn(line)) metrics.add(id, value, at);
    },
    onInvoked: ({ functionName, isError, milliseconds }) =>
      add(
        'AWS/Lambda',
        { FunctionName: functionName },
        { Invocations: 1, Errors: isError ? 1 : 0, Duration: milliseconds },
      ),
    onRecursion: ({ functionName }) =>
      add('AWS/Lambda', { FunctionName: functionName }, { RecursiveInvocationsDropped: 1 }),
    onMatched: ({ bus, rule }) => add('AWS/Events', { EventBusName: bus, RuleName: rule }, { MatchedEvents: 1 }),
    onAnswered: (status) => {
      for (const { ref } of apis)
        add('AWS/ApiGateway', { ApiId: ref }, { Count: 1, '4xx': of(status, 400), '5xx': of(status, 500) });
    },
    watchQueues: (queues, { client, oldestMessageAge }) => {
      const measure = async () => {
        for (const { ref, physicalName } of queues) {
          const { visible, inFlight } = await readQueueDepth(client, ref);
          const values = {
            ApproximateNumberOfMessagesVisible: visible,
            ApproximateNumberOfMessagesNotVisible: inFlight,
            ApproximateAgeOfOldestMessage: oldestMessageAge(physicalName),
          };
          add('AWS/SQS', { QueueName: physicalName }, values);
        }
      };
      // A queue that cannot be measured now is measured the next time.
      const timer = setInterval(() => void measure().catch(() => undefined), queueInterval);
      return () => clearInterval(timer);
    },
  };
}

/** Whether a status is of these hundred, as a number to sum up. */
function of(status: number, hundred: number): number {
  return status >= hundred && status < hundred + 100 ? 1 : 0;
}
