import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { createHandler as createAdvance } from '#functions/onboarding/advance/handler.ts';
import { createHandler as createApi } from '#functions/onboarding/api/handler.ts';
import { createHandler as createErasePerson } from '#functions/onboarding/erase-person/handler.ts';
import { createHandler as createRequestEvent } from '#functions/onboarding/request-event/handler.ts';
import { createHandler as createUpdatePerson } from '#functions/onboarding/update-person/handler.ts';
import { createHandler as createWake } from '#functions/onboarding/wake/handler.ts';
import { createHandler as createDrain } from '#functions/retry-undelivered/drain/handler.ts';
import { createHandler as createReconcile } from '#functions/retry-undelivered/reconcile/handler.ts';
import { createHandler as createRefresh } from '#functions/token-refresher/refresh/handler.ts';
import { createHandler as createReceive } from '#functions/webhook-ingest/receive/handler.ts';
import { createHandler as createRegister } from '#functions/webhook-ingest/register/handler.ts';
import { createHandler as createReplay } from '#functions/webhook-ingest/replay/handler.ts';
import { createHandler as createStore } from '#functions/webhook-ingest/store/handler.ts';
import type { ProcessDeps } from '#shared/lambda/lambda-process.ts';
import type { PlatformFetch } from '#shared/platform/client/http.ts';
import type { FunctionName } from '#test/simulation/declared.ts';
import { type SimulatedEnvironment, variablesOf } from './simulated-environment.ts';

/** The dependencies that the entry of a function passes to its handler, simulated. */
export type SimulatedDeps = ProcessDeps & {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly secretsManager: Pick<SecretsManagerClient, 'send'>;
  readonly eventBridge: Pick<EventBridgeClient, 'send'>;
  readonly fetch: PlatformFetch;
  /** 64 characters. */
  readonly newSecret: () => string;
  readonly newSalt: () => string;
  /** The number of rows per page. */
  readonly pageSize: number;
};

/** A Lambda handler, as the entry of a function exports it. */
export type Handler = (event: unknown, context: object) => Promise<unknown>;

type Deps = SimulatedDeps & { readonly environment: ReturnType<typeof variablesOf> };

/** Builds each handler as its entry does. The stacks pass the header to `receive` in lower case, as API Gateway sends it. */
const builders: Readonly<Record<FunctionName, (deps: Deps) => unknown>> = {
  receive: ({ environment, ...deps }) => {
    const header = environment.SECRET_HEADER.toLowerCase();
    return createReceive({ ...deps, environment: { ...environment, SECRET_HEADER: header } });
  },
  store: createStore,
  drain: createDrain,
  refresh: createRefresh,
  register: createRegister,
  reconcile: createReconcile,
  replay: createReplay,
  api: createApi,
  'request-event': createRequestEvent,
  'update-person': createUpdatePerson,
  'erase-person': createErasePerson,
  advance: createAdvance,
  wake: createWake,
};

/** Builds the handler that the entry of a function builds at load time. */
export function buildHandler(name: FunctionName, deps: SimulatedDeps, environment: SimulatedEnvironment): Handler {
  return builders[name]({ ...deps, environment: variablesOf(environment) }) as Handler;
}
