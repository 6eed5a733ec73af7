import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import { uuid } from '#sandbox/platform/core/fields.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { errors, json, jsonBody } from '#sandbox/platform/http/operation.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';
import { type Transfer, toRecordView } from '#sandbox/platform/trading/transfers/transfer.ts';
import {
  createdTransfer,
  transferQuery,
  transferRecord,
  transferRecordPage,
  transferRequest,
} from '#sandbox/platform/trading/transfers/transfer-schema.ts';
import type { Transfers } from '#sandbox/platform/trading/transfers/transfers.ts';

export type TransferControlDeps = { readonly transfers: Transfers; readonly settings: SettingsStore };

const params = z.object({ transferId: uuid });

/** Creation of transfers, and the actions of the payment network. */
export function createTransferControl({ transfers, settings }: TransferControlDeps): OpenAPIHono {
  const router = createRouter(settings);
  router.openapi(
    createRoute({
      operationId: 'createTransfer',
      summary: 'Creates a transfer: OUT is RECEIVED, then PENDING, REJECTED or INVALID; IN is PROCESSED (section 3.4)',
      method: 'post',
      path: '/transfers',
      request: { body: jsonBody(transferRequest) },
      responses: { 200: json('Its id', createdTransfer), ...errors(404) },
    }),
    (context) => {
      const { transferId, status } = transfers.create(context.req.valid('json'));
      return context.json({ transferId, status }, 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'listTransfers',
      method: 'get',
      path: '/transfers',
      request: { query: transferQuery },
      responses: { 200: json('A page, from the oldest to the newest', transferRecordPage), ...errors() },
    }),
    (context) => {
      const { naturalPersonId, status, ...query } = context.req.valid('query');
      const fits = (transfer: Transfer) =>
        (naturalPersonId ?? transfer.naturalPersonId) === transfer.naturalPersonId &&
        (status ?? transfer.status) === transfer.status;
      const page = transfers.page(query, fits);
      return context.json({ ...page, data: page.data.map(toRecordView) }, 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'getTransferRecord',
      method: 'get',
      path: '/transfers/{transferId}',
      request: { params },
      responses: { 200: json('The transfer, with its history', transferRecord), ...errors(404) },
    }),
    (context) => context.json(toRecordView(transfers.get(context.req.valid('param').transferId)), 200),
  );
  router.openapi(
    createRoute({
      operationId: 'completeTransfer',
      summary: 'PENDING to PROCESSED: the payment network completes the transfer',
      method: 'post',
      path: '/transfers/{transferId}/complete',
      request: { params },
      responses: { 200: json('The transfer', transferRecord), ...errors(404, 409) },
    }),
    (context) => context.json(toRecordView(transfers.complete(context.req.valid('param').transferId)), 200),
  );
  return router;
}
