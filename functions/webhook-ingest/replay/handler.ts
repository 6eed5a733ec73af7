import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createBatchQueue } from '#shared/aws/queue.ts';
import { invocationHandler } from '#shared/lambda/handler.ts';
import { type ProcessDeps, textVariable } from '#shared/lambda/lambda-process.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createMetrics, metricsVariables } from '#shared/lambda/metrics.ts';
import { createReplay } from './replay.ts';

/** What the stacks put into the environment. */
export const variables = z.object({ ...metricsVariables, EVENTS_TABLE: textVariable, QUEUE_URL: textVariable });

type ReplayHandlerDeps = Pick<ProcessDeps, 'now' | 'timeout' | 'write'> & {
  readonly environment: z.infer<typeof variables>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
  /** Rows of a page. */
  readonly pageSize?: number;
};

/** In milliseconds. A run is asked to stop this long before its time limit, so that it can send the pages in progress, and answer. */
const reserve = 20_000;

/** The handler of `replay`, as its entry exports it. */
export function createHandler({ environment, dynamodb, sqs, now, timeout, write, ...more }: ReplayHandlerDeps) {
  const log = createLog({ write, now });
  const metrics = createMetrics({ write, now, environment: environment.ENVIRONMENT });
  const replay = createReplay({
    dynamodb,
    tableName: environment.EVENTS_TABLE,
    queue: createBatchQueue({ sqs, queueUrl: environment.QUEUE_URL }),
    now,
    log,
    ...(more.pageSize !== undefined && { pageSize: more.pageSize }),
  });
  return invocationHandler((event, { timeLimit }) => replay(event, timeout(Math.max(0, timeLimit - reserve))), {
    log,
    metrics,
  });
}
