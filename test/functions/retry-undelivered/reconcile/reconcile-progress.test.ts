import { describe, expect, it } from 'vitest';
import { differencesOf, platformStateOf } from '#functions/retry-undelivered/reconcile/read-platform-entity.ts';
import { writeReport } from '#functions/retry-undelivered/reconcile/reconcile.ts';
import {
  addChecked,
  afterPersons,
  afterScan,
  areListsDue,
  beginLists,
  beginRun,
  endWalk,
  isWalkOver,
  maxFailedRuns,
  newWalk,
  type ReconcileProgress,
  reconcileProgress,
  recordFailedRun,
  withStale,
} from '#functions/retry-undelivered/reconcile/reconcile-progress.ts';
import { hasDriftedOrGone, maxGaps } from '#shared/api/reconcile-answers.ts';
import { tableSegments } from '#shared/entities/due-entities.ts';
import { entityShards } from '#shared/entities/entity-row.ts';
import { trailhead } from '#shared/platform/client/cursor-trail.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';

const now = new Date('2026-01-02T03:04:05.678Z');
const beginning = reconcileProgress.parse({});
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const minutes = (number: number) => number * 60_000;

describe('the progress of a reconciliation', () => {
  const repair = { repairs: true, isFull: false, isListing: true };
  const report = { repairs: false, isFull: false, isListing: true };
  const over = Object.fromEntries(entityShards.map((shard) => [shard, 'end' as const]));

  it('starts over with the due entities in each repair, and continues with them in a report', () => {
    const underWay = { ...beginRun(beginning, now, repair), due: { open: over, marked: {} } };
    expect(beginRun(underWay, later(1), repair)).toEqual({ ...underWay, due: { open: {}, marked: {} } });
    expect(beginRun(underWay, later(1), report)).toEqual(underWay);
  });

  it('reads the verifications once in a walk', () => {
    const start = { onboarding: 'o-1' };
    expect(beginRun(beginning, now, repair).verifications).toEqual({ isOver: false });
    for (const verifications of [{ start, isOver: false }, { isOver: true }])
      expect(beginRun({ ...beginning, verifications }, now, repair).verifications).toEqual(verifications);
    expect(endWalk({ ...beginning, verifications: { isOver: true } }, now)).not.toHaveProperty('verifications');
  });

  it('reads its lists a day after the walk before began to read them, and goes on with lists that it has begun', () => {
    const listed = endWalk(beginRun(beginning, now, repair), later(minutes(600)));
    expect(listed.last).toMatchObject({ beganOn: now.toISOString(), listedOn: now.toISOString() });
    expect([23 * 60, 24 * 60].map((after) => areListsDue(listed, later(minutes(after)), 24))).toEqual([false, true]);
    const resting = beginRun(listed, later(minutes(660)), { ...repair, isListing: false });
    expect(areListsDue(resting, later(minutes(720)), 24)).toBe(false);
    const begun = beginLists(resting, later(minutes(720)));
    expect(areListsDue(begun, later(minutes(780)), 24)).toBe(true);
    expect(beginLists(begun, later(minutes(780)))).toEqual(begun);
    expect(beginRun(begun, later(minutes(780)), repair).walk).toEqual(begun.walk);
    expect(beginRun(resting, later(minutes(720)), repair).walk?.beganOn).toBe(later(minutes(720)).toISOString());
  });

  it('reads its lists where no walk has, as after an upgrade', () => {
    const { last } = endWalk(beginning, now);
    expect([beginning, { ...beginning, last }].map((progress) => areListsDue(progress, now, 24))).toEqual([true, true]);
  });

  it('goes through the list of persons page by page', () => {
    const trail = { steps: 1, most: 2 };
    const second = afterPersons(newWalk(now), 'c', trail);
    expect(second).toEqual({ ...newWalk(now), cursor: 'c', trail });
    expect(afterPersons(second, undefined, undefined)).toEqual({ ...newWalk(now), trail, phase: 'verifications' });
  });

  it('is over after the persons, the verifications and a scan that was asked for', () => {
    const walk = { ...newWalk(now), phase: 'verifications' as const };
    const seen = { ...beginning, walk, verifications: { isOver: true } };
    expect(isWalkOver(seen)).toBe(true);
    expect(isWalkOver({ ...seen, walk: newWalk(now) })).toBe(false);
    expect(isWalkOver({ ...seen, verifications: { isOver: false } })).toBe(false);
    expect(isWalkOver({ ...seen, walk: { ...walk, scan: 'asked' } })).toBe(false);
    expect(isWalkOver({ ...seen, walk: { ...walk, scan: 'over' } })).toBe(true);
    expect([beginning, { ...seen, walk: undefined }].map(isWalkOver)).toEqual([false, true]);
  });

  it('is stored as JSON in every state', () => {
    const walk = { ...newWalk(now), cursor: 'c' };
    const begun = {
      ...beginRun({ ...beginning, walk }, now, { repairs: true, isFull: true, isListing: true }),
      stumbles: 1,
    };
    const ended = endWalk(begun, later(1));
    const scanned = { ...begun, walk: { ...walk, phase: 'verifications' as const, scan: 'over' as const } };
    const of020 = { ...begun, walk: { ...walk, phase: 'entities' as const } };
    for (const progress of [begun, scanned, of020, ended])
      expect(reconcileProgress.parse(JSON.parse(JSON.stringify(progress)))).toEqual(progress);
    expect(ended).toMatchObject({ stumbles: 0, last: { beganOn: walk.beganOn, endedOn: later(1).toISOString() } });
  });
});

describe('the scan that gives places to the rows of 0.2.0', () => {
  const repair = { repairs: true, isFull: false, isListing: true };
  const whole = { repairs: true, isFull: true, isListing: true };
  const hours = (number: number) => later(number * 3_600_000);
  const end = Object.fromEntries(tableSegments.map((segment) => [segment, 'end' as const]));
  const scanned = (progress: ReconcileProgress, at: Date, mode = repair) =>
    afterScan(beginRun(progress, at, mode), end, at);

  it('continues from the last page of each segment', () => {
    const segments = { ...end, 3: { entity: 'order#1', item: 'state' } };
    const underWay = afterScan(beginRun(beginning, now, repair), segments, now);
    expect(beginRun(underWay, hours(1), repair).fill).toMatchObject({ begunOn: now.toISOString(), segments });
  });

  it('reads the table twice, a day apart, and never again', () => {
    const once = scanned(beginning, now);
    expect(once.fill).toEqual({ firstOn: now.toISOString(), segments: {} });
    expect(beginRun(once, hours(23), repair).fill).toEqual(once.fill);
    const twice = scanned(once, hours(24));
    expect(twice.fill).toMatchObject({ completedOn: hours(24).toISOString() });
    expect(beginRun(twice, hours(999), repair).fill).toEqual(twice.fill);
  });

  it('reads the table once more after a first scan of more than a day', () => {
    const begun = beginRun(beginning, now, repair);
    const ended = afterScan(begun, end, hours(30));
    expect(ended.fill?.completedOn).toBeUndefined();
    expect(scanned(ended, hours(31)).fill).toHaveProperty('completedOn');
  });

  it('reads the table again when an operator asks for it, once in a walk', () => {
    const complete = scanned(scanned(beginning, now), hours(24));
    const asked = beginRun(complete, hours(48), whole);
    expect(asked).toMatchObject({ walk: { scan: 'asked' }, fill: { begunOn: hours(48).toISOString() } });
    expect(beginRun(asked, hours(49), whole).fill).toEqual(asked.fill);
    const over = afterScan(asked, end, hours(49));
    expect(over).toMatchObject({ walk: { scan: 'over' }, fill: { completedOn: hours(49).toISOString() } });
    expect(beginRun(over, hours(50), whole).fill).toEqual(over.fill);
  });

  it('changes nothing where no scan has begun, or where no walk waits for it', () => {
    expect(afterScan(beginning, end, now)).toEqual(beginning);
    expect(afterScan({ ...beginRun(beginning, now, repair), walk: undefined }, end, now).walk).toBeUndefined();
  });
});

describe('a run that makes no progress', () => {
  const atPage = { ...beginning, walk: { ...newWalk(now), cursor: 'of-yesterday', trail: { steps: 1, most: 2 } } };

  it('has the list of persons read from its beginning when it is a cursor that the platform always fails at', () => {
    let progress: ReconcileProgress = atPage;
    for (let run = 1; run < maxFailedRuns; run += 1) {
      progress = recordFailedRun(progress, true);
      expect(progress.walk).toEqual(atPage.walk);
    }
    expect(recordFailedRun(progress, true)).toMatchObject({ stumbles: 0, walk: { trail: trailhead } });
    expect(recordFailedRun(progress, true).walk).not.toHaveProperty('cursor');
  });

  it('remembers how often, where it is single entities, the first page or no walk', () => {
    for (const [progress, isListAtFault] of [
      [atPage, false],
      [{ ...atPage, walk: newWalk(now) }, true],
      [beginning, true],
    ] as const)
      expect(recordFailedRun({ ...progress, stumbles: 2 }, isListAtFault)).toEqual({ ...progress, stumbles: 3 });
  });
});

describe('a difference from the platform', () => {
  const known = { status: 'ACTIVE', modifiedOn: '2026-01-02T03:04:05.123456789Z' };

  it.each([
    ['all of it, where it is not known', undefined, known, ['entity']],
    ['nothing, where they are the same', known, known, []],
    ['the time', known, { ...known, modifiedOn: '2026-01-02T03:04:05.12345679Z' }, ['modifiedOn']],
    ['the status of one instant', known, { ...known, status: 'BLOCKED' }, ['status']],
    ['both', known, { status: 'BLOCKED', modifiedOn: '2026-01-03T00:00:00Z' }, ['status', 'modifiedOn']],
    ['nothing, where ours is newer', known, { status: 'BLOCKED', modifiedOn: '2026-01-02T03:04:05.123456788Z' }, []],
    ['both, where we know no status', { status: undefined, modifiedOn: undefined }, known, ['status', 'modifiedOn']],
  ] as const)('is found for %s', (_, entity, answered, expected) => {
    expect(differencesOf(entity, answered)).toEqual(expected);
  });

  it.each([
    ['of another', false, 'ACTIVE', known.modifiedOn],
    ['without a status', true, null, known.modifiedOn],
    ['of a status that is no word', true, 'Erika Mustermann', known.modifiedOn],
    ['without a time', true, 'ACTIVE', undefined],
  ])('is not known from an answer %s', (_, isIt, status, modifiedOn) => {
    expect(platformStateOf(isIt, status, modifiedOn)).toBe('unanswered');
  });
});

describe('the gap report of a reconciliation', () => {
  const finding = (id: number) => ({ kind: 'order' as const, id: `o-${id}`, what: 'stale' as const });

  it('adds up what was checked and found of each kind, and counts as repaired what a repair has an answer for', () => {
    const answer = { kind: 'natural-person', id: 'p', status: 'ACTIVE', modifiedOn: '', readOn: '' } as const;
    const drifted = { kind: 'natural-person', id: 'p', what: 'drifted', answer } as const;
    const whats = ['drifted', 'to be read back', 'gone', 'unanswered'] as const;
    const findings = [drifted, ...whats.map((what) => ({ ...finding(1), what }))];
    const some = { checked: ['natural-person', 'order', 'order'] as const, findings };
    const { counts } = addChecked(addChecked(newWalk(now), some, true), some, false);
    const nothing = { checked: 0, drifted: 0, repaired: 0, readBack: 0, stale: 0, gone: 0, unanswered: 0 };
    expect(counts).toEqual({
      'natural-person': { ...nothing, checked: 2, drifted: 2, repaired: 1 },
      'identification-verification': nothing,
      order: { checked: 4, drifted: 2, repaired: 0, readBack: 2, stale: 0, gone: 2, unanswered: 2 },
      transfer: nothing,
    });
  });

  it('has what is stale now, and not what was stale in an earlier run', () => {
    const sinces = ['2026-01-03T00:00:00Z', '2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00.25Z'];
    const longest = sinces.map((since) => ({ ...finding(1), since }));
    const walked = withStale(newWalk(now), { counts: { order: 3, transfer: 2 }, longest });
    expect(walked).toMatchObject({ oldestStale: sinces[2], counts: { order: { stale: 3 }, transfer: { stale: 2 } } });
    const after = withStale(walked, { counts: { order: 1 }, longest: [finding(2)] });
    expect(after).toMatchObject({ counts: { order: { stale: 1 }, transfer: { stale: 0 } } });
    expect(after.oldestStale).toBeUndefined();
  });

  it('names no more than a hundred, and says how many there are beyond', () => {
    const found = Array.from({ length: maxGaps + 7 }, (_, id) => finding(id));
    const stale = { longest: [finding(1_000)], others: 5 };
    const report = writeReport({
      mode: 'report',
      outcome: 'time is over',
      progress: beginning,
      found,
      stale,
      now,
    });
    expect(report.gaps).toHaveLength(maxGaps);
    expect(report).toMatchObject({ furtherGaps: 13, next: beginning });
  });

  it.each(entityKinds)(
    'has a drifted or gone entity when one %s differs or is gone, and none when it is only stale',
    (kind) => {
      const { counts } = newWalk(now);
      const withOne = (what: object) => ({ counts: { ...counts, [kind]: { ...counts[kind], ...what } } });
      expect(hasDriftedOrGone({ counts })).toBe(false);
      expect(hasDriftedOrGone(withOne({ drifted: 1 }))).toBe(true);
      expect(hasDriftedOrGone(withOne({ gone: 1 }))).toBe(true);
      expect(hasDriftedOrGone(withOne({ stale: 1, unanswered: 1, readBack: 1, checked: 1 }))).toBe(false);
    },
  );
});
