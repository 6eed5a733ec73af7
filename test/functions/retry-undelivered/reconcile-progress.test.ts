import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standingOf } from '#functions/retry-undelivered/ask-platform.ts';
import { differencesOf } from '#functions/retry-undelivered/compare-entity.ts';
import { followTrail, trailhead } from '#functions/retry-undelivered/cursor-trail.ts';
import { expectsNews, lastNewsOn } from '#functions/retry-undelivered/quiet.ts';
import {
  addLook,
  afterPersons,
  beginRun,
  endWalk,
  mostStumbles,
  newWalk,
  passOn,
  type ReconcileProgress,
  reconcileProgress,
  stumble,
} from '#functions/retry-undelivered/reconcile-progress.ts';
import { writeReport } from '#functions/retry-undelivered/write-report.ts';
import { entityRules } from '#shared/entities/entity-rules.ts';
import { readBackShards } from '#shared/entity-row.ts';
import { hasDrifted, mostGaps } from '#shared/gap-report.ts';
import { entityKinds } from '#shared/platform/event-place.ts';

const now = new Date('2026-01-02T03:04:05.678Z');
const beginning = reconcileProgress.parse({});
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);

describe('issue 6: reconciliation goes on where it stopped', () => {
  it('begins a walk, and a pass over what is to be read back, and goes on with both', () => {
    const begun = beginRun(beginning, now, true);
    expect(begun).toMatchObject({ pass: { shard: 0 }, walk: { phase: 'persons', beganOn: now.toISOString() } });
    const underWay = { ...begun, pass: { shard: 3, start: { a: 'b' } } };
    expect(beginRun(underWay, later(1), true)).toEqual(underWay);
  });

  it('each run that repairs has a pass of its own, however long the walk takes', () => {
    const { pass: _, ...walked } = beginRun(beginning, now, true);
    expect(beginRun(walked, later(1), true).pass).toEqual({ shard: 0 });
    expect(beginRun(walked, later(1), false).pass).toBeUndefined();
  });

  it('a pass goes through every shard, and every page of it', () => {
    const shards: number[] = [];
    let pass: ReconcileProgress['pass'] = { shard: 0 };
    while (pass !== undefined) {
      shards.push(pass.shard);
      pass = passOn(pass, pass.start === undefined && pass.shard === 7 ? { a: 'b' } : undefined);
    }
    const expected = [...readBackShards.keys()].flatMap((shard) => (shard === 7 ? [7, 7] : [shard]));
    expect(shards).toEqual(expected);
  });

  it('is kept as JSON, whatever it has come to', () => {
    const walk = { ...newWalk(now), cursor: 'c', start: { entity: 'order#1', item: 'state' } };
    const ended = endWalk({ walk, stumbles: 2 }, later(1));
    for (const progress of [{ walk, pass: { shard: 4 }, stumbles: 1 }, ended])
      expect(reconcileProgress.parse(JSON.parse(JSON.stringify(progress)))).toEqual(progress);
    expect(ended).toMatchObject({ stumbles: 0, last: { beganOn: walk.beganOn, endedOn: later(1).toISOString() } });
  });

  it('ends at a cursor that comes back, wherever it does', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.integer({ min: 1, max: 20 }), (head, cycle) => {
        let [trail, here, pages]: [typeof trailhead | undefined, string | undefined, number] = [
          trailhead,
          undefined,
          0,
        ];
        while (trail !== undefined) {
          pages += 1;
          if (pages > 500) return false;
          const next = `${pages <= head ? pages : head + ((pages - head) % cycle)}`;
          trail = followTrail(trail, here, next);
          here = next;
        }
        return pages >= head;
      }),
    );
  });
});

describe('issue 6: a run that cannot get on', () => {
  const atPage = { ...beginning, walk: { ...newWalk(now), cursor: 'of-yesterday', trail: { steps: 1, most: 2 } } };

  it('has the list of persons read from its beginning when it is a cursor that the platform always fails at', () => {
    let progress: ReconcileProgress = atPage;
    for (let run = 1; run < mostStumbles; run += 1) {
      progress = stumble(progress);
      expect(progress.walk).toEqual(atPage.walk);
    }
    expect(stumble(progress)).toMatchObject({ stumbles: 0, walk: { trail: trailhead } });
    expect(stumble(progress).walk).not.toHaveProperty('cursor');
  });

  it('remembers how often, where it is single entities', () => {
    for (const progress of [
      { ...atPage, pass: { shard: 1 } },
      { ...atPage, walk: afterPersons(atPage.walk, undefined, undefined) },
    ])
      expect(stumble({ ...progress, stumbles: 2 })).toEqual({ ...progress, stumbles: 3 });
  });
});

describe('issue 6: what differs from the platform', () => {
  const known = { status: 'ACTIVE', modifiedOn: '2026-01-02T03:04:05.123456789Z' };

  it.each([
    ['all of it, where it is not known', undefined, known, ['entity']],
    ['nothing, where they are the same', known, known, []],
    ['the time', known, { ...known, modifiedOn: '2026-01-02T03:04:05.12345679Z' }, ['modifiedOn']],
    ['the status of one instant', known, { ...known, status: 'BLOCKED' }, ['status']],
    ['both', known, { status: 'BLOCKED', modifiedOn: '2026-01-03T00:00:00Z' }, ['status', 'modifiedOn']],
    ['nothing, where ours is newer', known, { status: 'BLOCKED', modifiedOn: '2026-01-02T03:04:05.123456788Z' }, []],
    ['both, where we know no status', { status: undefined, modifiedOn: undefined }, known, ['status', 'modifiedOn']],
  ] as const)('%s', (_, entity, answered, expected) => {
    expect(differencesOf(entity, answered)).toEqual(expected);
  });

  it.each([
    ['of another', false, 'ACTIVE', known.modifiedOn],
    ['without a status', true, null, known.modifiedOn],
    ['of a status that is no word', true, 'Erika Mustermann', known.modifiedOn],
    ['without a time', true, 'ACTIVE', undefined],
  ])('an answer %s says nothing', (_, isIt, status, modifiedOn) => {
    expect(standingOf(isIt, status, modifiedOn)).toBe('unanswered');
  });
});

describe('issue 6: entities of which there should be news', () => {
  it.each([
    [
      'natural-person',
      ['RECEIVED', 'REVIEW', 'PENDING', undefined],
      ['CREATED', 'ACTIVE', 'BLOCKED', 'REJECTED', 'NEW'],
    ],
    ['identification-verification', ['RECEIVED', 'PENDING'], ['APPROVED', 'DECLINED']],
    ['order', ['RECEIVED', 'PENDING', 'FILLED'], ['CORRECTED', 'SETTLED', 'INVALID', 'CANCELED', 'REJECTED', 'NEW']],
    ['transfer', ['RECEIVED', 'PENDING'], ['PROCESSED', 'REJECTED', 'INVALID', 'NEW']],
  ] as const)('%s', (kind, expecting, resting) => {
    expect(expecting.filter((status) => !expectsNews(entityRules, kind, status))).toEqual([]);
    expect(resting.filter((status) => expectsNews(entityRules, kind, status))).toEqual([]);
  });

  it('by the latest receipt, in whatever order they came', () => {
    const times = ['2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
    expect(lastNewsOn(times.map((receivedOn) => ({ receivedOn })))).toBe(times[1]);
    expect(lastNewsOn([])).toBeUndefined();
  });
});

describe('issue 6: the gap report', () => {
  const finding = (id: number) => ({ kind: 'order' as const, id: `o-${id}`, what: 'stale' as const });

  it('counts each kind for itself, and repairs only where there were any', () => {
    const answer = { kind: 'natural-person', id: 'p', status: 'ACTIVE', modifiedOn: '', readOn: '' } as const;
    const drifted = { kind: 'natural-person', id: 'p', what: 'drifted', answer } as const;
    const look = { lookedAt: ['natural-person', 'order', 'order'] as const, findings: [drifted, finding(1)] };
    const repaired = addLook(addLook(newWalk(now), look, true), look, true);
    expect(repaired.counts['natural-person']).toMatchObject({ lookedAt: 2, drifted: 2, repaired: 2, stale: 0 });
    expect(repaired.counts.order).toMatchObject({ lookedAt: 4, drifted: 0, stale: 2 });
    expect(addLook(newWalk(now), look, false).counts['natural-person']).toMatchObject({ drifted: 1, repaired: 0 });
  });

  it('keeps the oldest of what is stale', () => {
    const sinces = ['2026-01-03T00:00:00Z', '2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00.25Z'];
    const walked = sinces.reduce(
      (walk, since) => addLook(walk, { lookedAt: [], findings: [{ ...finding(1), since }] }, true),
      newWalk(now),
    );
    expect(walked.oldestStale).toBe(sinces[2]);
  });

  it('names no more than a hundred, and says how many there are beyond', () => {
    const found = Array.from({ length: mostGaps + 7 }, (_, id) => finding(id));
    const report = writeReport({ mode: 'report', outcome: 'time is over', progress: beginning, found, now });
    expect(report.gaps).toHaveLength(mostGaps);
    expect(report).toMatchObject({ furtherGaps: 7, next: beginning });
  });

  it.each(entityKinds)('has drifted where one %s differs, or is gone, and not where it is only stale', (kind) => {
    const { counts } = newWalk(now);
    const withOne = (what: object) => ({ counts: { ...counts, [kind]: { ...counts[kind], ...what } } });
    expect(hasDrifted({ counts })).toBe(false);
    expect(hasDrifted(withOne({ drifted: 1 }))).toBe(true);
    expect(hasDrifted(withOne({ gone: 1 }))).toBe(true);
    expect(hasDrifted(withOne({ stale: 1, unanswered: 1, readBack: 1, lookedAt: 1 }))).toBe(false);
  });
});
