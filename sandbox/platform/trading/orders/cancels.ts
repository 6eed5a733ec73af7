import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import type { Accounts, Shortage } from '#sandbox/platform/trading/accounts/accounts.ts';
import { holderOf, type Order } from './order.ts';
import type { OrderBook } from './order-book.ts';
import { bookingOf, reversed } from './trade.ts';

export type CancelsDeps = {
  readonly book: OrderBook;
  readonly settings: SettingsStore;
  readonly accounts: Pick<Accounts, 'book'>;
};

export type Cancels = ReturnType<typeof createCancels>;

/** Cancels of orders that are PENDING or CORRECTED (section 3.3, rule 4). */
export function createCancels({ book, settings, accounts }: CancelsDeps) {
  /** Takes back what was traded, if anything was. */
  function takeBack(order: Order): Shortage | undefined {
    return order.execution && accounts.book(holderOf(order), reversed(bookingOf(order, order.execution)));
  }

  /**
   * Accepts it: some seconds later the order is CANCELED, unless it was executed meanwhile, or the exchange or the
   * account does not let it. Then nothing happens.
   *
   * @throws {RefusedError} Bad Request: it cannot be canceled
   */
  function request(orderId: string): Order {
    const order = book.get(orderId);
    if (!book.allows(order, 'CANCELED'))
      throw new RefusedError(400, `An order that is ${order.status} cannot be canceled.`);
    book.later(settings.read().cancelsAfter, order, (then) => {
      if (!then.isHeld && takeBack(then) === undefined) book.move(then, 'CANCELED');
    });
    return order;
  }

  /** Cancels by the system, immediately. @throws {RefusedError} Conflict: not allowed, or the account cannot cover it */
  function cancel(orderId: string): Order {
    const order = book.get(orderId);
    book.check(order, 'CANCELED');
    const shortage = takeBack(order);
    if (shortage !== undefined) throw new RefusedError(409, `The account cannot carry the cancel: ${shortage}.`);
    return book.move(order, 'CANCELED');
  }

  /** The exchange lets no cancel through from now on, or does so again. */
  function hold(orderId: string, isHeld: boolean): Order {
    return book.save({ ...book.get(orderId), isHeld });
  }

  return { request, cancel, hold };
}
