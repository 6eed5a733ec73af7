import { createRegister } from '#functions/webhook-ingest/register.ts';
import { invocationHandler } from '#shared/handler.ts';
import { connectPlatform } from '#shared/platform-connection.ts';
import { createVersionedSecret } from '#shared/versioned-secret.ts';
import { createWebhookSecretStore } from '#shared/webhook-secret-store.ts';
import { type BuildHandler, toHandler } from './process-deps.ts';

/** As `register.lambda.ts`. */
export const buildRegister: BuildHandler = ({ secretsManager, now, wait, log, metrics, environment, ...deps }) => {
  const register = createRegister({
    client: connectPlatform(environment, { ...deps, secretsManager, now, wait }),
    secrets: createWebhookSecretStore(createVersionedSecret({ secretsManager, secretId: 'webhook-secret' })),
    eventTypes: environment.PLATFORM_PROFILE.eventTypes,
    webhooksUrl: environment.webhooksUrl,
    header: environment.secretHeader,
    rotation: environment.rotation,
    newSecret: deps.newSecret,
    now,
    wait,
    log,
    metrics,
  });
  return toHandler(invocationHandler(register, { log, metrics }));
};
