import type { LegalEntities } from '#sandbox/platform/access/legal-entities.ts';
import type { Requestors } from '#sandbox/platform/access/requestors.ts';
import {
  magicValidationError,
  type OrderOutcome,
  orderOutcomeOf,
  orderWarning,
} from '#sandbox/platform/core/magic-values.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { invalidRetention } from '#sandbox/platform/core/transitions.ts';
import { priceDigits, quantityDigits, toUnits } from '#sandbox/platform/trading/accounts/decimal.ts';
import { holderOf, type Order } from './order.ts';
import type { OrderBook } from './order-book.ts';
import type { OrderRequest } from './order-schema.ts';

export type PlaceOrderDeps = {
  readonly book: OrderBook;
  readonly newId: () => string;
  readonly settings: SettingsStore;
  /** The status of a natural person; undefined if there is none of this id. */
  readonly statusOf: (naturalPersonId: string) => string | undefined;
  readonly legalEntities: Pick<LegalEntities, 'has'>;
  readonly requestors: Pick<Requestors, 'findValidationError'>;
  readonly execute: (orderId: string) => Order;
  /** Schedules SETTLED of a FILLED order, unless only the control API settles orders. */
  readonly settleLater: (order: Order) => void;
  readonly warn: (warning: string | undefined) => void;
  /** Moves an order on by itself, through the statuses of a magic value. */
  readonly play: (order: Order, outcome: OrderOutcome) => void;
};

/** Takes an order: RECEIVED, and some seconds later PENDING or INVALID (section 3.3). */
export function createPlaceOrder({
  book,
  newId,
  settings,
  statusOf,
  legalEntities,
  requestors,
  execute,
  settleLater,
  warn,
  play,
}: PlaceOrderDeps) {
  function validate(order: Order): void {
    const outcome = orderOutcomeOf(order.externalId);
    const isInvalid = outcome?.statuses.includes('INVALID') === true;
    const validationError = isInvalid ? magicValidationError : requestors.findValidationError(order.requestorId, order);
    if (validationError !== undefined) {
      follow(book.move(order, 'INVALID', { validationError }));
      return;
    }
    follow(book.move(order, 'PENDING'));
  }

  /** Schedules what follows the status of an order by itself. */
  function follow(order: Order): void {
    const { status } = order;
    const { ordersPendingAfter, ordersExecutedAfter } = settings.read();
    const outcome = orderOutcomeOf(order.externalId);
    if (status === 'RECEIVED') book.later(ordersPendingAfter, order, validate);
    else if (status === 'INVALID') book.later(invalidRetention, order, book.remove);
    else if (outcome !== undefined) play(order, outcome);
    else if (status === 'PENDING') book.later(ordersExecutedAfter, order, ({ orderId }) => execute(orderId));
    if (status === 'FILLED') settleLater(order);
  }

  /** @throws {RefusedError} Not Found: there is no such natural person or legal entity */
  function place({ requestorId, limitPrice, quantity, ...request }: OrderRequest): Order {
    const { naturalPersonId, legalEntityId = '' } = request;
    if (naturalPersonId === undefined ? !legalEntities.has(legalEntityId) : statusOf(naturalPersonId) === undefined)
      throw new RefusedError(404, 'There is no such natural person or legal entity.');
    warn(orderWarning(request.externalId));
    const order = book.save({
      ...request,
      orderId: newId(),
      requestorId: requestorId ?? holderOf(request),
      quantity: toUnits(quantity, quantityDigits),
      limitPrice: limitPrice === undefined ? undefined : toUnits(limitPrice, priceDigits),
      isHeld: false,
      ...book.begin('RECEIVED'),
    });
    follow(order);
    return order;
  }

  return {
    place,
    /** Replaces every order. What follows by itself is scheduled again, from now on. */
    restore: (orders: readonly Order[]): void => {
      book.restore(orders);
      for (const order of orders) follow(order);
    },
  };
}
