import type { ValidationError } from '#sandbox/platform/core/fields.ts';
import type { Lifecycle } from '#sandbox/platform/core/record-book.ts';
import { fromUnits, priceDigits, quantityDigits } from '#sandbox/platform/trading/accounts/decimal.ts';
import type { OrderRecordView, OrderView } from './order-schema.ts';
import type { OrderStatus } from './order-states.ts';
import type { Side, Trade } from './trade.ts';

/** An order for a traditional asset. Quantities and prices in units of their last decimal. */
export type Order = Lifecycle<OrderStatus> & {
  readonly orderId: string;
  /** Undefined for an order of a legal entity. */
  readonly naturalPersonId?: string | undefined;
  readonly legalEntityId?: string | undefined;
  readonly requestorId: string;
  readonly externalId?: string | undefined;
  readonly isin: string;
  readonly side: Side;
  readonly quantity: bigint;
  readonly limitPrice?: bigint | undefined;
  /** The exchange lets no cancel through. */
  readonly isHeld: boolean;
  /** Why it is REJECTED. */
  readonly message?: string | undefined;
  /** Why it is INVALID. */
  readonly validationError?: ValidationError | undefined;
  readonly execution?: Execution | undefined;
};

export type Execution = Trade & {
  readonly executionId: string;
  readonly executedOn: string;
};

/** The id of the natural person or the legal entity on whose account the order is booked. */
export function holderOf({ naturalPersonId, legalEntityId }: Pick<Order, 'naturalPersonId' | 'legalEntityId'>): string {
  const holder = naturalPersonId ?? legalEntityId;
  if (holder === undefined) throw new TypeError('An order is of a natural person or a legal entity.');
  return holder;
}

/** An order as the API shows it. */
export function toView(order: Order): OrderView {
  const { execution, limitPrice } = order;
  return {
    orderId: order.orderId,
    externalId: order.externalId,
    status: order.status,
    createdOn: order.createdOn,
    modifiedOn: order.modifiedOn,
    side: order.side,
    isin: order.isin,
    quantity: fromUnits(order.quantity, quantityDigits),
    limitPrice: limitPrice === undefined ? undefined : fromUnits(limitPrice, priceDigits),
    message: order.message,
    executions: execution && [toExecutionView(execution)],
  };
}

/** An order with all that this platform knows of it. */
export function toRecordView(order: Order): OrderRecordView {
  const { naturalPersonId, legalEntityId, requestorId, isHeld, history } = order;
  return { ...toView(order), naturalPersonId, legalEntityId, requestorId, isHeld, history: [...history] };
}

/** What a notification says of an order (section 6: not shown). Reasons for INVALID come only here. */
export function toOrderNotification(order: Order): Readonly<Record<string, unknown>> {
  const notificationType = order.status === 'INVALID' ? 'VALIDATION_ERROR' : 'UPDATED';
  return { ...toView(order), notificationType, validationError: order.validationError };
}

function toExecutionView({ executionId, executedOn, quantity, price }: Execution) {
  return {
    executionId,
    executedOn,
    quantity: fromUnits(quantity, quantityDigits),
    price: fromUnits(price, priceDigits),
  };
}
