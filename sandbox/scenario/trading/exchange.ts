import type { Platform } from '#sandbox/platform/app/platform.ts';
import { shuffled } from '#sandbox/platform/core/random.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import type { PlatformRecord } from '#sandbox/scenario/common/entity-audit.ts';
import { markerWords } from '#sandbox/scenario/common/marker-words.ts';
import { createTradingPlan, type Step, type Traders } from './trading-plan.ts';

/** How unreliable the deliveries are. `deliveryDelay` is in seconds. Each status is notified, to be compared with. */
export const unreliableDeliveries = {
  unlistedNotifications: true,
  deliveriesDuplicated: 0.3,
  deliveriesDelayed: 0.4,
  deliveriesReordered: 0.5,
  deliveryDelay: 600,
};

/** The share of open orders and transfers that take a step in a round. */
const activeShare = 0.4;

const [marker] = markerWords;

/** More cents than a scenario spends. */
const plentyCents = 10_000_000_000n;

/** Creates three persons: two ACTIVE ones and a SUSPENDED one. */
function createTraders(platform: Platform): Traders {
  const traderOf = (status: 'ACTIVE' | 'SUSPENDED') =>
    makeReadyPerson(platform, { firstName: marker, lastName: marker }, status).naturalPersonId;
  const traders = { rich: traderOf('ACTIVE'), poor: traderOf('ACTIVE'), suspended: traderOf('SUSPENDED') };
  platform.accounts.set(traders.rich, { cash: plentyCents });
  return traders;
}

/** Begins an order or a transfer. */
export type Start = () => Step;

export type Exchange = ReturnType<typeof createExchange>;

/** Orders and transfers of three traders, which take their steps in rounds. */
export function createExchange(platform: Platform, { random }: { readonly random: () => number }) {
  const [first, ...others] = platform.assets.list().map(({ isin }) => isin);
  if (first === undefined) throw new Error('The platform trades no asset.');
  const plan = createTradingPlan({ ...platform, traders: createTraders(platform), isins: [first, ...others], random });
  let steps: readonly Step[] = [];
  return {
    /** Plans orders and transfers in random order. */
    plan: (orders: number, transfers: number): readonly Start[] =>
      shuffled(
        [
          ...Array.from({ length: orders }, () => plan.placeOrder),
          ...Array.from({ length: transfers }, () => plan.makeTransfer),
        ],
        random,
      ),
    begin: (starts: readonly Start[]): void => {
      steps = [...steps, ...starts.map((start) => start())];
    },
    takeSteps: (): void => {
      steps = steps.filter((life) => random() < activeShare || !life());
    },
    /** Whether an order or a transfer has a step to take. */
    hasOpen: (): boolean => steps.length > 0,
  };
}

/** Every order and transfer of the platform. */
export function recordsOf({ orders, transfers }: Pick<Platform, 'orders' | 'transfers'>): readonly PlatformRecord[] {
  const notifiedOf = (history: readonly { readonly status: string }[]) =>
    history.map(({ status }) => status).filter((status) => status !== 'RECEIVED');
  return [
    ...orders
      .all()
      .map(({ orderId: id, history, ...order }) => ({ ...order, kind: 'order', id, notified: notifiedOf(history) })),
    ...transfers.all().map(({ transferId: id, history, ...transfer }) => ({
      ...transfer,
      kind: 'transfer',
      id,
      notified: notifiedOf(history),
    })),
  ];
}
