import type { EntityKind } from '#shared/platform/event-place.ts';

/** Section 3.5: fully processed, or changed after that. N/A where there is no transaction. */
export type TransactionStatus = 'N/A' | 'COMPLETED' | 'MODIFIED';

/** Section 3.5, its two tables. */
const transactionStatuses: Readonly<Partial<Record<EntityKind, ReadonlyMap<string, TransactionStatus>>>> = {
  order: new Map([
    ['RECEIVED', 'N/A'],
    ['INVALID', 'N/A'],
    ['PENDING', 'N/A'],
    ['CANCELED', 'N/A'],
    ['REJECTED', 'N/A'],
    ['FILLED', 'COMPLETED'],
    ['CORRECTED', 'MODIFIED'],
    ['SETTLED', 'COMPLETED'],
  ]),
  transfer: new Map([
    ['RECEIVED', 'N/A'],
    ['INVALID', 'N/A'],
    ['PENDING', 'N/A'],
    ['REJECTED', 'N/A'],
    ['PROCESSED', 'COMPLETED'],
  ]),
};

/**
 * The transaction status of an order or a transfer (section 3.5). Derived from its status each time, never stored.
 *
 * @returns undefined for what has no transactions, and for a status that section 3.5 does not map
 */
export function transactionStatusOf(kind: EntityKind, status: string | undefined): TransactionStatus | undefined {
  return status === undefined ? undefined : transactionStatuses[kind]?.get(status);
}
