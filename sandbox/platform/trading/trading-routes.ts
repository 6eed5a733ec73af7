import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import type { Requestors, RequestorTarget } from '#sandbox/platform/access/requestors.ts';
import { uuid } from '#sandbox/platform/core/fields.ts';
import { pageOf, pageQuery } from '#sandbox/platform/core/page.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { errors, json, requestorHeader } from '#sandbox/platform/http/operation.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { assetPage } from './accounts/asset-schema.ts';
import { toView as toOrderView } from './orders/order.ts';
import { order } from './orders/order-schema.ts';
import type { Trading } from './trading.ts';
import { toView as toTransferView } from './transfers/transfer.ts';
import { transfer } from './transfers/transfer-schema.ts';

export type TradingRoutesDeps = Trading & {
  readonly requestors: Requestors;
  readonly settings: SettingsStore;
  readonly profile: Pick<PlatformProfile, 'transfersPath'>;
};

const beyond = 'Beyond the specification, which does not show it.';

/** Assets, orders, trade invoices and transfers (section 4). All take a Requestor-ID (section 5). */
export function createTradingRoutes(deps: TradingRoutesDeps): OpenAPIHono {
  const { assets, orders, tradeInvoices, transfers, requestors, settings, profile } = deps;
  const router = createRouter(settings);
  const headers = requestorHeader;

  /** Returns the record if the requestor may see it (section 5). An unknown record is Not Found for every requestor. */
  function authorized<Target extends RequestorTarget>(header: z.infer<typeof headers>, find: () => Target): Target {
    const requestorId = header['requestor-id'];
    requestors.requireActive(requestorId);
    const target = find();
    requestors.authorize(requestorId, target);
    return target;
  }

  router.openapi(
    createRoute({
      operationId: 'listAssets',
      summary: 'The assets of the asset universe (section 4)',
      description: 'The shape of the answer is not shown in the specification, nor is cursor.',
      method: 'get',
      path: '/traditional/assets',
      request: { headers, query: z.object(pageQuery) },
      responses: { 200: json('A page', assetPage), ...errors(403) },
    }),
    (context) => {
      requestors.requireActive(context.req.valid('header')['requestor-id']);
      const numbered = assets.universe().map(({ isin, name }, index) => ({ index, asset: { isin, name } }));
      const page = pageOf('assets', numbered, ({ index }) => index, context.req.valid('query'));
      return context.json({ ...page, data: page.data.map(({ asset }) => asset) }, 200);
    },
  );

  const orderRequest = { headers, params: z.object({ orderId: uuid }) };
  router.openapi(
    createRoute({
      operationId: 'getOrder',
      description: beyond,
      method: 'get',
      path: '/traditional/orders/{orderId}',
      request: orderRequest,
      responses: { 200: json('The order', order), ...errors(403, 404) },
    }),
    (context) => {
      const { orderId } = context.req.valid('param');
      const found = authorized(context.req.valid('header'), () => orders.get(orderId));
      return context.json(toOrderView(found), 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'cancelOrder',
      summary: 'Cancels an order that is PENDING or CORRECTED (sections 3.3 and 4)',
      description: 'CANCELED comes later, by webhook; a cancel that fails sends none.',
      method: 'delete',
      path: '/traditional/orders/{orderId}',
      request: orderRequest,
      responses: {
        200: json('Accepted, as in an older release', order),
        202: { description: 'Accepted; no body' },
        ...errors(403, 404),
      },
    }),
    (context) => {
      const { orderId } = context.req.valid('param');
      authorized(context.req.valid('header'), () => orders.get(orderId));
      const accepted = orders.requestCancel(orderId);
      if (settings.read().cancelStatus === 200) return context.json(toOrderView(accepted), 200);
      return context.body(null, 202);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'getTradeInvoice',
      summary: 'The TRADE_INVOICE document of an execution (sections 4 and 8)',
      method: 'get',
      path: '/traditional/orders/trade-invoice/{executionId}',
      request: { headers, params: z.object({ executionId: uuid }) },
      responses: {
        200: {
          description: 'The document',
          content: { 'application/pdf': { schema: z.string().meta({ format: 'binary' }) } },
        },
        ...errors(403, 404),
      },
    }),
    (context) => {
      const { executionId } = context.req.valid('param');
      const invoice = authorized(context.req.valid('header'), () => tradeInvoices.get(executionId));
      return context.body(invoice.document, 200, { 'content-type': 'application/pdf' });
    },
  );
  router.openapi(
    createRoute({
      operationId: 'getTransfer',
      description: beyond,
      method: 'get',
      path: `${profile.transfersPath}/{transferId}`,
      request: { headers, params: z.object({ transferId: uuid }) },
      responses: { 200: json('The transfer', z.strictObject({ transfer })), ...errors(403, 404) },
    }),
    (context) => {
      const { transferId } = context.req.valid('param');
      const found = authorized(context.req.valid('header'), () => transfers.get(transferId));
      return context.json({ transfer: toTransferView(found) }, 200);
    },
  );
  return router;
}
