import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import { uuid } from '#sandbox/platform/core/fields.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { errors, json, jsonBody } from '#sandbox/platform/http/operation.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';
import { type Order, toRecordView } from '#sandbox/platform/trading/orders/order.ts';
import {
  correctionRequest,
  executionRequest,
  orderQuery,
  orderRecord,
  orderRecordPage,
  orderRequest,
  placedOrder,
} from '#sandbox/platform/trading/orders/order-schema.ts';
import type { Orders } from '#sandbox/platform/trading/trading.ts';

const params = z.object({ orderId: uuid });
const answer = { 200: json('The order', orderRecord), ...errors(404, 409) };

/** Creation of orders, and the actions of the exchange. */
export function createOrderControl(deps: { readonly orders: Orders; readonly settings: SettingsStore }): OpenAPIHono {
  const { orders } = deps;
  const router = createRouter(deps.settings);

  router.openapi(
    createRoute({
      operationId: 'placeOrder',
      summary: 'Places an order: RECEIVED, then PENDING or INVALID (section 3.3)',
      method: 'post',
      path: '/orders',
      request: { body: jsonBody(orderRequest) },
      responses: { 200: json('Its id', placedOrder), ...errors(404) },
    }),
    (context) => {
      const { orderId, status } = orders.place(context.req.valid('json'));
      return context.json({ orderId, status }, 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'listOrders',
      method: 'get',
      path: '/orders',
      request: { query: orderQuery },
      responses: { 200: json('A page, from the oldest to the newest', orderRecordPage), ...errors() },
    }),
    (context) => {
      const { naturalPersonId, status, ...query } = context.req.valid('query');
      const fits = (order: Order) =>
        (naturalPersonId ?? order.naturalPersonId) === order.naturalPersonId &&
        (status ?? order.status) === order.status;
      const page = orders.page(query, fits);
      return context.json({ ...page, data: page.data.map(toRecordView) }, 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'getOrderRecord',
      method: 'get',
      path: '/orders/{orderId}',
      request: { params },
      responses: { 200: json('The order, with its history', orderRecord), ...errors(404) },
    }),
    (context) => context.json(toRecordView(orders.get(context.req.valid('param').orderId)), 200),
  );

  router.openapi(
    createRoute({
      operationId: 'executeOrder',
      summary: 'PENDING to FILLED, or to REJECTED if asset, money or position is missing',
      method: 'post',
      path: '/orders/{orderId}/execute',
      request: { params, body: { ...jsonBody(executionRequest), required: false } },
      responses: answer,
    }),
    (context) => {
      const { orderId } = context.req.valid('param');
      return context.json(toRecordView(orders.execute(orderId, context.req.valid('json'))), 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'rejectOrder',
      summary: 'PENDING to REJECTED',
      method: 'post',
      path: '/orders/{orderId}/reject',
      request: { params, body: jsonBody(z.strictObject({ reason: z.string().min(1).max(1_000) })) },
      responses: answer,
    }),
    (context) => {
      const { orderId } = context.req.valid('param');
      return context.json(toRecordView(orders.reject(orderId, context.req.valid('json').reason)), 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'correctOrder',
      summary: 'FILLED to CORRECTED: changes price or quantity, and adjusts money and position',
      method: 'post',
      path: '/orders/{orderId}/correct',
      request: { params, body: jsonBody(correctionRequest) },
      responses: answer,
    }),
    (context) => {
      const { orderId } = context.req.valid('param');
      return context.json(toRecordView(orders.correct(orderId, context.req.valid('json'))), 200);
    },
  );

  /** Adds an operation whose only input is the order. */
  function act(name: string, summary: string, work: (orderId: string) => Order): void {
    router.openapi(
      createRoute({
        operationId: `${name}Order`,
        summary,
        method: 'post',
        path: `/orders/{orderId}/${name}`,
        request: { params },
        responses: answer,
      }),
      (context) => context.json(toRecordView(work(context.req.valid('param').orderId)), 200),
    );
  }
  act('settle', 'FILLED to SETTLED: the proceeds of a sale can be withdrawn', orders.settle);
  act('cancel', 'PENDING or CORRECTED to CANCELED immediately, by the system', orders.cancel);
  act('hold', 'Holds the order at the exchange: accepted cancels fail', (orderId) => orders.hold(orderId, true));
  act('release', 'Releases the order at the exchange: cancels succeed again', (orderId) => orders.hold(orderId, false));
  return router;
}
