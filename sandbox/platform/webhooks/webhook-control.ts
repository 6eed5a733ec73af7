import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import type { SettingsStore } from '#sandbox/platform/core/settings.ts';
import { errors, json, jsonBody } from '#sandbox/platform/http/operation.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';
import type { Deliveries } from './deliveries.ts';
import type { MadeUpDeliveries } from './made-up-deliveries.ts';

export type WebhookControlDeps = {
  readonly deliveries: Deliveries;
  readonly madeUpDeliveries: MadeUpDeliveries;
  readonly settings: SettingsStore;
};

const notification = z.strictObject({
  eventType: z.string(),
  body: z.string().describe('Sent as it is, whatever it is'),
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

/** Notifications of any content, and undelivered webhooks by the thousand. */
export function createWebhookControl({ deliveries, madeUpDeliveries, settings }: WebhookControlDeps): OpenAPIHono {
  const router = createRouter(settings);
  router.openapi(
    createRoute({
      operationId: 'sendNotification',
      summary: 'Delivers a body to the webhook of an event type; answered after the first attempt',
      method: 'post',
      path: '/notifications',
      request: { body: jsonBody(notification) },
      responses: { 200: json('What became of it', outcome), ...errors() },
    }),
    async (context) => {
      const { eventType, body } = context.req.valid('json');
      const { promise: retrying, resolve } = Promise.withResolvers<{ outcome: 'retrying' }>();
      const last = deliveries.deliver(eventType, Buffer.from(body), () => resolve({ outcome: 'retrying' }));
      return context.json(await Promise.race([last, retrying]), 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'addUndeliveredWebhooks',
      summary: 'Makes up deliveries that have failed, each with a body of its own',
      method: 'post',
      path: '/undelivered-webhooks',
      request: { body: jsonBody(undeliveredRequest) },
      responses: { 200: json('How many there are now', z.strictObject({ count: z.int() })), ...errors() },
    }),
    (context) => context.json({ count: madeUpDeliveries.add(context.req.valid('json')) }, 200),
  );
  return router;
}
