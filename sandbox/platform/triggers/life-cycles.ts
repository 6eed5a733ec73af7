import type { magicOrders, magicTransfers } from '#sandbox/platform/core/magic-values.ts';
import { readFields } from '#sandbox/platform/http/router.ts';
import { checkNewNaturalPerson, newNaturalPerson } from '#sandbox/platform/persons/natural-person-schema.ts';
import type { NaturalPersonStatus } from '#sandbox/platform/persons/natural-person-status.ts';
import { makeReadyPerson, type ReadyPersonDeps } from '#sandbox/platform/persons/ready-person.ts';
import { orderRequest } from '#sandbox/platform/trading/orders/order-schema.ts';
import type { Trading } from '#sandbox/platform/trading/trading.ts';
import { transferRequest } from '#sandbox/platform/trading/transfers/transfer-schema.ts';

export type LifeCycleDeps = ReadyPersonDeps & Pick<Trading, 'accounts' | 'orders' | 'transfers'>;

/** Fields of the request that a developer chooses. */
export type ChosenFields = Readonly<Record<string, unknown>>;

/** The ids to look up, by the name of the field. */
export type LifeCycleIds = Readonly<Record<string, string>>;

export type LifeCycle = {
  readonly means: string;
  readonly run: (deps: LifeCycleDeps, chosen: ChosenFields) => LifeCycleIds;
};

/** In cents: enough for any order and transfer below. */
const cash = 1_000_000n;

/** Everything that can be triggered as a whole. The platform's clock moves orders and transfers on. */
export const lifeCycles = {
  'person.onboarded': person('ACTIVE', 'a new person passes the checks, is identified, and becomes ACTIVE'),
  'person.invalid': person('INVALID', 'the checks find the data of a new person INVALID'),
  'person.rejected': person('REJECTED', 'the checks reject a new person'),
  'person.suspended': person('SUSPENDED', 'a new person becomes ACTIVE, then SUSPENDED'),
  'person.blocked': person('BLOCKED', 'a new person becomes ACTIVE, then BLOCKED'),
  'order.filled': order('magic-filled', 'an order is placed and FILLED'),
  'order.settled': order('magic-settled', 'an order is placed, FILLED and SETTLED'),
  'order.corrected': order('magic-corrected', 'an order is placed, FILLED and CORRECTED'),
  'order.canceled': order('magic-canceled', 'an order is placed and CANCELED by the system'),
  'order.rejected': order('magic-rejected', 'an order is placed and REJECTED by the exchange'),
  'order.invalid': order('magic-invalid', 'an order is placed and INVALID'),
  'transfer.settled': transfer('magic-processed', 'money goes out: PENDING, then PROCESSED'),
  'transfer.rejected': transfer('magic-rejected', 'money is to go out, and the transfer is REJECTED'),
  'transfer.invalid': transfer('magic-invalid', 'money is to go out, and the transfer is INVALID'),
  'transfer.received': {
    means: 'money comes in: PROCESSED immediately',
    run: (deps, chosen) => {
      const naturalPersonId = personFor(deps, chosen);
      const request = readFields(transferRequest, { amount: 250, ...chosen, naturalPersonId, direction: 'IN' });
      return { naturalPersonId, transferId: deps.transfers.create(request).transferId };
    },
  },
} as const satisfies Readonly<Record<string, LifeCycle>>;

function person(status: NaturalPersonStatus, means: string): LifeCycle {
  return {
    means,
    run: (deps, chosen) => {
      readFields(newNaturalPerson.partial(), chosen);
      checkNewNaturalPerson(chosen, deps.settings.read());
      return { naturalPersonId: makeReadyPerson(deps, chosen, status).naturalPersonId };
    },
  };
}

function order(externalId: keyof typeof magicOrders, means: string): LifeCycle {
  return {
    means,
    run: (deps, chosen) => {
      const naturalPersonId = personFor(deps, chosen);
      const usual = { isin: 'DE000SBX0018', side: 'BUY', quantity: 10, externalId: `${externalId}-${deps.newId()}` };
      const request = readFields(orderRequest, { ...usual, ...chosen, naturalPersonId });
      return { naturalPersonId, orderId: deps.orders.place(request).orderId };
    },
  };
}

function transfer(externalId: keyof typeof magicTransfers, means: string): LifeCycle {
  return {
    means,
    run: (deps, chosen) => {
      const naturalPersonId = personFor(deps, chosen);
      const usual = { amount: 250, externalId: `${externalId}-${deps.newId()}` };
      const request = readFields(transferRequest, { ...usual, ...chosen, naturalPersonId, direction: 'OUT' });
      return { naturalPersonId, transferId: deps.transfers.create(request).transferId };
    },
  };
}

/** The chosen person, or a new one that is ACTIVE. A person without money gets some. */
function personFor(deps: LifeCycleDeps, { naturalPersonId }: ChosenFields): string {
  const isChosen = typeof naturalPersonId === 'string';
  const id = isChosen ? naturalPersonId : makeReadyPerson(deps, {}, 'ACTIVE').naturalPersonId;
  if (deps.accounts.read(id).cash === 0n) deps.accounts.set(id, { cash });
  return id;
}
