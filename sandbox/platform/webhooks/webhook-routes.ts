import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod';
import type { Requestors } from '#sandbox/platform/access/requestors.ts';
import { pageQuery, pagination } from '#sandbox/platform/core/page.ts';
import { RefusedError, refusedField } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { errors, furtherRequestorHeader, json, jsonBody } from '#sandbox/platform/http/operation.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import type { Registrations } from './registrations.ts';
import type { UndeliveredWebhooks } from './undelivered-webhooks.ts';
import {
  malformedUndeliveredWebhook,
  markDeliveredWebhooksData,
  undeliveredWebhook,
  type WebhookData,
  webhook,
  webhookData,
  webhookMissing,
} from './webhook-schema.ts';

export type WebhookRoutesDeps = {
  readonly registrations: Registrations;
  readonly undelivered: UndeliveredWebhooks;
  readonly requestors: Pick<Requestors, 'requireEverywhere'>;
  readonly settings: SettingsStore;
  readonly profile: PlatformProfile;
};

const undeliveredRecord = z.union([undeliveredWebhook, malformedUndeliveredWebhook]);

const done = { description: 'Done; no body' };

/** @throws {RefusedError} Bad Request for the value of a header that is not printable ASCII */
function checkAsciiHeaders({ headers = [] }: WebhookData): void {
  const index = headers.findIndex(({ value }) => !/^[\t\x20-\x7e]*$/.test(value));
  if (index >= 0) throw refusedField(`headers.${index}.value`, 'must be printable ASCII');
}

/** The webhook operations (section 2), on the paths of the profile. They take a Requestor-ID only if the settings say so. */
export function createWebhookRoutes(deps: WebhookRoutesDeps): OpenAPIHono {
  const { registrations, undelivered, requestors, settings, profile } = deps;
  const { webhooks, missing, undelivered: undeliveredPath, markDelivered } = profile.webhookPaths;
  const router = createRouter(settings);
  const headers = furtherRequestorHeader;
  const middleware = createMiddleware(async (context, next) => {
    requestors.requireEverywhere(context.req.header('requestor-id')?.toLowerCase());
    await next();
  });

  router.openapi(
    createRoute({
      operationId: 'listWebhooks',
      summary: 'The webhooks that are registered (section 2.1)',
      method: 'get',
      path: webhooks,
      middleware,
      request: { headers },
      responses: { 200: json('Every webhook that is registered', z.array(webhook)), ...errors(403) },
    }),
    (context) => context.json(registrations.list(), 200),
  );
  router.openapi(
    createRoute({
      operationId: 'registerWebhook',
      summary: 'Creates or replaces the webhook of an event type (section 2.1)',
      method: 'post',
      path: webhooks,
      middleware,
      request: { headers, body: jsonBody(webhookData) },
      responses: { 200: done, ...errors(403) },
    }),
    (context) => {
      const data = context.req.valid('json');
      if (!registrations.knows(data.eventType)) throw refusedField('eventType', 'is not an event type.');
      if (settings.read().sentFields.hasAsciiHeaders === true) checkAsciiHeaders(data);
      registrations.register(data);
      return context.body(null, 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'listMissingWebhooks',
      summary: 'The event types without a webhook (section 2.1)',
      method: 'get',
      path: missing,
      middleware,
      request: { headers },
      responses: { 200: json('The event types', z.array(webhookMissing)), ...errors(403) },
    }),
    (context) => context.json(registrations.missing(), 200),
  );

  router.openapi(
    createRoute({
      operationId: 'listUndeliveredWebhooks',
      summary: 'The deliveries that failed (section 2.2)',
      description: 'In the order, and with the cursors, of the settings undeliveredOrder and undeliveredCursor.',
      method: 'get',
      path: undeliveredPath,
      middleware,
      request: { headers, query: z.object(pageQuery) },
      responses: {
        200: json('A page', z.strictObject({ data: z.array(undeliveredRecord), pagination })),
        ...errors(403),
      },
    }),
    (context) => context.json(undelivered.list(context.req.valid('query')), 200),
  );
  router.openapi(
    createRoute({
      operationId: 'markWebhooksDelivered',
      summary: 'Marks one undelivered webhook, and all older ones, as delivered (section 2.2)',
      method: 'post',
      path: markDelivered,
      middleware,
      request: { headers, body: jsonBody(markDeliveredWebhooksData) },
      responses: { 200: done, ...errors(403, 404) },
    }),
    (context) => {
      const { undeliveredWebhookId } = context.req.valid('json');
      if (!undelivered.markDelivered(undeliveredWebhookId))
        throw new RefusedError(404, 'No undelivered webhook has this id.');
      return context.body(null, 200);
    },
  );

  // After the others, since a profile may put one of those below it.
  const params = z.object({ eventType: z.string() });
  router.openapi(
    createRoute({
      operationId: 'getWebhook',
      summary: 'The webhook of an event type (section 2.1)',
      method: 'get',
      path: `${webhooks}/{eventType}`,
      middleware,
      request: { headers, params },
      responses: { 200: json('The webhook of the event type', webhook), ...errors(403, 404) },
    }),
    (context) => {
      const found = registrations.get(context.req.valid('param').eventType);
      if (found === undefined) throw new RefusedError(404, 'No webhook is registered for this event type.');
      return context.json(found, 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'deleteWebhook',
      summary: 'Removes the webhook of an event type; if there is one',
      method: 'delete',
      path: `${webhooks}/{eventType}`,
      middleware,
      request: { headers, params },
      responses: { 200: done, ...errors(403) },
    }),
    (context) => {
      registrations.unregister(context.req.valid('param').eventType);
      return context.body(null, 200);
    },
  );
  return router;
}
