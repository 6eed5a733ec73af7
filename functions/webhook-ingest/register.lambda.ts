import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { jsonVariable, readEnvironment, textVariable } from '#shared/env.ts';
import { invocationHandler } from '#shared/handler.ts';
import { createLog } from '#shared/log.ts';
import { createMetrics } from '#shared/metrics.ts';
import { connectPlatform, platformVariables } from '#shared/platform-connection.ts';
import { createPlatformFetch } from '#shared/platform-fetch.ts';
import { createVersionedSecret } from '#shared/versioned-secret.ts';
import { createWebhookSecretStore } from '#shared/webhook-secret-store.ts';
import { createRegister } from './register.ts';

const positive = z.coerce.number().check(z.positive());
const environment = readEnvironment(
  z.object({
    ...platformVariables,
    SECRET_ID: textVariable,
    SECRET_HEADER: textVariable,
    WEBHOOKS_URL: textVariable,
    REGISTERED_EVENT_TYPES: z.optional(jsonVariable(z.array(textVariable))),
    SECRET_ROTATION_DAYS: positive,
    SECRET_OVERLAP_HOURS: positive,
  }),
  process.env,
);
const { PLATFORM_PROFILE, REGISTERED_EVENT_TYPES = PLATFORM_PROFILE.eventTypes } = environment;
const now = () => new Date();
const write = (line: string) => process.stdout.write(line);
const log = createLog({ write, now });
const metrics = createMetrics({ write, now });
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true };
const secretsManager = new SecretsManagerClient({ requestHandler });

/** In milliseconds. */
const hour = 60 * 60_000;

const register = createRegister({
  client: connectPlatform(environment, {
    secretsManager,
    sqs: new SQSClient({ requestHandler }),
    fetch: createPlatformFetch(),
    now,
    random: Math.random,
    wait: (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
    timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
  }),
  secrets: createWebhookSecretStore(createVersionedSecret({ secretsManager, secretId: environment.SECRET_ID })),
  eventTypes: REGISTERED_EVENT_TYPES,
  webhooksUrl: environment.WEBHOOKS_URL,
  header: environment.SECRET_HEADER,
  rotation: {
    interval: environment.SECRET_ROTATION_DAYS * 24 * hour,
    overlap: environment.SECRET_OVERLAP_HOURS * hour,
  },
  // 64 characters that go into a header as they are.
  newSecret: () => randomBytes(48).toString('base64url'),
  now,
  wait: (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
  log,
  metrics,
});

export const handler = invocationHandler(register, { log, metrics });
