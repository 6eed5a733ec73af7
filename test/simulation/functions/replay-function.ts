import { createReplay } from '#functions/webhook-ingest/replay.ts';
import { createBatchQueue } from '#shared/batch-queue.ts';
import { invocationHandler } from '#shared/handler.ts';
import { type BuildHandler, toHandler } from './process-deps.ts';

/** In milliseconds: as in `replay.lambda.ts`. */
const reserve = 20_000;

/** Rows of a page: so that a list has several. */
const pageSize = 1;

/** As `replay.lambda.ts`. */
export const buildReplay: BuildHandler = ({ dynamodb, sqs, now, timeout, log, metrics }) => {
  const queue = createBatchQueue({ sqs, queueUrl: 'webhooks' });
  const replay = createReplay({ dynamodb, tableName: 'events', queue, now, log, pageSize });
  return toHandler(
    invocationHandler((event, { timeLimit }) => replay(event, timeout(Math.max(0, timeLimit - reserve))), {
      log,
      metrics,
    }),
  );
};
