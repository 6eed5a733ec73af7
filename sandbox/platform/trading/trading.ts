import type { Clock } from '#sandbox/platform/core/clock.ts';
import { createAccounts } from './accounts/accounts.ts';
import { createAssets } from './accounts/assets.ts';
import { createCancels } from './orders/cancels.ts';
import { createExecutions, type Fill } from './orders/executions.ts';
import type { Order } from './orders/order.ts';
import { createOrderBook } from './orders/order-book.ts';
import { createPlaceOrder, type PlaceOrderDeps } from './orders/place-order.ts';
import { createPlayOutcome } from './orders/play-outcome.ts';
import { createTradeInvoices } from './orders/trade-invoice.ts';
import { createTransfers, type TransfersDeps } from './transfers/transfers.ts';

export type TradingDeps = Omit<TransfersDeps, 'accounts'> &
  Omit<PlaceOrderDeps, 'book' | 'execute' | 'settleLater' | 'play'> & { readonly clock: Pick<Clock, 'now' | 'after'> };

export type Trading = ReturnType<typeof createTrading>;

export type Orders = Trading['orders'];

export type SavedOrders = { readonly orders: readonly Order[]; readonly fills: readonly Fill[] };

/** Assets, accounts, orders and transfers (sections 3.3 to 3.5). */
export function createTrading(deps: TradingDeps) {
  const assets = createAssets();
  const accounts = createAccounts();
  const book = createOrderBook(deps);
  const { findFill, fills, restoreFills, ...executions } = createExecutions({ ...deps, book, accounts, assets });
  const { request: requestCancel, ...cancels } = createCancels({ ...deps, book, accounts });
  const play = createPlayOutcome({ book, executions, cancels });
  const { place, restore } = createPlaceOrder({ ...deps, ...executions, book, play });
  const records = { get: book.get, page: book.page, all: book.all, fills };
  const restoreOrders = ({ orders, fills: saved }: SavedOrders): void => {
    restoreFills(saved);
    restore(orders);
  };

  return {
    assets,
    accounts,
    orders: { place, requestCancel, ...executions, ...cancels, ...records, restore: restoreOrders },
    tradeInvoices: createTradeInvoices({ ...deps, assets, findFill }),
    transfers: createTransfers({ ...deps, accounts }),
  };
}
