import { type PriceName, prices, type Region } from './price-list.ts';
import type { Quantities } from './quantities.ts';

/** What one item of the price list costs in a month. */
export type CostLine = {
  readonly price: PriceName;
  readonly name: string;
  readonly quantity: number;
  readonly per: string;
  /** In US dollars. */
  readonly usd: number;
  /** Of the total, from 0 to 1. */
  readonly share: number;
};

export type Cost = { readonly usd: number; readonly lines: readonly CostLine[] };

/** Prices each quantity in a region. What is not given is none. */
export function costOf(quantities: Partial<Quantities>, region: Region): Cost {
  const lines = priceNames.map((price) => {
    const { name, per, amount, usd } = prices[price];
    const quantity = quantities[price] ?? 0;
    return { price, name, per, quantity, usd: (quantity / amount) * usd[region][0] };
  });
  const total = lines.reduce((sum, { usd }) => sum + usd, 0);
  return { usd: total, lines: lines.map((line) => ({ ...line, share: total === 0 ? 0 : line.usd / total })) };
}

const priceNames = Object.keys(prices).filter((name): name is PriceName => Object.hasOwn(prices, name));
