import type * as z from 'zod';
import type { orderRecord } from '#sandbox/platform/trading/orders/order-schema.ts';
import type { transferRecord } from '#sandbox/platform/trading/transfers/transfer-schema.ts';

export type Records = {
  readonly orders: readonly z.infer<typeof orderRecord>[];
  readonly transfers: readonly z.infer<typeof transferRecord>[];
};

/** In cents, and in ten thousandths of an asset. */
export type Holdings = {
  readonly cash: bigint;
  readonly unsettled: bigint;
  readonly positions: ReadonlyMap<string, bigint>;
};

const tenThousandths = (value: number) => BigInt(Math.round(value * 10_000));

/** What it costs, in cents: half of one is rounded up. */
export function costOf({ quantity, price }: { readonly quantity: number; readonly price: number }): bigint {
  const doubled = (2n * tenThousandths(quantity) * tenThousandths(price)) / 1_000_000n;
  return (doubled + 1n) / 2n;
}

const none: Holdings = { cash: 0n, unsettled: 0n, positions: new Map() };

/** What a person must have, by sections 3.3 and 3.4, after all that its orders and transfers have come to. */
export function holdingsOf({ orders, transfers }: Records, naturalPersonId: string, initial = none): Holdings {
  const positions = new Map(initial.positions);
  let { cash, unsettled } = initial;
  for (const { side, status, isin, executions = [], ...order } of orders) {
    const isBooked = ['FILLED', 'CORRECTED', 'SETTLED'].includes(status);
    for (const execution of order.naturalPersonId === naturalPersonId && isBooked ? executions : []) {
      const [cost, quantity] = [costOf(execution), tenThousandths(execution.quantity)];
      cash += side === 'BUY' ? -cost : cost;
      if (side === 'SELL' && status !== 'SETTLED') unsettled += cost;
      positions.set(isin, (positions.get(isin) ?? 0n) + (side === 'BUY' ? quantity : -quantity));
    }
  }
  for (const { direction, status, amount, ...transfer } of transfers) {
    const isBooked = ['PENDING', 'PROCESSED'].includes(status) && transfer.naturalPersonId === naturalPersonId;
    if (isBooked) cash += BigInt(Math.round(amount * 100)) * (direction === 'IN' ? 1n : -1n);
  }
  for (const [isin, quantity] of positions) if (quantity === 0n) positions.delete(isin);
  return { cash, unsettled, positions };
}
