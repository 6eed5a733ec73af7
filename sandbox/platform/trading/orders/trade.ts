import type { Booking } from '#sandbox/platform/trading/accounts/accounts.ts';
import { costOf } from '#sandbox/platform/trading/accounts/decimal.ts';

export type Side = 'BUY' | 'SELL';

/** What was traded of an asset. All in units of the last decimal. */
export type Trade = { readonly quantity: bigint; readonly price: bigint };

/** What a trade does to an account. What a sale brings is not settled yet. */
export function bookingOf({ side, isin }: { readonly side: Side; readonly isin: string }, trade: Trade): Booking {
  const cost = costOf(trade.quantity, trade.price);
  return side === 'BUY'
    ? { cash: -cost, unsettled: 0n, isin, quantity: trade.quantity }
    : { cash: cost, unsettled: cost, isin, quantity: -trade.quantity };
}

/** What takes a booking back. */
export function reversed({ cash, unsettled, quantity = 0n, ...booking }: Booking): Booking {
  return { ...booking, cash: -cash, unsettled: -unsettled, quantity: -quantity };
}

/** Two bookings of one asset as one, so that nothing falls short between them. */
export function together(one: Booking, other: Booking): Booking {
  return {
    ...one,
    cash: one.cash + other.cash,
    unsettled: one.unsettled + other.unsettled,
    quantity: (one.quantity ?? 0n) + (other.quantity ?? 0n),
  };
}

/** The market's price, or the specified one if the market's is worse (section 3.3: FILLED). */
export function executionPrice(side: Side, market: bigint, limit: bigint | undefined): bigint {
  return isWithin(side, market, limit) ? market : (limit ?? market);
}

/** Whether a price is the specified one or a better one. */
export function isWithin(side: Side, price: bigint, limit: bigint | undefined): boolean {
  if (limit === undefined) return true;
  return side === 'BUY' ? price <= limit : price >= limit;
}
