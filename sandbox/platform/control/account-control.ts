import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import { uuid } from '#sandbox/platform/core/fields.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { errors, json, jsonBody } from '#sandbox/platform/http/operation.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';
import {
  account,
  accountChange,
  toAccountChange,
  toAccountView,
} from '#sandbox/platform/trading/accounts/account-schema.ts';
import { asset } from '#sandbox/platform/trading/accounts/asset-schema.ts';
import type { Trading } from '#sandbox/platform/trading/trading.ts';
import { transaction, transactionsOf } from '#sandbox/platform/trading/transactions.ts';

export type AccountControlDeps = Trading & {
  readonly settings: SettingsStore;
  /** The status of a natural person; undefined for an unknown id. */
  readonly statusOf: (naturalPersonId: string) => string | undefined;
};

/** The accounts of natural persons, their transactions, and the traded assets. */
export function createAccountControl(deps: AccountControlDeps): OpenAPIHono {
  const { accounts, assets, orders, transfers, statusOf, settings } = deps;
  const router = createRouter(settings);
  const params = z.object({ naturalPersonId: uuid });
  const answer = { 200: json('The account', account), ...errors(404) };

  function known({ naturalPersonId }: z.infer<typeof params>): string {
    if (statusOf(naturalPersonId) === undefined) throw new RefusedError(404, 'There is no such natural person.');
    return naturalPersonId;
  }

  router.openapi(
    createRoute({
      operationId: 'getAccount',
      method: 'get',
      path: '/natural-persons/{naturalPersonId}/account',
      request: { params },
      responses: answer,
    }),
    (context) => context.json(toAccountView(accounts.read(known(context.req.valid('param')))), 200),
  );
  router.openapi(
    createRoute({
      operationId: 'changeAccount',
      summary: 'Sets the given cash and positions without a transfer or an order',
      method: 'post',
      path: '/natural-persons/{naturalPersonId}/account',
      request: { params, body: jsonBody(accountChange) },
      responses: answer,
    }),
    (context) => {
      const naturalPersonId = known(context.req.valid('param'));
      accounts.set(naturalPersonId, toAccountChange(context.req.valid('json')));
      return context.json(toAccountView(accounts.read(naturalPersonId)), 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'listTransactions',
      summary: 'The transactions of orders and transfers (section 3.5)',
      method: 'get',
      path: '/natural-persons/{naturalPersonId}/transactions',
      request: { params },
      responses: { 200: json('Every transaction', z.array(transaction)), ...errors(404) },
    }),
    (context) => {
      const naturalPersonId = known(context.req.valid('param'));
      const isOf = (item: { readonly naturalPersonId?: string | undefined }) =>
        item.naturalPersonId === naturalPersonId;
      return context.json(transactionsOf(orders.all().filter(isOf), transfers.all().filter(isOf)), 200);
    },
  );

  router.openapi(
    createRoute({
      operationId: 'listTradedAssets',
      summary: 'Every traded asset, including those outside the asset universe',
      method: 'get',
      path: '/assets',
      responses: { 200: json('Every asset', z.array(asset)), ...errors() },
    }),
    (context) => context.json([...assets.list()], 200),
  );
  router.openapi(
    createRoute({
      operationId: 'putAsset',
      summary: 'Adds an asset, or changes the one with its ISIN',
      method: 'post',
      path: '/assets',
      request: { body: jsonBody(asset) },
      responses: { 200: json('The asset', asset), ...errors() },
    }),
    (context) => context.json(assets.put(context.req.valid('json')), 200),
  );
  return router;
}
