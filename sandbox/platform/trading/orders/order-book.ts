import { createRecordBook, type RecordBookDeps } from '#sandbox/platform/core/record-book.ts';
import type { Notify } from '#sandbox/platform/webhooks/deliveries.ts';
import { type Order, toOrderNotification } from './order.ts';
import { type OrderStatus, orderTransitions } from './order-states.ts';

export type OrderBookDeps = RecordBookDeps & { readonly notify: Notify };

export type OrderBook = ReturnType<typeof createOrderBook>;

/**
 * Every order, and its moves from status to status (section 3.3). Section 6 lists the notifications that are sent at
 * least; nothing else tells of PENDING and CORRECTED, so these are sent as well.
 */
export function createOrderBook({ notify, ...deps }: OrderBookDeps) {
  return createRecordBook<OrderStatus, Order>(
    {
      list: 'orders',
      idOf: ({ orderId }) => orderId,
      transitions: orderTransitions,
      notify: (order) => notify('TRADITIONAL_ASSET_ORDER_NOTIFICATION', toOrderNotification(order)),
    },
    deps,
  );
}
