import * as z from 'zod';
import type { Transitions } from '#sandbox/platform/core/transitions.ts';
import type { TransactionStatus } from '#sandbox/platform/trading/transaction-status.ts';

/** The statuses of section 3.3. */
export const orderStatus = z.enum([
  'RECEIVED',
  'INVALID',
  'PENDING',
  'CANCELED',
  'REJECTED',
  'FILLED',
  'CORRECTED',
  'SETTLED',
]);

export type OrderStatus = z.infer<typeof orderStatus>;

/** The table of section 3.3. FILLED to CORRECTED stands in the row of CORRECTED, among its previous states. */
export const orderTransitions: Transitions<OrderStatus> = {
  RECEIVED: ['INVALID', 'PENDING'],
  INVALID: [],
  PENDING: ['FILLED', 'CANCELED', 'REJECTED'],
  CANCELED: [],
  REJECTED: [],
  FILLED: ['SETTLED', 'CORRECTED'],
  CORRECTED: ['CANCELED'],
  SETTLED: [],
};

/** Section 3.5, its first table. Undefined if there is no transaction (N/A). */
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
