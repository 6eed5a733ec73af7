import { describe, expect, it } from 'vitest';
import { transactionStatusOf } from '#shared/entities/transaction-status.ts';
import { shownAfter, statusesOfKind } from './histories.ts';

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
  it.each(orders)('%s: %s', (status, expected) => {
    expect(shownAfter('order', { status, at: 1 }).transactionStatus).toBe(expected);
  });

  it('is mapped for each status of section 3.3', () => {
    expect(orders.map(([status]) => status).toSorted()).toEqual(statusesOfKind('order').toSorted());
  });
});

describe('section 3.5, the transaction status of a transfer', () => {
  it.each(transfers)('%s: %s', (status, expected) => {
    expect(shownAfter('transfer', { status, at: 1 }).transactionStatus).toBe(expected);
  });

  it('is mapped for each status of section 3.4', () => {
    expect(transfers.map(([status]) => status).toSorted()).toEqual(statusesOfKind('transfer').toSorted());
  });
});

describe('section 3.5, what has no transaction status', () => {
  it.each([
    ['order', 'A_NEW_WORD'],
    ['order', undefined],
    ['natural-person', 'ACTIVE'],
    ['identification-verification', 'APPROVED'],
  ] as const)('%s %s', (kind, status) => {
    expect(transactionStatusOf(kind, status)).toBeUndefined();
  });
});
