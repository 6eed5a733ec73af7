import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { connectPlatform, platformVariables, skipBeforeFirstToken } from '#shared/connection/platform-connection.ts';
import { invocationHandler } from '#shared/lambda/handler.ts';
import { jsonVariable, type ProcessDeps, textVariable } from '#shared/lambda/lambda-process.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createMetrics, metricsVariables } from '#shared/lambda/metrics.ts';
import type { PlatformFetch } from '#shared/platform/client/http.ts';
import { createVersionedSecret } from '#shared/secrets/versioned-secret.ts';
import { createWebhookSecretStore } from '#shared/secrets/webhook-secret.ts';
import { createRegister, readRegisterRequest } from './register.ts';

const positive = z.coerce.number().check(z.positive());

/** What the stacks put into the environment. */
export const variables = z.object({
  ...metricsVariables,
  ...platformVariables,
  SECRET_ID: textVariable,
  SECRET_HEADER: textVariable,
  WEBHOOKS_URL: textVariable,
  FORMER_WEBHOOKS_URLS: z.optional(jsonVariable(z.array(textVariable))),
  REGISTERED_EVENT_TYPES: z.optional(jsonVariable(z.array(textVariable))),
  SECRET_ROTATION_DAYS: positive,
  SECRET_OVERLAP_HOURS: positive,
});

type RegisterHandlerDeps = ProcessDeps & {
  readonly environment: z.infer<typeof variables>;
  readonly secretsManager: Pick<SecretsManagerClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly fetch: PlatformFetch;
  /** 64 characters that go into a header as they are. */
  readonly newSecret: () => string;
};

/** In milliseconds. */
const hour = 60 * 60_000;

/** The handler of `register`, as its entry exports it. */
export function createHandler({ environment, newSecret, write, ...deps }: RegisterHandlerDeps) {
  const { now, wait, secretsManager } = deps;
  const { PLATFORM_PROFILE, REGISTERED_EVENT_TYPES = PLATFORM_PROFILE.eventTypes } = environment;
  const log = createLog({ write, now });
  const metrics = createMetrics({ write, now, environment: environment.ENVIRONMENT });
  const connection = connectPlatform(environment, { ...deps, metrics });
  const register = createRegister({
    client: connection,
    secrets: createWebhookSecretStore(createVersionedSecret({ secretsManager, secretId: environment.SECRET_ID, now })),
    eventTypes: REGISTERED_EVENT_TYPES,
    webhooksUrl: environment.WEBHOOKS_URL,
    formerWebhooksUrls: environment.FORMER_WEBHOOKS_URLS,
    header: environment.SECRET_HEADER,
    rotation: {
      interval: environment.SECRET_ROTATION_DAYS * 24 * hour,
      overlap: environment.SECRET_OVERLAP_HOURS * hour,
    },
    newSecret,
    now,
    wait,
    log,
    metrics,
  });
  const checkRequest = (event: unknown) => readRegisterRequest(event, REGISTERED_EVENT_TYPES);
  return invocationHandler(skipBeforeFirstToken(register, { connection, log, checkRequest }), { log, metrics });
}
