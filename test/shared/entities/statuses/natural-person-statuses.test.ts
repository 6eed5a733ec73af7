import { describe, expect, it } from 'vitest';
import { naturalPersonStatuses } from '#shared/entities/statuses/entity-rules.ts';
import { type Line, shownAfter, shownOneByOne } from '#test/shared/entities/merge/histories.ts';

const endOf = (...lines: readonly Line[]) => shownAfter('natural-person', ...lines);

describe.each(['CREATED', 'ACTIVE', 'SUSPENDED', 'BLOCKED'])('section 3.1, state %s', (status) => {
  it('stands in the table and is not final', () => {
    expect(naturalPersonStatuses.isKnown(status)).toBe(true);
    expect(naturalPersonStatuses.isFinal(status)).toBe(false);
  });

  it('is shown when the platform dates it last', () => {
    expect(endOf({ status: 'RECEIVED', at: 1 }, { status, at: 2 })).toMatchObject({ status, anomalies: [] });
  });
});

describe('section 3.1, orders of statuses that were observed', () => {
  it.each([
    [['RECEIVED', 'CREATED', 'PENDING', 'ACTIVE']],
    [['RECEIVED', 'INVALID']],
    [['RECEIVED', 'REVIEW', 'CREATED']],
    [['RECEIVED', 'REVIEW', 'REJECTED']],
    [['RECEIVED', 'REJECTED']],
  ])('shows each status of %j in turn', (statuses) => {
    const lines = statuses.map((status, at) => ({ status, at }));
    expect(shownOneByOne('natural-person', ...lines)).toEqual(statuses);
    expect(endOf(...lines).anomalies).toEqual([]);
  });

  it.each(['INVALID', 'REJECTED', 'DECEASED'])(
    'shows what follows the final status %s and records an anomaly',
    (status) => {
      expect(naturalPersonStatuses.isFinal(status)).toBe(true);
      const { status: view, anomalies } = endOf({ status, at: 1 }, { status: 'ACTIVE', at: 2 });
      expect(view).toBe('ACTIVE');
      expect(anomalies).toHaveLength(1);
    },
  );

  it('shows CREATED after ACTIVE, which is not documented, without an anomaly', () => {
    expect(endOf({ status: 'ACTIVE', at: 1 }, { status: 'CREATED', at: 2 })).toMatchObject({
      status: 'CREATED',
      anomalies: [],
    });
  });
});

describe('the statuses of a person that can come back', () => {
  it.each([
    ['ACTIVE', 'SUSPENDED'],
    ['ACTIVE', 'BLOCKED'],
    ['SUSPENDED', 'BLOCKED'],
  ])('shows %s, then %s, and back, without an anomaly', (one, other) => {
    const lines = [one, other, one, other, one].map((status, at) => ({ status, at }));
    expect(shownOneByOne('natural-person', ...lines)).toEqual([one, other, one, other, one]);
    expect(endOf(...lines).anomalies).toEqual([]);
  });
});
