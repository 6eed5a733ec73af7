import { describe, expect, it } from 'vitest';
import { type Line, shownAfter, shownOneByOne } from './histories.ts';

const endOf = (...lines: readonly Line[]) => shownAfter('identification-verification', ...lines);

describe('section 3.2, RECEIVED', () => {
  it('is shown', () => {
    expect(endOf({ status: 'RECEIVED', at: 1 })).toMatchObject({ status: 'RECEIVED', anomalies: [] });
  });

  it('is superseded by what is dated later, in whichever order they come', () => {
    const lines = [
      { status: 'RECEIVED', at: 1 },
      { status: 'PENDING', at: 2 },
    ];
    for (const order of [lines, lines.toReversed()])
      expect(endOf(...order)).toMatchObject({ status: 'PENDING', anomalies: [] });
  });
});

describe('section 3.2, other states: not shown', () => {
  it('RECEIVED, PENDING, APPROVED were seen', () => {
    const statuses = ['RECEIVED', 'PENDING', 'APPROVED'];
    expect(shownOneByOne('identification-verification', ...statuses.map((status, at) => ({ status, at })))).toEqual(
      statuses,
    );
  });

  it('a word for failure, which nobody knows, is shown', () => {
    expect(endOf({ status: 'PENDING', at: 1 }, { status: 'FAILED', at: 2 })).toMatchObject({
      status: 'FAILED',
      anomalies: [],
    });
  });

  it('a word for failure that is dated after APPROVED is shown, and is an anomaly', () => {
    expect(endOf({ status: 'APPROVED', at: 1 }, { status: 'FAILED', at: 2 })).toMatchObject({
      status: 'FAILED',
      anomalies: ['APPROVED → FAILED'],
    });
  });
});
