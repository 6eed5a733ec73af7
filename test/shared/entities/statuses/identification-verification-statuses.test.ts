import { describe, expect, it } from 'vitest';
import { type Line, shownAfter, shownOneByOne } from '#test/shared/entities/merge/histories.ts';

const endOf = (...lines: readonly Line[]) => shownAfter('identification-verification', ...lines);

describe('section 3.2, RECEIVED', () => {
  it('shows RECEIVED for a new verification', () => {
    expect(endOf({ status: 'RECEIVED', at: 1 })).toMatchObject({ status: 'RECEIVED', anomalies: [] });
  });

  it('supersedes RECEIVED by what is dated later, in either order of arrival', () => {
    const lines = [
      { status: 'RECEIVED', at: 1 },
      { status: 'PENDING', at: 2 },
    ];
    for (const order of [lines, lines.toReversed()])
      expect(endOf(...order)).toMatchObject({ status: 'PENDING', anomalies: [] });
  });
});

describe('section 3.2, statuses that the specification does not list', () => {
  it('shows RECEIVED, PENDING and APPROVED, which were observed', () => {
    const statuses = ['RECEIVED', 'PENDING', 'APPROVED'];
    expect(shownOneByOne('identification-verification', ...statuses.map((status, at) => ({ status, at })))).toEqual(
      statuses,
    );
  });

  it('shows a word for failure that the table does not know', () => {
    expect(endOf({ status: 'PENDING', at: 1 }, { status: 'FAILED', at: 2 })).toMatchObject({
      status: 'FAILED',
      anomalies: [],
    });
  });

  it('shows a word for failure dated after APPROVED and records an anomaly', () => {
    expect(endOf({ status: 'APPROVED', at: 1 }, { status: 'FAILED', at: 2 })).toMatchObject({
      status: 'FAILED',
      anomalies: ['APPROVED → FAILED'],
    });
  });
});
