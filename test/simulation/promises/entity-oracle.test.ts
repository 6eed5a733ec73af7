import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectedTransactionStatus, expectedView, type PlatformState } from './entity-oracle.ts';

type Reported = readonly [status: string, modifiedOn?: string];

/** States in the order of the platform, each received a second after the one before. */
function statesOf(...states: readonly Reported[]): readonly PlatformState[] {
  return states.map(([status, modifiedOn], index) => {
    const receivedOn = `2026-01-02T03:04:0${index}.000Z`;
    return { status, modifiedOn, firstReceivedOn: receivedOn, lastReceivedOn: receivedOn };
  });
}

const [early, late] = ['2026-01-02T03:00:00.000000001Z', '2026-01-02T03:00:00.000000002Z'];

describe('the oracle for entities', () => {
  it('expects the last known status of an order, whatever unknown status came before it', () => {
    expect(expectedView('order', statesOf(['PENDING'], ['NEW'], ['FILLED'])).statuses).toEqual(['FILLED']);
    expect(expectedView('order', statesOf(['NEW', early], ['FILLED', early])).statuses).toEqual(['FILLED']);
  });

  it('expects an unknown status without a time only where no known one can follow', () => {
    expect(expectedView('order', statesOf(['RECEIVED'], ['NEW'])).statuses).toEqual(['NEW']);
    expect(expectedView('order', statesOf(['RECEIVED'], ['PENDING'], ['NEW'])).statuses).toEqual(['PENDING']);
    expect(expectedView('order', statesOf(['SETTLED'], ['NEW'])).statuses).toEqual(['SETTLED']);
  });

  it('expects the unknown status that was first received last', () => {
    expect(expectedView('transfer', statesOf(['ZZ'], ['AA'])).statuses).toEqual(['AA']);
  });

  it('expects the latest status where all have distinct times', () => {
    expect(expectedView('order', statesOf(['FILLED', early], ['NEW', late])).statuses).toEqual(['NEW']);
    expect(expectedView('order', statesOf(['SETTLED', early], ['PENDING', late])).statuses).toEqual(['PENDING']);
  });

  it('expects a person to be read back after a status without a time, and not to take it', () => {
    const { statuses, toReadBack, heardOn } = expectedView('natural-person', statesOf(['ACTIVE', early], ['BLOCKED']));
    expect({ statuses, toReadBack, heardOn }).toEqual({
      statuses: ['ACTIVE'],
      toReadBack: true,
      heardOn: '2026-01-02T03:04:01.000Z',
    });
  });

  it('takes nothing for a contradiction but leaving a final status', () => {
    const isContradiction = (...states: readonly Reported[]) =>
      expectedView('order', statesOf(...states)).isContradiction;
    expect(isContradiction(['RECEIVED', early], ['SETTLED', late])).toBe(false);
    expect(isContradiction(['SETTLED', early], ['PENDING', late])).toBe(true);
    expect(isContradiction(['CORRECTED', early], ['PENDING', late])).toBe(false);
  });

  it('expects a transaction status of orders and transfers alone', () => {
    expect(expectedTransactionStatus('order', 'CORRECTED')).toBe('MODIFIED');
    expect(expectedTransactionStatus('transfer', 'PROCESSED')).toBe('COMPLETED');
    expect(expectedTransactionStatus('transfer', 'PENDING')).toBe('N/A');
    expect(expectedTransactionStatus('natural-person', 'ACTIVE')).toBeUndefined();
    expect(expectedTransactionStatus('order', 'NEW')).toBeUndefined();
  });

  it.each(['entity-oracle.ts', 'platform-truth.ts', 'told-news.ts'])('imports nothing of the merge in %s', (file) => {
    expect(readFileSync(join(import.meta.dirname, file), 'utf8')).not.toMatch(/from '#shared\/entit(ies|y-store)/);
  });
});
