import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import type { OrderStatus } from '#shared/platform/resources/traditional-assets.ts';
import type { TransferStatus } from './transfer-statuses.ts';

/** Section 3.5: fully processed, or changed after that. N/A where there is no transaction. */
export type TransactionStatus = 'N/A' | 'COMPLETED' | 'MODIFIED';

/** Section 3.5, its first table. */
const ofOrder: Readonly<Record<OrderStatus, TransactionStatus>> = {
  RECEIVED: 'N/A',
  INVALID: 'N/A',
  PENDING: 'N/A',
  CANCELED: 'N/A',
  REJECTED: 'N/A',
  FILLED: 'COMPLETED',
  CORRECTED: 'MODIFIED',
  SETTLED: 'COMPLETED',
};

/** Section 3.5, its second table. */
const ofTransfer: Readonly<Record<TransferStatus, TransactionStatus>> = {
  RECEIVED: 'N/A',
  INVALID: 'N/A',
  PENDING: 'N/A',
  REJECTED: 'N/A',
  PROCESSED: 'COMPLETED',
};

/** Persons and verifications have no transactions. */
const transactionStatuses: Readonly<Partial<Record<EntityKind, ReadonlyMap<string | undefined, TransactionStatus>>>> = {
  order: new Map(Object.entries(ofOrder)),
  transfer: new Map(Object.entries(ofTransfer)),
};

/**
 * The transaction status of an order or a transfer (section 3.5). Derived from its status each time, never stored.
 *
 * @returns undefined for what has no transactions, and for a status that section 3.5 does not map
 */
export function transactionStatusOf(kind: EntityKind, status: string | undefined): TransactionStatus | undefined {
  return transactionStatuses[kind]?.get(status);
}
