import type { Clock } from '#sandbox/platform/core/clock.ts';
import { RefusedError, refusedField } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import type { Accounts } from '#sandbox/platform/trading/accounts/accounts.ts';
import type { Assets } from '#sandbox/platform/trading/accounts/assets.ts';
import { priceDigits, quantityDigits, toUnits } from '#sandbox/platform/trading/accounts/decimal.ts';
import { type Execution, holderOf, type Order } from './order.ts';
import type { OrderBook } from './order-book.ts';
import type { CorrectionRequest, ExecutionRequest } from './order-schema.ts';
import { bookingOf, executionPrice, isWithin, reversed, type Trade, together } from './trade.ts';

export type ExecutionsDeps = {
  readonly book: OrderBook;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
  readonly settings: SettingsStore;
  readonly accounts: Pick<Accounts, 'book'>;
  readonly assets: Pick<Assets, 'find'>;
};

/** The execution of an order, regardless of later changes of the order. */
export type Fill = {
  readonly order: Order;
  readonly execution: Execution;
  /** From when there is a trade invoice, in milliseconds since 1970. */
  readonly invoicedFrom: number;
};

export type Executions = ReturnType<typeof createExecutions>;

/** What the exchange does with an order, and what follows from it (section 3.3). */
export function createExecutions({ book, clock, newId, settings, accounts, assets }: ExecutionsDeps) {
  const fills = new Map<string, Fill>();

  /**
   * FILLED, or REJECTED if the asset, the money or the position is missing.
   *
   * @throws {RefusedError} Conflict: it is not PENDING; Bad Request: the price is worse than the specified one
   */
  function execute(orderId: string, { price }: ExecutionRequest = {}): Order {
    const order = book.get(orderId);
    book.check(order, 'FILLED');
    const asset = assets.find(order.isin);
    if (asset === undefined) return book.move(order, 'REJECTED', { message: 'Invalid parameters: unknown isin' });
    const asked = toUnits(price ?? asset.price, priceDigits);
    if (price !== undefined && !isWithin(order.side, asked, order.limitPrice))
      throw refusedField('price', 'is worse than the limitPrice of the order.');
    return fill(order, { quantity: order.quantity, price: executionPrice(order.side, asked, order.limitPrice) });
  }

  function fill(order: Order, trade: Trade): Order {
    const shortage = accounts.book(holderOf(order), bookingOf(order, trade));
    if (shortage !== undefined) return book.move(order, 'REJECTED', { message: shortage });
    const executedOn = clock.now();
    const execution = { ...trade, executionId: newId(), executedOn: executedOn.toISOString() };
    const filled = book.move(order, 'FILLED', { execution });
    const invoicedFrom = executedOn.getTime() + settings.read().invoicesAfter * 1_000;
    fills.set(execution.executionId, { order: filled, execution, invoicedFrom });
    settleLater(filled);
    return filled;
  }

  function settleLater(filled: Order): void {
    book.later(settings.read().ordersSettledAfter, filled, ({ orderId }) => settle(orderId));
  }

  /** @throws {RefusedError} Conflict: it is not PENDING */
  function reject(orderId: string, reason: string): Order {
    return book.move(book.get(orderId), 'REJECTED', { message: reason });
  }

  /** What a sale brought can be withdrawn from now on. @throws {RefusedError} Conflict: it is not FILLED */
  function settle(orderId: string): Order {
    const order = book.get(orderId);
    book.check(order, 'SETTLED');
    const { unsettled } = bookingOf(order, executionOf(order));
    accounts.book(holderOf(order), { cash: 0n, unsettled: -unsettled });
    return book.move(order, 'SETTLED');
  }

  /** @throws {RefusedError} Conflict: it is not FILLED, or the account cannot carry the correction */
  function correct(orderId: string, { price, quantity }: CorrectionRequest): Order {
    const order = book.get(orderId);
    book.check(order, 'CORRECTED');
    const execution = executionOf(order);
    const trade = {
      price: price === undefined ? execution.price : toUnits(price, priceDigits),
      quantity: quantity === undefined ? execution.quantity : toUnits(quantity, quantityDigits),
    };
    const booking = together(reversed(bookingOf(order, execution)), bookingOf(order, trade));
    const shortage = accounts.book(holderOf(order), booking);
    if (shortage !== undefined) throw new RefusedError(409, `The account cannot carry the correction: ${shortage}.`);
    return book.move(order, 'CORRECTED', { execution: { ...execution, ...trade } });
  }

  return {
    execute,
    reject,
    settle,
    settleLater,
    correct,
    /** Undefined if there is no execution of this id. */
    findFill: (executionId: string) => fills.get(executionId),
    fills: (): Fill[] => [...fills.values()],
    restoreFills: (saved: readonly Fill[]): void => {
      fills.clear();
      for (const fill of saved) fills.set(fill.execution.executionId, fill);
    },
  };
}

/** @throws {RefusedError} Conflict: it has not been executed */
function executionOf({ execution }: Order): Execution {
  if (execution === undefined) throw new RefusedError(409, 'The order has not been executed.');
  return execution;
}
