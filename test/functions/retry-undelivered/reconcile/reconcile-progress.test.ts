import { describe, expect, it } from 'vitest';
import { differencesOf } from '#functions/retry-undelivered/reconcile/compare-entity.ts';
import { platformStateOf } from '#functions/retry-undelivered/reconcile/read-platform.ts';
import {
  addChecked,
  afterPersons,
  afterVerifications,
  beginRun,
  endWalk,
  interruptPass,
  maxFailedRuns,
  newWalk,
  passOn,
  type ReconcileProgress,
  reconcileProgress,
  recordFailedRun,
} from '#functions/retry-undelivered/reconcile/reconcile-progress.ts';
import { expectsReport, lastReportOn } from '#functions/retry-undelivered/reconcile/resting-statuses.ts';
import { writeReport } from '#functions/retry-undelivered/reconcile/write-report.ts';
import { hasDrifted, maxGaps } from '#shared/bus/gap-report.ts';
import { readBackShards } from '#shared/entities/entity-row.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { trailhead } from '#shared/platform/client/cursor-trail.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';

const now = new Date('2026-01-02T03:04:05.678Z');
const beginning = reconcileProgress.parse({});
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);

describe('the progress of a reconciliation', () => {
  it('begins a walk and a pass over what is to be read back, and continues with both', () => {
    const begun = beginRun(beginning, now, true);
    expect(begun).toMatchObject({ pass: { shard: 0 }, walk: { phase: 'persons', beganOn: now.toISOString() } });
    const underWay = { ...begun, pass: { shard: 3, start: { a: 'b' }, end: 0 } };
    expect(beginRun(underWay, later(1), true)).toEqual(underWay);
  });

  it('has a pass for each run that repairs, however long the walk takes', () => {
    const { pass: _, ...walked } = beginRun(beginning, now, true);
    expect(beginRun(walked, later(1), true).pass).toEqual({ shard: 0, end: 0 });
    expect(beginRun(walked, later(1), false).pass).toBeUndefined();
  });

  it('begins a report with a pass, too', () => {
    expect(beginRun(beginning, now, false).pass).toEqual({ shard: 0, end: 0 });
  });

  it('goes through the list of persons, then the verifications, then the entities, each from its first page', () => {
    const trail = { steps: 1, most: 2 };
    const second = afterPersons(newWalk(now), 'c', trail);
    expect(second).toEqual({ ...newWalk(now), cursor: 'c', trail });
    const verifications = afterPersons(second, undefined, undefined);
    expect(verifications).toEqual({ ...newWalk(now), trail, phase: 'verifications' });
    const start = { entity: 'order#1', item: 'state' };
    const third = afterVerifications(verifications, start);
    expect(third).toEqual({ ...verifications, start });
    expect(afterVerifications(third, undefined)).toEqual({ ...verifications, phase: 'entities' });
  });

  it.each([0, 4, 15])(
    'goes through every shard once in a pass from shard %i, and through every page of it',
    (first) => {
      const shards: number[] = [];
      let pass = beginRun({ nextPass: { shard: first }, stumbles: 0 }, now, true).pass;
      while (pass !== undefined && shards.length < 100) {
        shards.push(pass.shard);
        pass = passOn(pass, pass.start === undefined && pass.shard === 7 ? { a: 'b' } : undefined);
      }
      const inOrder = [...readBackShards.keys()];
      const expected = [...inOrder.slice(first), ...inOrder.slice(0, first)];
      expect(shards).toEqual(expected.flatMap((shard) => (shard === 7 ? [7, 7] : [shard])));
    },
  );

  it('begins the next pass where the last one stopped, and the one after it at the first shard', () => {
    const stopped = interruptPass({ walk: newWalk(now), stumbles: 0 }, { shard: 4, start: { a: 'b' }, end: 2 });
    const begun = beginRun(endWalk(stopped, later(1)), later(2), true);
    expect(begun.pass).toEqual({ shard: 4, start: { a: 'b' }, end: 4 });
    const ended = endWalk({ ...begun, pass: undefined }, later(3));
    expect(beginRun(ended, later(4), true).pass).toEqual({ shard: 0, end: 0 });
  });

  it('is stored as JSON in every state', () => {
    const walk = { ...newWalk(now), cursor: 'c', start: { entity: 'order#1', item: 'state' } };
    const verifications = { ...walk, phase: 'verifications' as const };
    const entities = { ...walk, phase: 'entities' as const };
    const ended = endWalk({ walk, nextPass: { shard: 4 }, stumbles: 0 }, later(1));
    const underWay = [walk, verifications, entities].map((one) => ({
      walk: one,
      pass: { shard: 4, end: 2 },
      stumbles: 1,
    }));
    for (const progress of [...underWay, ended])
      expect(reconcileProgress.parse(JSON.parse(JSON.stringify(progress)))).toEqual(progress);
    expect(ended).toMatchObject({ stumbles: 0, last: { beganOn: walk.beganOn, endedOn: later(1).toISOString() } });
  });
});

describe('a run that makes no progress', () => {
  const atPage = { ...beginning, walk: { ...newWalk(now), cursor: 'of-yesterday', trail: { steps: 1, most: 2 } } };

  it('has the list of persons read from its beginning when it is a cursor that the platform always fails at', () => {
    let progress: ReconcileProgress = atPage;
    for (let run = 1; run < maxFailedRuns; run += 1) {
      progress = recordFailedRun(progress);
      expect(progress.walk).toEqual(atPage.walk);
    }
    expect(recordFailedRun(progress)).toMatchObject({ stumbles: 0, walk: { trail: trailhead } });
    expect(recordFailedRun(progress).walk).not.toHaveProperty('cursor');
  });

  it('remembers how often, where it is single entities, the first page or no walk', () => {
    for (const progress of [
      { ...atPage, pass: { shard: 1, end: 0 } },
      { ...atPage, walk: afterPersons(atPage.walk, undefined, undefined) },
      { ...atPage, walk: newWalk(now) },
      beginning,
    ])
      expect(recordFailedRun({ ...progress, stumbles: 2 })).toEqual({ ...progress, stumbles: 3 });
  });
});

describe('differences from the platform', () => {
  const known = { status: 'ACTIVE', modifiedOn: '2026-01-02T03:04:05.123456789Z' };

  it.each([
    ['all of it, where it is not known', undefined, known, ['entity']],
    ['nothing, where they are the same', known, known, []],
    ['the time', known, { ...known, modifiedOn: '2026-01-02T03:04:05.12345679Z' }, ['modifiedOn']],
    ['the status of one instant', known, { ...known, status: 'BLOCKED' }, ['status']],
    ['both', known, { status: 'BLOCKED', modifiedOn: '2026-01-03T00:00:00Z' }, ['status', 'modifiedOn']],
    ['nothing, where ours is newer', known, { status: 'BLOCKED', modifiedOn: '2026-01-02T03:04:05.123456788Z' }, []],
    ['both, where we know no status', { status: undefined, modifiedOn: undefined }, known, ['status', 'modifiedOn']],
  ] as const)('are found for %s', (_, entity, answered, expected) => {
    expect(differencesOf(entity, answered)).toEqual(expected);
  });

  it.each([
    ['of another', false, 'ACTIVE', known.modifiedOn],
    ['without a status', true, null, known.modifiedOn],
    ['of a status that is no word', true, 'Erika Mustermann', known.modifiedOn],
    ['without a time', true, 'ACTIVE', undefined],
  ])('are not known from an answer %s', (_, isIt, status, modifiedOn) => {
    expect(platformStateOf(isIt, status, modifiedOn)).toBe('unanswered');
  });
});

describe('entities with an expected report', () => {
  it.each([
    [
      'natural-person',
      ['RECEIVED', 'REVIEW', 'PENDING', undefined],
      ['CREATED', 'ACTIVE', 'BLOCKED', 'REJECTED', 'NEW'],
    ],
    ['identification-verification', ['RECEIVED', 'PENDING'], ['APPROVED', 'DECLINED']],
    ['order', ['RECEIVED', 'PENDING', 'FILLED'], ['CORRECTED', 'SETTLED', 'INVALID', 'CANCELED', 'REJECTED', 'NEW']],
    ['transfer', ['RECEIVED', 'PENDING'], ['PROCESSED', 'REJECTED', 'INVALID', 'NEW']],
  ] as const)(
    'lists for a %s the statuses with an expected report and the resting ones',
    (kind, expecting, resting) => {
      expect(expecting.filter((status) => !expectsReport(entityRules, kind, status))).toEqual([]);
      expect(resting.filter((status) => expectsReport(entityRules, kind, status))).toEqual([]);
    },
  );

  it('uses the latest receipt in any order of arrival', () => {
    const times = ['2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
    expect(lastReportOn(times.map((receivedOn) => ({ receivedOn })))).toBe(times[1]);
    expect(lastReportOn([])).toBeUndefined();
  });
});

describe('the gap report of a reconciliation', () => {
  const finding = (id: number) => ({ kind: 'order' as const, id: `o-${id}`, what: 'stale' as const });

  it('adds up what was checked and found of each kind, and counts as repaired what a repair has an answer for', () => {
    const answer = { kind: 'natural-person', id: 'p', status: 'ACTIVE', modifiedOn: '', readOn: '' } as const;
    const drifted = { kind: 'natural-person', id: 'p', what: 'drifted', answer } as const;
    const whats = ['drifted', 'to be read back', 'stale', 'gone', 'unanswered'] as const;
    const findings = [drifted, ...whats.map((what) => ({ ...finding(1), what }))];
    const look = { checked: ['natural-person', 'order', 'order'] as const, findings };
    const { counts } = addChecked(addChecked(newWalk(now), look, true), look, false);
    const nothing = { checked: 0, drifted: 0, repaired: 0, readBack: 0, stale: 0, gone: 0, unanswered: 0 };
    expect(counts).toEqual({
      'natural-person': { ...nothing, checked: 2, drifted: 2, repaired: 1 },
      'identification-verification': nothing,
      order: { checked: 4, drifted: 2, repaired: 0, readBack: 2, stale: 2, gone: 2, unanswered: 2 },
      transfer: nothing,
    });
  });

  it('keeps the oldest of what is stale', () => {
    const sinces = ['2026-01-03T00:00:00Z', '2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00.25Z'];
    for (const order of [sinces, sinces.toReversed()]) {
      const walked = order.reduce(
        (walk, since) => addChecked(walk, { checked: [], findings: [{ ...finding(1), since }] }, true),
        newWalk(now),
      );
      expect(walked.oldestStale).toBe(sinces[2]);
    }
    expect(addChecked(newWalk(now), { checked: [], findings: [finding(1)] }, true).oldestStale).toBeUndefined();
  });

  it('names no more than a hundred, and says how many there are beyond', () => {
    const found = Array.from({ length: maxGaps + 7 }, (_, id) => finding(id));
    const report = writeReport({ mode: 'report', outcome: 'time is over', progress: beginning, found, now });
    expect(report.gaps).toHaveLength(maxGaps);
    expect(report).toMatchObject({ furtherGaps: 7, next: beginning });
  });

  it.each(entityKinds)('has drifted where one %s differs, or is gone, and not where it is only stale', (kind) => {
    const { counts } = newWalk(now);
    const withOne = (what: object) => ({ counts: { ...counts, [kind]: { ...counts[kind], ...what } } });
    expect(hasDrifted({ counts })).toBe(false);
    expect(hasDrifted(withOne({ drifted: 1 }))).toBe(true);
    expect(hasDrifted(withOne({ gone: 1 }))).toBe(true);
    expect(hasDrifted(withOne({ stale: 1, unanswered: 1, readBack: 1, checked: 1 }))).toBe(false);
  });
});
