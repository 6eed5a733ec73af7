import { type StatusRow, type StatusTable, statusesOf, type TransactionStatus } from './status-table.ts';

const rowOf = (status: string) => `3.3, row ${status}`;

const rows = [
  { status: 'RECEIVED', final: false, resting: false, meaning: 'request passed the API layer' },
  { status: 'PENDING', final: false, resting: false, meaning: 'order is queued, no trading action taken yet' },
  {
    status: 'FILLED',
    final: false,
    resting: false,
    meaning: 'fully executed at the specified or a better price; closed',
  },
  { status: 'CORRECTED', final: false, resting: true, meaning: 'a post-trade correction was applied' },
  { status: 'INVALID', final: true, meaning: 'request failed API-level validation' },
  { status: 'REJECTED', final: true, meaning: 'rejected by the exchange' },
  { status: 'SETTLED', final: true, meaning: 'all financial transactions complete; funds can now be withdrawn' },
  { status: 'CANCELED', final: true, meaning: 'canceled by user or system before being filled' },
] as const satisfies readonly StatusRow[];

type OrderStatus = (typeof rows)[number]['status'];

/**
 * Section 3.3. FILLED → CORRECTED is legal: the row of CORRECTED names FILLED as its previous state, although the row of
 * FILLED does not name CORRECTED as a next one.
 */
const table: StatusTable<OrderStatus> = {
  title: 'Order',
  section: '3.3',
  statuses: rows,
  transitions: [
    { from: '(none)', to: 'RECEIVED', source: '3.3, flow rule 1' },
    { from: 'RECEIVED', to: 'PENDING', source: 'not stated: what passed the API layer is queued' },
    { from: 'RECEIVED', to: 'INVALID', source: 'not stated: what came in fails validation' },
    { from: 'PENDING', to: 'FILLED', source: rowOf('PENDING') },
    { from: 'PENDING', to: 'CANCELED', source: rowOf('PENDING') },
    { from: 'PENDING', to: 'REJECTED', source: rowOf('PENDING') },
    { from: 'FILLED', to: 'SETTLED', source: rowOf('FILLED') },
    { from: 'FILLED', to: 'CORRECTED', source: rowOf('CORRECTED') },
    { from: 'CORRECTED', to: 'CANCELED', source: rowOf('CORRECTED') },
  ],
};

export const orderStatuses = statusesOf(table);

/** Section 3.5, its first table. */
export const transactionStatusOfOrder: Readonly<Record<OrderStatus, TransactionStatus>> = {
  RECEIVED: 'N/A',
  INVALID: 'N/A',
  PENDING: 'N/A',
  CANCELED: 'N/A',
  REJECTED: 'N/A',
  FILLED: 'COMPLETED',
  CORRECTED: 'MODIFIED',
  SETTLED: 'COMPLETED',
};
