import { describe, expect, it } from 'vitest';
import { CommandError } from '#cli/command/command-error.ts';
import { exitCodeOf, formatReport } from '#cli/reconcile/format-report.ts';
import { reconcileUntilComplete } from '#cli/reconcile/reconcile-until-complete.ts';
import type { Gap, GapCounts, GapReport } from '#shared/api/reconcile-answers.ts';

const none: GapCounts = { checked: 3, drifted: 0, repaired: 0, readBack: 0, stale: 0, gone: 0, unanswered: 0 };

function reportOf(more: Partial<GapReport> = {}, ofPersons: Partial<GapCounts> = {}): GapReport {
  return {
    mode: 'report',
    outcome: 'complete',
    beganOn: '2026-01-02T03:04:05.678Z',
    counts: {
      'natural-person': { ...none, ...ofPersons },
      'identification-verification': none,
      order: none,
      transfer: none,
    },
    gaps: [],
    furtherGaps: 0,
    ...more,
  };
}

const gap: Gap = {
  kind: 'natural-person',
  id: 'p-1',
  what: 'drifted',
  differed: ['status', 'modifiedOn'],
  status: 'CREATED',
  platformStatus: 'ACTIVE',
};

describe('cli reconcile: formatReport', () => {
  it('prints the counts of each kind, and each gap with the differing fields and both statuses', () => {
    const text = formatReport(reportOf({ gaps: [gap], furtherGaps: 2 }, { drifted: 3 }));
    expect(text).toMatch(/natural-person +3 +3 +0 /);
    expect(text).toMatch(/drifted +natural-person +p-1 +status, modifiedOn +CREATED +ACTIVE/);
    expect(text).toContain('… and 2 more');
    expect(text).toContain('3 entities have drifted. To repair what differs, run drawbridge reconcile repair');
    expect(text).not.toContain('gone from the platform');
  });

  it.each(['report', 'repair'] as const)('promises no repair of entities that are gone, in the mode %s', (mode) => {
    const text = formatReport(reportOf({ mode }, { gone: 2 }));
    expect(text).toMatch(/2 entities are gone from the platform\. A repair cannot change this: ask .+\.$/);
    expect(text).not.toMatch(/ drifted\.|Store now repairs|reconcile repair/);
  });

  it('says what a repair does about drifted entities, and that it leaves those that are gone', () => {
    const text = formatReport(reportOf({ mode: 'repair' }, { drifted: 1, gone: 1 }));
    expect(text).toContain(
      '1 entity had drifted. Store now repairs what differs.\n1 entity is gone from the platform.',
    );
  });

  it('does not say that no entity has drifted when some are stale or unanswered', () => {
    for (const counts of [{ unanswered: 2 }, { stale: 2 }]) {
      const text = formatReport(reportOf({}, counts));
      expect(text).toContain('2 stale or unanswered entities is unknown');
      expect(text).not.toContain('No compared entity has drifted.');
    }
  });

  it('prints the oldest stale entity, and says that no compared entity has drifted', () => {
    const text = formatReport(reportOf({ oldestStale: '2025-12-24T00:00:00Z' }));
    expect(text).toContain('2025-12-24T00:00:00Z');
    expect(text).toContain('No compared entity has drifted.');
  });
});

describe('cli reconcile: reconcileUntilComplete', () => {
  const skipped = 'Put the credentials into the secret PlatformCredentials.';

  it('invokes again from the returned position until the walk is complete, and keeps the gaps of every invocation', async () => {
    const events: object[] = [];
    const answers = [
      reportOf({ outcome: 'time is over', next: { stumbles: 1 }, gaps: [gap], furtherGaps: 1 }),
      reportOf({ outcome: 'time is over', next: { stumbles: 2 }, gaps: [gap] }),
      reportOf({ gaps: [gap], furtherGaps: 1 }),
    ];
    const seen: GapReport[] = [];
    const invoke = async (event: object) => {
      events.push(event);
      return answers[events.length - 1];
    };
    const report = await reconcileUntilComplete(invoke, { mode: 'report' }, (one) => seen.push(one));
    expect(report).toMatchObject({ outcome: 'complete', gaps: [gap, gap, gap], furtherGaps: 2 });
    expect(events).toEqual([
      { mode: 'report', seconds: 45 },
      { mode: 'report', seconds: 45, from: { stumbles: 1 } },
      { mode: 'report', seconds: 45, from: { stumbles: 2 } },
    ]);
    expect(seen).toEqual(answers.slice(0, 2));
  });

  it('asks for the whole table in every invocation', async () => {
    const events: object[] = [];
    const answers = [reportOf({ outcome: 'time is over' }), reportOf()];
    const invoke = async (event: object) => answers[events.push(event) - 1];
    await reconcileUntilComplete(invoke, { mode: 'repair', isFull: true }, () => undefined);
    expect(events).toEqual([1, 2].map(() => ({ mode: 'repair', seconds: 45, full: true })));
  });

  it.each([
    ['an answer that is no gap report', { counts: {} }, expect.any(Error)],
    [
      'what the function says to do before the first token',
      { skipped },
      new CommandError(skipped, 'drawbridge doctor'),
    ],
  ])('fails with %s', async (_, answer, error) => {
    const reconciling = reconcileUntilComplete(
      async () => answer,
      { mode: 'report' },
      () => undefined,
    );
    await expect(reconciling).rejects.toEqual(error);
  });
});

describe('cli reconcile: exitCodeOf', () => {
  it('is 0 when nothing has drifted, 1 when an entity has drifted or is gone, and 2 when the report is not complete', () => {
    expect(exitCodeOf(reportOf())).toBe(0);
    expect(exitCodeOf(reportOf({}, { drifted: 1 }))).toBe(1);
    expect(exitCodeOf(reportOf({}, { gone: 1 }))).toBe(1);
    expect(exitCodeOf(reportOf({}, { unanswered: 2 }))).toBe(0);
    expect(exitCodeOf(reportOf({}, { unanswered: 12 }))).toBe(2);
    expect(exitCodeOf(reportOf({}, { drifted: 1, unanswered: 12 }))).toBe(1);
    const busy = reportOf({ outcome: 'another run is at work' }, { drifted: 1 });
    expect(exitCodeOf(busy)).toBe(2);
    expect(formatReport(busy)).toContain('Another run of reconcile is in progress');
  });
});
