import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import { transactionStatusOfOrder } from './order-statuses.ts';
import type { TransactionStatus } from './status-table.ts';
import { transactionStatusOfTransfer } from './transfer-statuses.ts';

/** Persons and verifications have no transactions. */
const transactionStatuses: Readonly<Partial<Record<EntityKind, ReadonlyMap<string | undefined, TransactionStatus>>>> = {
  order: new Map(Object.entries(transactionStatusOfOrder)),
  transfer: new Map(Object.entries(transactionStatusOfTransfer)),
};

/**
 * The transaction status of an order or a transfer (section 3.5). Derived from its status each time, never stored.
 *
 * @returns undefined for what has no transactions, and for a status that section 3.5 does not map
 */
export function transactionStatusOf(kind: EntityKind, status: string | undefined): TransactionStatus | undefined {
  return transactionStatuses[kind]?.get(status);
}
