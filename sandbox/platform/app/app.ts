import { setTimeout as wait } from 'node:timers/promises';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { matchedRoutes } from 'hono/route';
import { createTokenRoutes } from '#sandbox/platform/access/token-routes.ts';
import { RefusedError, toErrorBody } from '#sandbox/platform/core/refused-error.ts';
import { applyFaults } from '#sandbox/platform/faults/apply-faults.ts';
import { formAnswers } from '#sandbox/platform/forms/form-answers.ts';
import { jsonBody } from '#sandbox/platform/http/operation.ts';
import { recordRequests } from '#sandbox/platform/http/request-log.ts';
import { requireJson } from '#sandbox/platform/http/require-json.ts';
import { tagged } from '#sandbox/platform/http/tagged.ts';
import { createNaturalPersonRoutes } from '#sandbox/platform/persons/natural-person-routes.ts';
import { createTradingRoutes } from '#sandbox/platform/trading/trading-routes.ts';
import { createIdentificationVerificationRoutes } from '#sandbox/platform/verifications/identification-verification-routes.ts';
import { notificationSchemaOf } from '#sandbox/platform/webhooks/notification-schemas.ts';
import { createWebhookRoutes } from '#sandbox/platform/webhooks/webhook-routes.ts';
import { createControl } from './control.ts';
import type { Platform } from './platform.ts';

/** The size limit of a body. The specification documents none (section 8). */
const maxBodyBytes = 10 * 1024 * 1024;

const unreadableBody = 'The body must be JSON, with the header Content-Type: application/json (curl --json).';

export type PlatformAppOptions = {
  /** Further routes below /control. */
  readonly furtherControl?: Hono | undefined;
  /** Advances the clock for the control API, by default that of the platform only. */
  readonly advance?: ((seconds: number) => Promise<void>) | undefined;
  /** Whether the control API lists the calls of the API. Recording costs time. */
  readonly logsRequests?: boolean;
};

/** The platform over HTTP: its API, its token service, their OpenAPI document, and the control API. */
export function createPlatformApp(
  platform: Platform,
  { furtherControl, advance, logsRequests = true }: PlatformAppOptions = {},
): OpenAPIHono {
  const { newId, profile, tokens, faults, requests, clock } = platform;
  const api = createApi(platform);
  const operations = operationsOf(api);
  const app = new OpenAPIHono();
  answerErrors(app, platform);

  const operationOf = (context: Context) =>
    matchedRoutes(context)
      .map(({ method, path }) => operations.get(`${method} ${path}`))
      .find((operation) => operation !== undefined);
  if (logsRequests) app.use(recordRequests({ requests, operationOf, now: clock.now, tokenPath: profile.token.path }));
  app.get('/openapi.json', (context) => context.json(describeApi(api)));
  app.route('/control', createControl(platform, { operations: new Set(operations.values()), advance }));
  if (furtherControl !== undefined) app.route('/control', furtherControl);
  app.all('/control/*', (context) => context.notFound());

  app.use(formAnswers({ writtenBy: platform.writtenBy, operationOf }));
  app.use(applyFaults({ faults, operationOf, newId, wait }));
  app.use(async (context, next) => {
    if (context.req.path !== profile.token.path) tokens.check(context.req.header('authorization'));
    await next();
  });
  // Hono also takes application/merge-patch+json and its like.
  const jsonOperations = jsonOperationsOf(api);
  app.use((context, next) => (jsonOperations.has(operationOf(context) ?? '') ? requireJson(context, next) : next()));
  app.route('/', api);
  return app;
}

/** Answers every failure with an error body, and never with the message of an error of the sandbox itself. */
function answerErrors(app: OpenAPIHono, { newId, onError }: Platform): void {
  app.notFound((context) => context.json(toErrorBody(404, 'There is no such operation.', newId()), 404));
  app.onError((error, context) => {
    if (error instanceof RefusedError) {
      // RFC 6750 section 3.
      if (error.status === 401) context.header('www-authenticate', 'Bearer');
      return context.json(toErrorBody(error.status, error.message, newId(), error), error.status);
    }
    if (error instanceof HTTPException || isInterruption(error))
      return context.json(toErrorBody(400, unreadableBody, newId()), 400);
    onError(error);
    return context.json(toErrorBody(500, 'The sandbox failed. Read its log.', newId()), 500);
  });
  const tooLarge = `The body must have ${maxBodyBytes} bytes at most.`;
  const limit = bodyLimit({
    maxSize: maxBodyBytes,
    onError: (context) => context.json(toErrorBody(413, tooLarge, newId()), 413),
  });
  // A snapshot is as large as the state that was saved.
  app.use((context, next) => (context.req.path === '/control/snapshot' ? next() : limit(context, next)));
}

/** The client disconnected before the end of its body. */
function isInterruption(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET';
}

const apiTags = [
  { name: 'Token service', description: 'OAuth 2.0 client credentials (section 5)' },
  { name: 'Webhooks', description: 'Registrations and undelivered webhooks (sections 2.1 and 2.2)' },
  { name: 'Natural persons', description: 'Section 2.4' },
  { name: 'Identification verifications', description: 'Video identification (section 2.5)' },
  { name: 'Trading', description: 'Assets, orders, trade invoices and transfers (sections 3.3 to 3.5)' },
];

/** Every operation of the platform. */
function createApi(platform: Platform): OpenAPIHono {
  const api = new OpenAPIHono();
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' });
  api.route('/', tagged('Token service', createTokenRoutes(platform.tokens, platform.profile)));
  api.route('/', tagged('Webhooks', createWebhookRoutes(platform)));
  api.route('/', tagged('Natural persons', createNaturalPersonRoutes(platform)));
  api.route('/', tagged('Identification verifications', createIdentificationVerificationRoutes(platform)));
  api.route('/', tagged('Trading', createTradingRoutes(platform)));
  describeWebhooks(api, platform);
  return api;
}

/** TRANSFER_NOTIFICATION as TransferNotification. */
function wordsOf(eventType: string): string {
  return eventType
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');
}

/** The webhooks that the platform calls at the partner, with the event type in place of a path. */
function describeWebhooks({ openAPIRegistry }: OpenAPIHono, { registrations }: Platform): void {
  for (const eventType of registrations.eventTypes)
    openAPIRegistry.registerWebhook({
      operationId: `receive${wordsOf(eventType)}`,
      summary: 'Sent to the registered URL, with the registered headers (section 6)',
      method: 'post',
      path: eventType,
      security: [],
      request: { body: jsonBody(notificationSchemaOf(eventType)) },
      responses: { 200: { description: 'Received. Any other answer than 2xx is a failure, and tried again' } },
    });
}

function describeApi(api: OpenAPIHono): object {
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'The partner platform, as simulated by the sandbox of Drawbridge',
      version: '1.0',
      description: 'Section numbers are those of the specification of the platform.',
    },
    tags: apiTags,
    security: [{ bearer: [] }],
  });
}

/** The operations whose body must be JSON (section 4), by their operationId. */
function jsonOperationsOf({ openAPIRegistry }: OpenAPIHono): ReadonlySet<string> {
  return new Set(
    openAPIRegistry.definitions.flatMap((definition) => {
      if (definition.type !== 'route') return [];
      const { operationId = '', request } = definition.route;
      return Object.hasOwn(request?.body?.content ?? {}, 'application/json') ? [operationId] : [];
    }),
  );
}

/** The operationId by the method and path of a route, as Hono writes them. */
function operationsOf({ openAPIRegistry }: OpenAPIHono): ReadonlyMap<string, string> {
  const operations = new Map<string, string>();
  for (const definition of openAPIRegistry.definitions)
    if (definition.type === 'route') {
      const { method, path, operationId = '' } = definition.route;
      operations.set(`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, operationId);
    }
  return operations;
}
