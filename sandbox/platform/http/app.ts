import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import { createTokenRoutes } from '#sandbox/platform/access/token-routes.ts';
import { RefusedError, toErrorBody } from '#sandbox/platform/core/refused-error.ts';
import { commitFaults } from '#sandbox/platform/faults/commit-faults.ts';
import { createIdentificationVerificationRoutes } from '#sandbox/platform/persons/identification-verification-routes.ts';
import { createNaturalPersonRoutes } from '#sandbox/platform/persons/natural-person-routes.ts';
import type { Platform } from '#sandbox/platform/platform.ts';
import { createTradingRoutes } from '#sandbox/platform/trading/trading-routes.ts';
import { createWebhookRoutes } from '#sandbox/platform/webhooks/webhook-routes.ts';
import { createControl } from './control.ts';

/** The platform over HTTP: its API and its token service, what they are in OpenAPI, and the control API. */
export function createPlatformApp(platform: Platform): OpenAPIHono {
  const { newId, profile, tokens, faults, onError } = platform;
  const api = createApi(platform);
  const app = new OpenAPIHono();

  app.notFound((context) => context.json(toErrorBody(404, 'There is no such operation.', newId()), 404));
  app.onError((error, context) => {
    if (error instanceof RefusedError)
      return context.json(toErrorBody(error.status, error.message, newId(), error), error.status);
    if (error instanceof HTTPException) return context.json(toErrorBody(400, whyUnread, newId()), 400);
    onError(error);
    return context.json(toErrorBody(500, 'The sandbox failed: see its log.', newId()), 500);
  });

  app.get('/openapi.json', (context) => context.json(describeApi(api)));
  app.route('/control', createControl(platform));
  const operations = operationsOf(api);
  const operationOf = (context: Context) => operations.get(`${context.req.method} ${routePath(context, -1)}`);
  app.use(commitFaults({ faults, operationOf, newId }));
  app.use(async (context, next) => {
    if (context.req.path !== profile.token.path) tokens.check(context.req.header('authorization'));
    await next();
  });
  app.route('/', api);
  return app;
}

const whyUnread = 'The body must be JSON, with the header Content-Type: application/json (curl --json).';

/** Every operation of the specification, and those of the platform facts. */
function createApi(platform: Platform): OpenAPIHono {
  const api = new OpenAPIHono();
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' });
  api.route('/', createTokenRoutes(platform.tokens, platform.profile));
  api.route('/', createWebhookRoutes(platform));
  api.route('/', createNaturalPersonRoutes(platform));
  api.route('/', createIdentificationVerificationRoutes(platform));
  api.route('/', createTradingRoutes(platform));
  return api;
}

function describeApi(api: OpenAPIHono): object {
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'The partner platform, as the sandbox of Drawbridge plays it',
      version: '1.0',
      description: 'Section numbers are those of the specification of the platform.',
    },
    security: [{ bearer: [] }],
  });
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
