import * as z from 'zod';
import { dateTime } from '#sandbox/platform/core/fields.ts';
import { costOf, fromUnits, moneyDigits } from './accounts/decimal.ts';
import type { Order } from './orders/order.ts';
import type { OrderStatus } from './orders/order-states.ts';
import type { Transfer } from './transfers/transfer.ts';
import type { TransferStatus } from './transfers/transfer-states.ts';

export const transactionStatuses = ['COMPLETED', 'MODIFIED'] as const;

export type TransactionStatus = (typeof transactionStatuses)[number];

/** The tables of section 3.5. Undefined where there is no transaction (N/A). */
export const transactionStatusOfOrder: Readonly<Record<OrderStatus, TransactionStatus | undefined>> = {
  RECEIVED: undefined,
  INVALID: undefined,
  PENDING: undefined,
  CANCELED: undefined,
  REJECTED: undefined,
  FILLED: 'COMPLETED',
  CORRECTED: 'MODIFIED',
  SETTLED: 'COMPLETED',
};

export const transactionStatusOfTransfer: Readonly<Record<TransferStatus, TransactionStatus | undefined>> = {
  RECEIVED: undefined,
  INVALID: undefined,
  PENDING: undefined,
  REJECTED: undefined,
  PROCESSED: 'COMPLETED',
};

export const transaction = z
  .strictObject({
    orderId: z.uuid().optional(),
    transferId: z.uuid().optional(),
    status: z.enum(transactionStatuses),
    amount: z.number().describe('What it brought to the cash balance; below 0 where it took from it'),
    modifiedOn: dateTime,
  })
  .meta({ id: 'Transaction' });

export type Transaction = z.infer<typeof transaction>;

/** The transactions of orders and transfers (section 3.5): derived, never stored. */
export function transactionsOf(orders: readonly Order[], transfers: readonly Transfer[]): Transaction[] {
  return [...orders.flatMap(ofOrder), ...transfers.flatMap(ofTransfer)];
}

function ofOrder({ status, side, execution, orderId, modifiedOn }: Order): readonly Transaction[] {
  const transactionStatus = transactionStatusOfOrder[status];
  if (transactionStatus === undefined || execution === undefined) return [];
  const cost = fromUnits(costOf(execution.quantity, execution.price), moneyDigits);
  return [{ orderId, status: transactionStatus, amount: side === 'BUY' ? -cost : cost, modifiedOn }];
}

function ofTransfer({ status, direction, amount, transferId, modifiedOn }: Transfer): readonly Transaction[] {
  const transactionStatus = transactionStatusOfTransfer[status];
  if (transactionStatus === undefined) return [];
  const money = fromUnits(amount, moneyDigits);
  return [{ transferId, status: transactionStatus, amount: direction === 'OUT' ? -money : money, modifiedOn }];
}
