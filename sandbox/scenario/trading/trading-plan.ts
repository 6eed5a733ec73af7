import { pickByWeight } from '#sandbox/platform/core/settings-store.ts';
import type { OrderRequest } from '#sandbox/platform/trading/orders/order-schema.ts';
import type { Orders } from '#sandbox/platform/trading/trading.ts';
import type { TransferRequest } from '#sandbox/platform/trading/transfers/transfer-schema.ts';
import type { Transfers } from '#sandbox/platform/trading/transfers/transfers.ts';
import { markerWords } from '#sandbox/scenario/common/marker-words.ts';

/** The traders: one with plenty of everything, one with nothing, and one that may not act. */
export type Traders = { readonly rich: string; readonly poor: string; readonly suspended: string };

/** A path through the statuses of section 3.3: how the order is placed, and the steps once it is PENDING. */
type OrderPlan = {
  readonly weight: number;
  readonly trader: keyof Pick<Traders, 'rich' | 'poor'>;
  readonly requestor?: 'suspended';
  readonly steps: readonly ((orders: Orders, orderId: string) => unknown)[];
};

const execute = (orders: Orders, orderId: string) => orders.execute(orderId);
const settle = (orders: Orders, orderId: string) => orders.settle(orderId);
const correct = (orders: Orders, orderId: string) => orders.correct(orderId, { quantity: 2 });
const cancel = (orders: Orders, orderId: string) => orders.cancel(orderId);
const requestCancel = (orders: Orders, orderId: string) => orders.requestCancel(orderId);
// The platform's texts can contain anything.
const reject = (orders: Orders, orderId: string) =>
  orders.reject(orderId, `The account of ${markerWords[0]} is closed`);

const orderPlans: Readonly<Record<string, OrderPlan>> = {
  SETTLED: { weight: 30, trader: 'rich', steps: [execute, settle] },
  FILLED: { weight: 10, trader: 'rich', steps: [execute] },
  CORRECTED: { weight: 8, trader: 'rich', steps: [execute, correct] },
  CORRECTED_AND_CANCELED: { weight: 12, trader: 'rich', steps: [execute, correct, cancel] },
  CANCELED: { weight: 12, trader: 'rich', steps: [requestCancel] },
  REJECTED: { weight: 6, trader: 'rich', steps: [reject] },
  SHORT_OF_FUNDS: { weight: 6, trader: 'poor', steps: [execute] },
  PENDING: { weight: 4, trader: 'rich', steps: [] },
  INVALID: { weight: 12, trader: 'rich', requestor: 'suspended', steps: [] },
};

/** A path through the statuses of section 3.4. */
type TransferPlan = {
  readonly weight: number;
  readonly trader: keyof Pick<Traders, 'rich' | 'poor'>;
  readonly direction: 'IN' | 'OUT';
  readonly requestor?: 'suspended';
  readonly isCompleted?: true;
};

const transferPlans: Readonly<Record<string, TransferPlan>> = {
  PROCESSED: { weight: 40, trader: 'rich', direction: 'OUT', isCompleted: true },
  INCOMING: { weight: 25, trader: 'rich', direction: 'IN' },
  PENDING: { weight: 10, trader: 'rich', direction: 'OUT' },
  REJECTED: { weight: 15, trader: 'poor', direction: 'OUT' },
  INVALID: { weight: 10, trader: 'rich', direction: 'OUT', requestor: 'suspended' },
};

/** Takes the next step of an order or a transfer. Returns whether it was the last. */
export type Step = () => boolean;

export type TradingPlanDeps = {
  readonly orders: Orders;
  readonly transfers: Transfers;
  readonly traders: Traders;
  readonly isins: readonly [string, ...string[]];
  readonly random: () => number;
};

/** Places orders and makes transfers with a random plan for each. */
export function createTradingPlan({ orders, transfers, traders, isins, random }: TradingPlanDeps) {
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(random() * items.length)] ?? items[0];
  const pickPlan = <Plan extends { readonly weight: number }>(plans: Readonly<Record<string, Plan>>): Plan => {
    const weights = Object.fromEntries(Object.entries(plans).map(([name, { weight }]) => [name, weight]));
    const plan = plans[pickByWeight(weights, random())];
    if (plan === undefined) throw new Error('There is no such plan.');
    return plan;
  };
  const requestorOf = ({ requestor }: { readonly requestor?: 'suspended' }) =>
    requestor && { requestorId: traders[requestor] };

  function placeOrder(): Step {
    const plan = pickPlan(orderPlans);
    const request: OrderRequest = {
      naturalPersonId: traders[plan.trader],
      isin: pick(isins),
      side: 'BUY',
      quantity: 1 + Math.floor(random() * 5),
      ...requestorOf(plan),
    };
    const { orderId } = orders.place(request);
    const left = [...plan.steps];
    return () => {
      // An order takes no step before it is PENDING.
      const isWaiting = orders.get(orderId).status === 'RECEIVED';
      if (!isWaiting) left.shift()?.(orders, orderId);
      return !isWaiting && left.length === 0;
    };
  }

  function makeTransfer(): Step {
    const plan = pickPlan(transferPlans);
    const { direction, trader } = plan;
    const fields = { naturalPersonId: traders[trader], amount: 1 + Math.floor(random() * 10_000) / 100 };
    const request: TransferRequest =
      direction === 'IN' ? { ...fields, direction } : { ...fields, direction, ...requestorOf(plan) };
    const { transferId } = transfers.create(request);
    return () => {
      const { status } = transfers.get(transferId);
      if (status === 'PENDING' && plan.isCompleted) transfers.complete(transferId);
      return status !== 'RECEIVED';
    };
  }

  return { placeOrder, makeTransfer };
}
