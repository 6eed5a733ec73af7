import { magicStepSeconds, type OrderOutcome } from '#sandbox/platform/core/magic-values.ts';
import { fromUnits, quantityDigits } from '#sandbox/platform/trading/accounts/decimal.ts';
import type { Cancels } from './cancels.ts';
import type { Executions } from './executions.ts';
import type { Order } from './order.ts';
import type { OrderBook } from './order-book.ts';

export type PlayOutcomeDeps = {
  readonly book: OrderBook;
  readonly executions: Pick<Executions, 'execute' | 'reject' | 'settle' | 'correct'>;
  readonly cancels: Pick<Cancels, 'cancel'>;
};

/** Moves orders through the statuses of a magic value, one after the other. */
export function createPlayOutcome({ book, executions, cancels }: PlayOutcomeDeps) {
  const steps: Readonly<Record<OrderOutcome['statuses'][number], (order: Order) => Order>> = {
    INVALID: (order) => order,
    REJECTED: ({ orderId }) => executions.reject(orderId, 'The externalId asks for this outcome.'),
    CANCELED: ({ orderId }) => cancels.cancel(orderId),
    FILLED: ({ orderId }) => executions.execute(orderId),
    SETTLED: ({ orderId }) => executions.settle(orderId),
    CORRECTED: ({ orderId, quantity }) =>
      executions.correct(orderId, { quantity: fromUnits((quantity + 1n) / 2n, quantityDigits) }),
  };

  /** Ends early if a step leads to another status: an order without money is REJECTED instead of FILLED. */
  function play(order: Order, { statuses }: Pick<OrderOutcome, 'statuses'>): void {
    const words: readonly string[] = statuses;
    const next = statuses[words.indexOf(order.status) + 1];
    if (next === undefined || !book.allows(order, next)) return;
    book.later(magicStepSeconds, order, (then) => play(steps[next](then), { statuses }));
  }

  return play;
}
