import { describe, expect, it } from 'vitest';
import { transactionStatusOf } from '#shared/entities/statuses/transaction-status.ts';
import { shownAfter, statusesOfKind } from '#test/shared/entities/merge/histories.ts';

const orders = [
  ['RECEIVED', 'N/A'],
  ['INVALID', 'N/A'],
  ['PENDING', 'N/A'],
  ['CANCELED', 'N/A'],
  ['REJECTED', 'N/A'],
  ['FILLED', 'COMPLETED'],
  ['CORRECTED', 'MODIFIED'],
  ['SETTLED', 'COMPLETED'],
];
const transfers = [
  ['RECEIVED', 'N/A'],
  ['INVALID', 'N/A'],
  ['PENDING', 'N/A'],
  ['REJECTED', 'N/A'],
  ['PROCESSED', 'COMPLETED'],
];

describe('section 3.5, the transaction status of an order', () => {
  it.each(orders)('is derived from an order that is %s: %s', (status, expected) => {
    expect(shownAfter('order', { status, at: 1 }).transactionStatus).toBe(expected);
  });

  it('is mapped for each status of section 3.3', () => {
    expect(orders.map(([status]) => status).toSorted()).toEqual(statusesOfKind('order').toSorted());
  });
});

describe('section 3.5, the transaction status of a transfer', () => {
  it.each(transfers)('is derived from a transfer that is %s: %s', (status, expected) => {
    expect(shownAfter('transfer', { status, at: 1 }).transactionStatus).toBe(expected);
  });

  it('is mapped for each status of section 3.4', () => {
    expect(transfers.map(([status]) => status).toSorted()).toEqual(statusesOfKind('transfer').toSorted());
  });
});

describe('section 3.5, kinds and statuses without a transaction status', () => {
  it.each([
    ['order', 'A_NEW_WORD'],
    ['order', undefined],
    ['natural-person', 'ACTIVE'],
    ['identification-verification', 'APPROVED'],
  ] as const)('derives none for a %s that is %s', (kind, status) => {
    expect(transactionStatusOf(kind, status)).toBeUndefined();
  });
});
