import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createBatchQueue } from '#shared/batch-queue.ts';
import { readEnvironment, textVariable } from '#shared/env.ts';
import { invocationHandler } from '#shared/handler.ts';
import { createLog } from '#shared/log.ts';
import { createMetrics } from '#shared/metrics.ts';
import { createReplay } from './replay.ts';

const environment = readEnvironment(z.object({ EVENTS_TABLE: textVariable, QUEUE_URL: textVariable }), process.env);
const now = () => new Date();
const write = (line: string) => process.stdout.write(line);
const log = createLog({ write, now });
const metrics = createMetrics({ write, now });
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true };

const replay = createReplay({
  dynamodb: new DynamoDBClient({ requestHandler }),
  tableName: environment.EVENTS_TABLE,
  queue: createBatchQueue({ sqs: new SQSClient({ requestHandler }), queueUrl: environment.QUEUE_URL }),
  now,
  log,
});

/** In milliseconds: the pages that are under way when a run is told to stop are sent by then, and it can answer. */
const reserve = 20_000;

export const handler = invocationHandler(
  (event, { timeLimit }) => replay(event, AbortSignal.timeout(Math.max(0, timeLimit - reserve))),
  { log, metrics },
);
