import { createOnboardingApi } from '#functions/onboarding/onboarding-api.ts';
import { createOperate } from '#functions/onboarding/operate.ts';
import { createRequest } from '#functions/onboarding/request.ts';
import { createRequestEvent } from '#functions/onboarding/request-event.ts';
import { createBus } from '#shared/bus.ts';
import { httpHandler, invocationHandler } from '#shared/handler.ts';
import { createOnboardingStore } from '#shared/onboarding-store.ts';
import { createQueue } from '#shared/queue.ts';
import { type BuildHandler, type ProcessDeps, toHandler } from './process-deps.ts';

/** What both of its ways take. */
function depsOf({ dynamodb, sqs, now, random, log, metrics, environment }: ProcessDeps) {
  return {
    store: createOnboardingStore({ dynamodb, tableName: 'onboardings', now }),
    queue: createQueue({ sqs, queueUrl: 'onboarding' }),
    settings: environment.onboarding,
    now,
    newSalt: () => random().toString(16),
    log,
    metrics,
  };
}

/** As `request.lambda.ts`. */
export const buildRequest: BuildHandler = (process) => {
  const deps = depsOf(process);
  const { store, metrics, log } = deps;
  const answer = createOnboardingApi({ request: createRequest(deps), operate: createOperate(deps), store });
  const handler = httpHandler(async (event) => {
    try {
      return await answer(event);
    } finally {
      metrics.flush();
    }
  }, log);
  return toHandler(handler);
};

/** As `request-event.lambda.ts`. */
export const buildRequestEvent: BuildHandler = (process) => {
  const { eventBridge, log, metrics } = process;
  const { publish } = createBus({ eventBridge, busName: 'drawbridge' });
  const request = createRequest(depsOf(process));
  return toHandler(invocationHandler(createRequestEvent({ request, publish }), { log, metrics }));
};
