import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { errors, json, jsonBody } from '#sandbox/platform/http/operation.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';
import type { Deliveries } from '#sandbox/platform/webhooks/deliveries.ts';
import type { MadeUpDeliveries } from '#sandbox/platform/webhooks/made-up-deliveries.ts';

export type WebhookControlDeps = {
  readonly deliveries: Deliveries;
  readonly madeUpDeliveries: MadeUpDeliveries;
  readonly settings: SettingsStore;
};

const notification = z.strictObject({
  eventType: z.string(),
  body: z.string().describe('Sent unchanged'),
});

const outcome = z
  .strictObject({
    outcome: z.enum(['delivered', 'retrying', 'undelivered', 'unregistered']),
    status: z.int().optional(),
    errorMessage: z.string().optional(),
  })
  .meta({ id: 'Delivery' });

const undeliveredRequest = z
  .strictObject({
    count: z.int().min(1).max(100_000),
    malformed: z
      .int()
      .min(0)
      .default(0)
      .describe(
        'How many of them do not fit the schema of the list: without body, createdOn or webhook, with null or no date in them',
      ),
    eventType: z.string().default('TRANSFER_NOTIFICATION'),
    status: z.string().default('PROCESSED').describe('The status in each body'),
    url: z
      .url()
      .optional()
      .describe(
        "The URL of their webhook, such as another system's, which has no headers; the registered webhook unless given",
      ),
  })
  .refine(({ count, malformed }) => malformed <= count, {
    path: ['malformed'],
    error: 'must not be more than count.',
  });

/** Notifications with any content, and large numbers of undelivered webhooks. */
export function createWebhookControl({ deliveries, madeUpDeliveries, settings }: WebhookControlDeps): OpenAPIHono {
  const router = createRouter(settings);
  router.openapi(
    createRoute({
      operationId: 'sendNotification',
      summary: 'Delivers a body to the webhook of an event type, and answers after the first attempt',
      method: 'post',
      path: '/notifications',
      request: { body: jsonBody(notification) },
      responses: { 200: json('The result of the delivery', outcome), ...errors() },
    }),
    async (context) => {
      const { eventType, body } = context.req.valid('json');
      return context.json(await deliveries.begin(eventType, Buffer.from(body)).firstResult(), 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'addUndeliveredWebhooks',
      summary: 'Makes up failed deliveries, each with its own body',
      method: 'post',
      path: '/undelivered-webhooks',
      request: { body: jsonBody(undeliveredRequest) },
      responses: {
        200: json('The number of undelivered webhooks now', z.strictObject({ count: z.int() })),
        ...errors(),
      },
    }),
    (context) => context.json({ count: madeUpDeliveries.add(context.req.valid('json')) }, 200),
  );
  return router;
}
