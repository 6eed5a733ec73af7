import { createWaitingOnboardings } from '#functions/retry-undelivered/waiting-onboardings.ts';
import { createBatchQueue } from '#shared/batch-queue.ts';
import { invocationHandler } from '#shared/handler.ts';
import { createOnboardingFinder } from '#shared/onboarding-finder.ts';
import { type BuildHandler, toHandler } from './process-deps.ts';

/** The part of `reconcile.lambda.ts` that onboardings need: those that have waited for too long are woken. */
export const buildWakeDue: BuildHandler = ({ dynamodb, sqs, now, log, metrics }) => {
  const { listDue, wake } = createWaitingOnboardings({
    finder: createOnboardingFinder({ dynamodb, tableName: 'onboardings' }),
    queue: createBatchQueue({ sqs, queueUrl: 'onboarding' }),
  });
  return toHandler(invocationHandler(async () => wake(await listDue(now())), { log, metrics }));
};
