import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import { dateTime } from '#sandbox/platform/core/fields.ts';
import { pageQuery, pagination } from '#sandbox/platform/core/page.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { errors, json } from '#sandbox/platform/http/operation.ts';
import type { LoggedRequest, RequestLog } from '#sandbox/platform/http/request-log.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';
import type { Deliveries } from '#sandbox/platform/webhooks/deliveries.ts';
import type { DeliveryLog, LoggedDelivery } from '#sandbox/platform/webhooks/delivery-log.ts';

export type LogControlDeps = {
  readonly requests: RequestLog;
  readonly deliveryLog: DeliveryLog;
  readonly deliveries: Pick<Deliveries, 'begin'>;
  readonly settings: SettingsStore;
};

const requestView = z
  .strictObject({
    requestId: z.string().describe('req-1, req-2 …: the number of the call in the log'),
    method: z.string(),
    path: z.string(),
    query: z.string(),
    operation: z.string().optional().describe('The operationId; absent if there is no such operation'),
    requestorId: z.string().optional(),
    status: z.int(),
    body: z.string().optional().describe('The first 10,000 characters. Absent for Get Token'),
    answer: z.string().optional().describe('The first 10,000 characters. Absent for Get Token'),
    startedOn: dateTime,
  })
  .meta({ id: 'LoggedRequest' });

const outcome = z.enum(['sending', 'retrying', 'delivered', 'undelivered', 'unregistered']);

const deliveryView = z
  .strictObject({
    deliveryId: z.string().describe('dlv-1, dlv-2 …: the number of the delivery in the log'),
    eventType: z.string(),
    cause: z.enum(['PLATFORM', 'CONTROL', 'RESEND']),
    resendOf: z.string().optional().describe('The delivery that this one repeats'),
    url: z.string().optional().describe('Absent if the event type has no webhook'),
    body: z.string(),
    outcome,
    attempts: z.array(
      z.strictObject({ startedOn: dateTime, status: z.int().optional(), errorMessage: z.string().optional() }),
    ),
    createdOn: dateTime,
  })
  .meta({ id: 'LoggedDelivery' });

const newestFirst = 'A page, from the newest to the oldest';

const contains = z.string().optional().describe('A text that the path, the body or the answer contains, such as an id');

const requestQuery = z.object({
  ...pageQuery,
  status: z.coerce.number().int().optional(),
  operation: z.string().optional().describe('An operationId of /openapi.json'),
  contains,
});

const deliveryQuery = z.object({
  ...pageQuery,
  eventType: z.string().optional(),
  outcome: outcome.optional(),
  contains: z.string().optional().describe('A text that the body contains, such as an id'),
});

const deliveryParams = z.object({
  deliveryId: z.string().regex(/^dlv-\d{1,15}$/, 'must be the id of a delivery, such as dlv-1'),
});

/** The logs of requests and deliveries: the latest 1,000 of each. */
export function createLogControl({ requests, deliveryLog, deliveries, settings }: LogControlDeps): OpenAPIHono {
  const router = createRouter(settings);

  /** @throws {RefusedError} Not Found */
  function find(deliveryId: string): LoggedDelivery {
    const found = deliveryLog.find(Number(deliveryId.slice('dlv-'.length)));
    if (found === undefined) throw new RefusedError(404, 'The log has no such delivery, or has dropped it.');
    return found;
  }

  router.openapi(
    createRoute({
      operationId: 'listRequests',
      summary: 'The latest calls of the API with their answers',
      description: 'Tokens, credentials and the header values of webhooks are withheld.',
      method: 'get',
      path: '/requests',
      request: { query: requestQuery },
      responses: {
        200: json(newestFirst, z.strictObject({ data: z.array(requestView), pagination })),
        ...errors(),
      },
    }),
    (context) => {
      const { status, operation, contains: text = '', ...query } = context.req.valid('query');
      const fits = (entry: LoggedRequest) =>
        (status ?? entry.status) === entry.status &&
        (operation ?? entry.operation) === entry.operation &&
        [entry.path, entry.query, entry.body, entry.answer].some((part) => part?.includes(text));
      const page = requests.page(query, fits);
      return context.json({ ...page, data: page.data.map(toRequestView) }, 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'listDeliveries',
      summary: 'The latest deliveries of webhooks with their attempts',
      method: 'get',
      path: '/deliveries',
      request: { query: deliveryQuery },
      responses: {
        200: json(newestFirst, z.strictObject({ data: z.array(deliveryView), pagination })),
        ...errors(),
      },
    }),
    (context) => {
      const { eventType, outcome: wanted, contains: text = '', ...query } = context.req.valid('query');
      const fits = (entry: LoggedDelivery) =>
        (eventType ?? entry.eventType) === entry.eventType &&
        (wanted ?? entry.outcome) === entry.outcome &&
        (text === '' || Buffer.from(entry.body).toString().includes(text));
      const page = deliveryLog.page(query, fits);
      return context.json({ ...page, data: page.data.map(toDeliveryView) }, 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'getDelivery',
      summary: 'One delivery with its attempts',
      method: 'get',
      path: '/deliveries/{deliveryId}',
      request: { params: deliveryParams },
      responses: { 200: json('The delivery', deliveryView), ...errors(404) },
    }),
    (context) => context.json(toDeliveryView(find(context.req.valid('param').deliveryId)), 200),
  );
  router.openapi(
    createRoute({
      operationId: 'resendDelivery',
      summary: 'Sends the body of a delivery again, to the webhook that is registered now',
      method: 'post',
      path: '/deliveries/{deliveryId}/resend',
      request: { params: deliveryParams },
      responses: { 200: json('The new delivery, after its first attempt', deliveryView), ...errors(404) },
    }),
    async (context) => {
      const { number: resendOf, eventType, body } = find(context.req.valid('param').deliveryId);
      const { number, firstResult } = deliveries.begin(eventType, body, { cause: 'RESEND', resendOf });
      await firstResult();
      return context.json(toDeliveryView(find(deliveryIdOf(number))), 200);
    },
  );
  return router;
}

/** The name of a delivery in the control API. */
export function deliveryIdOf(number: number): string {
  return `dlv-${number}`;
}

function toRequestView({ number, ...request }: LoggedRequest): z.infer<typeof requestView> {
  return { requestId: `req-${number}`, ...request };
}

function toDeliveryView({ number, resendOf, body, attempts, ...delivery }: LoggedDelivery) {
  return {
    deliveryId: deliveryIdOf(number),
    ...delivery,
    ...(resendOf !== undefined && { resendOf: deliveryIdOf(resendOf) }),
    body: Buffer.from(body).toString(),
    attempts: [...attempts],
  };
}
