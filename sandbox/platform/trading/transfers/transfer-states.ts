import type { Transitions } from '#sandbox/platform/core/transitions.ts';

export const transferStatuses = ['RECEIVED', 'INVALID', 'PENDING', 'REJECTED', 'PROCESSED'] as const;

export type TransferStatus = (typeof transferStatuses)[number];

/** The table of section 3.4. An outgoing transfer begins as RECEIVED, an incoming one as PROCESSED. */
export const transferTransitions: Transitions<TransferStatus> = {
  RECEIVED: ['INVALID', 'PENDING', 'REJECTED'],
  INVALID: [],
  PENDING: ['PROCESSED'],
  REJECTED: [],
  PROCESSED: [],
};
