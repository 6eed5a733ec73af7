import { createAdvance } from '#functions/onboarding/advance.ts';
import { createLook } from '#functions/onboarding/look.ts';
import { createMakeCall } from '#functions/onboarding/make-call.ts';
import { createBus } from '#shared/bus.ts';
import { batchHandler } from '#shared/handler.ts';
import { createOnboardingStore } from '#shared/onboarding-store.ts';
import { connectPlatform } from '#shared/platform-connection.ts';
import { createQueue } from '#shared/queue.ts';
import { type BuildHandler, toHandler } from './process-deps.ts';

/** As `advance.lambda.ts`. */
export const buildAdvance: BuildHandler = ({ dynamodb, sqs, eventBridge, now, log, metrics, environment, ...deps }) => {
  const { onboarding: settings } = environment;
  const client = connectPlatform(environment, { ...deps, sqs, now });
  const advance = createAdvance({
    store: createOnboardingStore({ dynamodb, tableName: 'onboardings', now }),
    look: createLook({ client, settings, now }),
    makeCall: createMakeCall({ client, settings, now }),
    settings,
    publish: createBus({ eventBridge, busName: 'drawbridge' }).publish,
    queue: createQueue({ sqs, queueUrl: 'onboarding' }),
    now,
    log,
    metrics,
  });
  return toHandler(batchHandler(advance, { log, metrics }));
};
