import { describe, expect, it } from 'vitest';
import { hasReached } from '#package/exports/events.ts';

const order = (status?: string, statusBefore?: string) => ({ kind: 'order', status, statusBefore }) as const;

describe('hasReached', () => {
  it.each([
    ['FILLED', undefined, true],
    ['SETTLED', undefined, true],
    ['CORRECTED', undefined, true],
    ['CANCELED', 'CORRECTED', true],
    ['CANCELED', undefined, false],
    ['PENDING', undefined, false],
    ['REJECTED', undefined, false],
    ['A_NEW_WORD', undefined, false],
    [undefined, undefined, false],
  ])('answers of an order that is %s and was %s before, whether it was FILLED: %s', (status, before, was) => {
    expect(hasReached(order(status, before), 'FILLED')).toBe(was);
  });

  it('does not take a transfer that is PROCESSED for one that was PENDING: an incoming payment never was', () => {
    expect(hasReached({ kind: 'transfer', status: 'PROCESSED' }, 'PENDING')).toBe(false);
  });

  it('refuses a status that the kind does not have, with those that it has', () => {
    expect(() => hasReached(order('FILLED'), 'FILED' as 'FILLED')).toThrow(
      'Order has no status FILED: name one of RECEIVED, PENDING, FILLED',
    );
  });
});
