import * as z from 'zod';
import type { Transitions } from '#sandbox/platform/core/transitions.ts';
import type { TransactionStatus } from '#sandbox/platform/trading/transaction-status.ts';

/** The statuses of section 3.4. */
export const transferStatus = z.enum(['RECEIVED', 'INVALID', 'PENDING', 'REJECTED', 'PROCESSED']);

export type TransferStatus = z.infer<typeof transferStatus>;

/** The table of section 3.4. An outgoing transfer begins as RECEIVED, an incoming one as PROCESSED. */
export const transferTransitions: Transitions<TransferStatus> = {
  RECEIVED: ['INVALID', 'PENDING', 'REJECTED'],
  INVALID: [],
  PENDING: ['PROCESSED'],
  REJECTED: [],
  PROCESSED: [],
};

/** Section 3.5, its second table. Undefined if there is no transaction (N/A). */
export const transactionStatusOfTransfer: Readonly<Record<TransferStatus, TransactionStatus | undefined>> = {
  RECEIVED: undefined,
  INVALID: undefined,
  PENDING: undefined,
  REJECTED: undefined,
  PROCESSED: 'COMPLETED',
};
