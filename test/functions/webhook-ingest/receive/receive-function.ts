import type { Context } from 'aws-lambda';
import { createHandler } from '#functions/webhook-ingest/receive/handler.ts';
import { releasedVersion } from '#test/functions/webhook-ingest/store/store-function.ts';

/** The handler of a released version of `receive` that can read no secret, and gets a webhook with one. */
export function createFailingReceive(write: (line: string) => void) {
  const SECRET_HEADER = 'secret';
  const environment = { ...releasedVersion, ENVIRONMENT: 'test', QUEUE_URL: 'queue', SECRET_ID: 'id', SECRET_HEADER };
  const failing = { send: () => Promise.reject(new Error('planted')) };
  const handle = createHandler({ environment, secretsManager: failing, sqs: failing, now: () => new Date(0), write });
  return (context: Context) => handle({ headers: { [SECRET_HEADER]: 'a'.repeat(43) } }, context);
}
