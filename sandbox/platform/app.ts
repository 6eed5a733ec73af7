import { Hono } from 'hono';
import * as z from 'zod';
import type { Deliveries } from './deliveries.ts';
import { markDeliveredWebhooksData, webhookData } from './webhook.ts';

export type PlatformDeps = { readonly deliveries: Deliveries; readonly newId: () => string };

/** A request that the platform refuses, with the status that section 7 lists for it. */
class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: 400 | 404;
  readonly responseType: string;

  constructor(status: 400 | 404, responseType: string, message: string) {
    super(message);
    this.status = status;
    this.responseType = responseType;
  }
}

/** The default page size of list operations (section 8). */
const defaultLimit = 20;
const page = z.object({
  cursor: z.string().default(''),
  limit: z.coerce.number().int().min(1).max(1_000).default(defaultLimit),
});

const notification = z.strictObject({ eventType: z.string(), body: z.string() });

/** The webhook operations of the platform over HTTP, and the calls below /control that make it do something. */
export function createPlatformApp({ deliveries, newId }: PlatformDeps): Hono {
  const app = new Hono();

  app.get('/webhooks', (context) => context.json(deliveries.list()));
  app.post('/webhooks', async (context) => {
    const data = read(webhookData, await readJson(context.req.raw));
    if (!deliveries.knows(data.eventType)) throw badRequest(`eventType: ${data.eventType} is no event type.`);
    deliveries.register(data);
    return context.body(null, 200);
  });
  app.get('/webhooks/:eventType', (context) => {
    const webhook = deliveries.get(context.req.param('eventType'));
    if (webhook === undefined) throw notFound('No webhook is registered for this event type.');
    return context.json(webhook);
  });
  app.delete('/webhooks/:eventType', (context) => {
    deliveries.unregister(context.req.param('eventType'));
    return context.body(null, 200);
  });
  app.get('/webhooks-missing', (context) => context.json(deliveries.missing()));
  app.get('/webhooks-undelivered', (context) => {
    const { cursor, limit } = read(page, context.req.query());
    const all = deliveries.undelivered();
    const start = cursor === '' ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
    const data = all.slice(start, start + limit);
    const next = start + limit < all.length ? (data.at(-1)?.id ?? '') : '';
    return context.json({ data, pagination: { cursor: next, limit } });
  });
  app.post('/webhooks-undelivered/mark-delivered', async (context) => {
    const { undeliveredWebhookId } = read(markDeliveredWebhooksData, await readJson(context.req.raw));
    if (!deliveries.markDelivered(undeliveredWebhookId)) throw notFound('No undelivered webhook has this id.');
    return context.body(null, 200);
  });

  app.post('/control/notifications', async (context) => {
    const { eventType, body } = read(notification, await readJson(context.req.raw));
    return context.json(await deliveries.notify(eventType, Buffer.from(body)));
  });

  app.notFound((context) =>
    context.json({ ...errorBody('NOT_FOUND', 'There is no such operation.'), requestId: newId() }, 404),
  );
  app.onError((error, context) => {
    const requestId = newId();
    if (error instanceof RefusedError)
      return context.json({ ...errorBody(error.responseType, error.message), requestId }, error.status);
    console.error(error);
    return context.json({ ...errorBody('INTERNAL_SERVER_ERROR', 'The sandbox failed: see its log.'), requestId }, 500);
  });
  return app;
}

function errorBody(responseType: string, message: string): { readonly responseType: string; readonly message: string } {
  return { responseType, message };
}

function badRequest(message: string): RefusedError {
  return new RefusedError(400, 'BAD_REQUEST', message);
}

function notFound(message: string): RefusedError {
  return new RefusedError(404, 'NOT_FOUND', message);
}

async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    throw badRequest('The body must be JSON.');
  }
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw badRequest(problems.join('; '));
}
