import { createUpdatePerson, updatePatience } from '#functions/onboarding/update-person.ts';
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
    now,
    patience: updatePatience,
    log,
  });
  return toHandler(httpHandler(updatePerson, log, 'Not taken by the platform, as far as is known. Send it again.'));
};
