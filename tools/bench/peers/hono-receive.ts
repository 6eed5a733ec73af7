import { Hono } from 'hono';
import { handle, type LambdaEvent } from 'hono/aws-lambda';
import { isAuthentic, keepWebhook } from './take-webhook.ts';

const app = new Hono<{ Bindings: { event: LambdaEvent } }>();

app.post('/webhooks/:part/:eventType', async (context) => {
  if (!(await isAuthentic(context.req.header('x-webhook-secret')))) return context.body(null, 401);
  const { requestContext } = context.env.event;
  await keepWebhook({
    ...requestContext,
    eventType: context.req.param('eventType'),
    body: await context.req.text(),
  });
  return context.body(null, 200);
});

/** Hono with its own adapter. */
export const handler = handle(app);
