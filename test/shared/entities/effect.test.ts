import { describe, expect, it } from 'vitest';
import { judge } from '#shared/entities/effect.ts';
import { entityRules } from '#shared/entities/entity-rules.ts';
import type { EntityKind } from '#shared/platform/event-place.ts';
import { type Line, learn, toldOf } from './histories.ts';

/** What the last of these did, told in this order. */
function effectOfLast(kind: EntityKind, ...lines: readonly Line[]) {
  const earlier = lines.slice(0, -1);
  const before = earlier.length === 0 ? undefined : learn(kind, earlier);
  return judge(entityRules[kind], toldOf(lines.at(-1) ?? {}), before, learn(kind, lines), 7);
}

const change = { version: 7, anomalies: [] };
const pending = { status: 'PENDING', at: 1 };
const filled = { status: 'FILLED', at: 2 };
const [time1, time2] = ['2026-11-21T08:00:01Z', '2026-11-21T08:00:02Z'];

describe('issue 5, the timeline: news that change what is shown are applied, with the change', () => {
  it.each([
    ['the first', [pending], { status: 'PENDING', modifiedOn: time1 }],
    ['a later status', [pending, filled], { statusBefore: 'PENDING', status: 'FILLED', modifiedOn: time2 }],
    [
      'a later time of the same status',
      [pending, { ...pending, at: 2 }],
      { statusBefore: 'PENDING', status: 'PENDING', modifiedOn: time2 },
    ],
    [
      'an untimed status of higher rank',
      [pending, { status: 'FILLED' }],
      { statusBefore: 'PENDING', status: 'FILLED' },
    ],
    [
      'the time of a status that was known from untimed news',
      [{ status: 'FILLED' }, filled],
      { statusBefore: 'FILLED', status: 'FILLED', modifiedOn: time2 },
    ],
  ])('%s', (_, lines, expected) => {
    expect(effectOfLast('order', ...lines)).toEqual({ effect: 'applied', change: { ...change, ...expected } });
  });

  it('those that make an entity known without a status change nothing that is shown', () => {
    expect(effectOfLast('order', {})).toEqual({ effect: 'applied', change: undefined });
  });

  it('those that make an entity one to be read back are applied, each time', () => {
    const lines: readonly Line[] = [{ status: 'ACTIVE', at: 1 }, { status: 'ACTIVE', received: 1 }, { received: 1 }];
    expect(effectOfLast('natural-person', ...lines)).toEqual({ effect: 'applied', change: undefined });
  });
});

describe('issue 5, the timeline: news that are older, or rank lower, are superseded', () => {
  it.each([
    ['older', [filled, pending]],
    ['untimed, of lower rank', [filled, { status: 'PENDING' }]],
    ['of the same instant and lower rank', [filled, { ...pending, at: 2 }]],
    ['older, of the same status', [filled, { ...filled, at: 1 }]],
    ['without a status', [filled, { at: 3 }]],
  ])('%s', (_, lines) => {
    expect(effectOfLast('order', ...lines)).toEqual({ effect: 'superseded', change: undefined });
  });
});

describe('issue 5, the timeline: news that say what is shown are duplicates', () => {
  it.each([
    ['the same', [filled, filled]],
    ['the same, without its time', [filled, { status: 'FILLED' }]],
    ['the same time, written in another way', [filled, { ...filled, at: '2026-11-21T08:00:02.000Z' }]],
    ['untimed, twice', [{ status: 'FILLED' }, { status: 'FILLED' }]],
  ])('%s', (_, lines) => {
    expect(effectOfLast('order', ...lines)).toEqual({ effect: 'duplicate', change: undefined });
  });

  it("the platform's answer, when it confirms what is shown", () => {
    const lines = [
      { status: 'ACTIVE', at: 1 },
      { status: 'ACTIVE', at: 1, read: 1 },
    ];
    expect(effectOfLast('natural-person', ...lines)).toEqual({ effect: 'duplicate', change: undefined });
  });
});

describe('issue 5, the timeline: news that cannot be true together with what was seen are anomalies', () => {
  it('a final status is left', () => {
    expect(effectOfLast('order', { status: 'SETTLED', at: 1 }, { ...pending, at: 2 })).toEqual({
      effect: 'anomaly',
      change: {
        ...change,
        statusBefore: 'SETTLED',
        status: 'PENDING',
        modifiedOn: time2,
        anomalies: ['SETTLED → PENDING'],
      },
    });
  });

  it('what is shown stays, and the anomaly is a change all the same', () => {
    expect(effectOfLast('order', { status: 'SETTLED', at: 2 }, { status: 'REJECTED', at: 1 })).toEqual({
      effect: 'anomaly',
      change: {
        ...change,
        statusBefore: 'SETTLED',
        status: 'SETTLED',
        modifiedOn: time2,
        anomalies: ['REJECTED and SETTLED'],
      },
    });
  });

  it('it is told once: the same contradiction again is judged by what it changes', () => {
    const left = [
      { status: 'SETTLED', at: 1 },
      { ...pending, at: 2 },
    ];
    expect(effectOfLast('order', ...left, { ...pending, at: 3 })).toMatchObject({
      effect: 'applied',
      change: { anomalies: [] },
    });
    expect(effectOfLast('order', ...left, { ...pending, at: 2 })).toMatchObject({ effect: 'duplicate' });
  });
});
