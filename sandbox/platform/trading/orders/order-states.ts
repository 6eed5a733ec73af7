import type { Transitions } from '#sandbox/platform/core/transitions.ts';

export const orderStatuses = [
  'RECEIVED',
  'INVALID',
  'PENDING',
  'CANCELED',
  'REJECTED',
  'FILLED',
  'CORRECTED',
  'SETTLED',
] as const;

export type OrderStatus = (typeof orderStatuses)[number];

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
