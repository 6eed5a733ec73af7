import { describe, expect, it } from 'vitest';
import { pathBetween } from '#sandbox/platform/core/transitions.ts';
import { orderStatus, orderTransitions } from '#sandbox/platform/trading/orders/order-states.ts';
import { orderStatuses } from '#shared/entities/statuses/entity-rules.ts';
import { type Line, shownAfter, shownOneByOne, statusesOfKind } from '#test/shared/entities/merge/histories.ts';

const endOf = (...lines: readonly Line[]) => shownAfter('order', ...lines);

/** Statuses at times that follow each other. */
function history(...statuses: readonly string[]): readonly Line[] {
  return statuses.map((status, at) => ({ status, at }));
}

/** Section 3.3 as the sandbox platform has it, in a table of its own. What is reached in several steps is legal, too. */
const rows = orderStatus.options.map((status) => {
  const next: readonly string[] = orderTransitions[status];
  const previous: readonly string[] = orderStatus.options.filter((from) => orderTransitions[from].includes(status));
  const reachable = orderStatus.options.filter((to) => (pathBetween(orderTransitions, status, to)?.length ?? 0) > 0);
  return { status, previous, next, later: reachable.filter((to) => !next.includes(to)) };
});

describe.each(rows)('section 3.3, row $status', ({ status, previous, next, later }) => {
  it(`comes after ${previous.join(' or ') || 'none'}`, () => {
    const stated = orderStatuses.table.transitions.filter(({ from, to }) => to === status && from !== '(none)');
    expect(stated.map(({ from }) => from).toSorted()).toEqual(previous.toSorted());
    for (const before of previous) expect(endOf(...history(before, status))).toMatchObject({ status, anomalies: [] });
  });

  it(`may be followed by ${next.join(' or ') || 'none'}`, () => {
    const stated = orderStatuses.table.transitions.filter(({ from }) => from === status);
    expect(stated.map(({ to }) => to).toSorted()).toEqual(next.toSorted());
    for (const to of [...next, ...later])
      expect(endOf(...history(status, to)), to).toMatchObject({ status: to, anomalies: [] });
  });

  it('shows anything else that follows, and records an anomaly where the status is final', () => {
    const others = statusesOfKind('order').filter((to) => ![status, ...next, ...later].includes(to));
    expect(others.length).toBe(rows.length - 1 - next.length - later.length);
    for (const to of others) {
      const { status: view, anomalies } = endOf(...history(status, to));
      expect(view).toBe(to);
      expect(anomalies).toHaveLength(next.length === 0 ? 1 : 0);
      if (next.length > 0) continue;
      expect(anomalies[0]).toMatch(new RegExp(`^(${status} → ${to}|${status} and ${to}|${to} and ${status})$`));
    }
  });

  it(`is ${next.length === 0 ? 'final' : 'not final'}`, () => {
    expect(orderStatuses.isFinal(status)).toBe(next.length === 0);
  });
});

describe('section 3.3, the life cycles of an order', () => {
  it.each([
    [['RECEIVED', 'PENDING', 'FILLED', 'SETTLED']],
    [['RECEIVED', 'PENDING', 'FILLED', 'CORRECTED', 'CANCELED']],
    [['RECEIVED', 'PENDING', 'CANCELED']],
    [['RECEIVED', 'PENDING', 'REJECTED']],
    [['RECEIVED', 'INVALID']],
    [['FILLED', 'CORRECTED', 'CANCELED']],
    [['FILLED', 'SETTLED']],
  ])('shows each status of %j, timed or untimed', (statuses) => {
    const untimed = statuses.map((status) => ({ status }));
    expect(shownOneByOne('order', ...history(...statuses))).toEqual(statuses);
    expect(shownOneByOne('order', ...untimed)).toEqual(statuses);
    expect(endOf(...history(...statuses)).anomalies).toEqual([]);
    expect(endOf(...untimed).anomalies).toEqual([]);
  });

  it('keeps FILLED when PENDING arrives late, with or without times', () => {
    for (const [filled, pending] of [
      [2, 1],
      [2, undefined],
      [undefined, 1],
      [undefined, undefined],
    ]) {
      const lines = [
        { status: 'FILLED', at: filled },
        { status: 'PENDING', at: pending },
      ];
      expect(endOf(...lines)).toMatchObject({ status: 'FILLED', anomalies: [] });
    }
  });

  it('shows PENDING that the platform itself dates after FILLED', () => {
    expect(endOf({ status: 'FILLED', at: 1 }, { status: 'PENDING', at: 2 })).toMatchObject({
      status: 'PENDING',
      anomalies: [],
    });
  });

  it('shows CORRECTED dated after SETTLED and records an anomaly', () => {
    expect(
      endOf({ status: 'FILLED', at: 0 }, { status: 'SETTLED', at: 1 }, { status: 'CORRECTED', at: 2 }),
    ).toMatchObject({
      status: 'CORRECTED',
      anomalies: ['SETTLED → CORRECTED'],
    });
  });

  it('records no anomaly for CANCELED after FILLED, as CORRECTED may arrive late', () => {
    const early = [
      { status: 'FILLED', at: 1 },
      { status: 'CANCELED', at: 3 },
    ];
    expect(endOf(...early)).toMatchObject({ status: 'CANCELED', anomalies: [] });
    expect(endOf(...early, { status: 'CORRECTED', at: 2 })).toMatchObject({ status: 'CANCELED', anomalies: [] });
  });

  it('keeps the status after a failed cancel, which sends nothing (flow rule 4)', () => {
    expect(endOf({ status: 'PENDING', at: 1 })).toMatchObject({
      status: 'PENDING',
      modifiedOn: '2026-11-21T08:00:01Z',
    });
  });
});
