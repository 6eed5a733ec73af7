import { createRecordBook, type RecordBookDeps } from '#sandbox/platform/core/record-book.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import type { Notify } from '#sandbox/platform/webhooks/deliveries.ts';
import { type Order, toOrderNotification } from './order.ts';
import { type OrderStatus, orderTransitions } from './order-states.ts';

export type OrderBookDeps = RecordBookDeps & { readonly notify: Notify; readonly settings: SettingsStore };

export type OrderBook = ReturnType<typeof createOrderBook>;

/** The statuses whose notification section 6 does not list. A cancel by the system is a successful cancel, which is listed. */
const unlisted: ReadonlySet<OrderStatus> = new Set(['PENDING', 'CORRECTED']);

/** Every order, and its moves from status to status (section 3.3). */
export function createOrderBook({ notify, settings, ...deps }: OrderBookDeps) {
  function announce(order: Order): void {
    if (unlisted.has(order.status) && !settings.read().unlistedNotifications) return;
    notify('TRADITIONAL_ASSET_ORDER_NOTIFICATION', toOrderNotification(order));
  }

  return createRecordBook<OrderStatus, Order>(
    {
      list: 'orders',
      idOf: ({ orderId }) => orderId,
      transitions: orderTransitions,
      notify: announce,
    },
    deps,
  );
}
