import { describe, expect, it } from 'vitest';
import { callsBesideLists, reconcileYear } from '#tools/capacity/reconcile-model.ts';

const reconciliation = {
  everyHours: 1,
  callsPerSecond: 20,
  listEveryHours: 24,
  readBackAfterHours: 6,
  staleAfterHours: 168,
};
const days = [30, 365];

describe('a year at 100 webhooks a second', () => {
  it('asks for what is due within the hour, however many entities there are', () => {
    const [month, year] = reconcileYear({ webhooksPerSecond: 100, reconciliation, days });
    expect([month?.waitHours, year?.waitHours]).toEqual([1, 1]);
    expect(year?.entities).toBeGreaterThan(12 * (month?.entities ?? 0));
    expect(year?.dueADay).toBeLessThan(1.1 * (month?.dueADay ?? 0));
    // A walk of 0.2.0 came to an entity after it was stale.
    expect(year?.walkHours).toBeGreaterThan(reconciliation.staleAfterHours);
  });

  it('falls behind where more is due than the runs may ask for', () => {
    const [month, year] = reconcileYear({
      webhooksPerSecond: 100,
      reconciliation: { ...reconciliation, callsPerSecond: 1 },
      days,
    });
    expect(month?.dueADay).toBeGreaterThan(month?.callsADay ?? 0);
    expect(year?.waitHours).toBeGreaterThan(month?.waitHours ?? 0);
  });

  it('gives a run all of its calls for what is due, or half where it reads the lists, as every run does with many persons', () => {
    const few = { ...reconciliation, callsPerSecond: 5 };
    const [day, year] = reconcileYear({ webhooksPerSecond: 100, reconciliation: few, days: [1, 365] });
    // One of 24 runs reads the lists.
    expect(day?.callsADay).toBe(5 * (23 * 840 + 420));
    expect(year?.callsADay).toBe(callsBesideLists(few));
    expect(year?.personsHours).toBeGreaterThan(24);
  });

  it.each([5, 7])('shows the last day of the year with a run every %i hours', (everyHours) => {
    const [year] = reconcileYear({
      webhooksPerSecond: 1,
      reconciliation: { ...reconciliation, everyHours },
      days: [365],
    });
    expect(year?.day).toBe(365);
    expect(year?.callsADay).toBeGreaterThanOrEqual(callsBesideLists({ ...reconciliation, everyHours }));
  });
});
