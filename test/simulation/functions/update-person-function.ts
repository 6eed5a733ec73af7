import { createUpdatePerson } from '#functions/onboarding/update-person.ts';
import { httpHandler } from '#shared/handler.ts';
import { createOnboardingStore } from '#shared/onboarding-store.ts';
import { connectPlatform } from '#shared/platform-connection.ts';
import { type BuildHandler, toHandler } from './process-deps.ts';

/** As `update-person.lambda.ts`. */
export const buildUpdatePerson: BuildHandler = ({ dynamodb, now, log, environment, ...deps }) => {
  const updatePerson = createUpdatePerson({
    store: createOnboardingStore({ dynamodb, tableName: 'onboardings', now }),
    client: connectPlatform(environment, { ...deps, now }),
    settings: environment.onboarding,
    log,
  });
  return toHandler(httpHandler(updatePerson, log));
};
