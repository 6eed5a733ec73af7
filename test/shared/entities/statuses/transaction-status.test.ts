import { describe, expect, it } from 'vitest';
import { transactionStatusOfOrder } from '#sandbox/platform/trading/orders/order-states.ts';
import { transactionStatusOfTransfer } from '#sandbox/platform/trading/transfers/transfer-states.ts';
import { transactionStatusOf } from '#shared/entities/statuses/entity-rules.ts';
import { shownAfter, statusesOfKind } from '#test/shared/entities/merge/histories.ts';

describe.each([
  ['order', transactionStatusOfOrder],
  ['transfer', transactionStatusOfTransfer],
] as const)('section 3.5, the transaction status of an %s', (kind, expected) => {
  it.each(statusesOfKind(kind).map((status) => [status]))(
    'is derived for %s as the sandbox platform derives it',
    (status) => {
      const ofSandbox = new Map<string, string | undefined>(Object.entries(expected)).get(status) ?? 'N/A';
      expect(shownAfter(kind, { status, at: 1 }).transactionStatus).toBe(ofSandbox);
    },
  );
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
