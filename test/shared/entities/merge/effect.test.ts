import { describe, expect, it } from 'vitest';
import { change as changeSchema, evaluate } from '#shared/entities/merge/entity-view.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import { type Line, learn, receivedReportOf } from './histories.ts';

/** What the last of these did, reported in this order. */
function effectOfLast(kind: EntityKind, ...lines: readonly Line[]) {
  const earlier = lines.slice(0, -1);
  const before = earlier.length === 0 ? undefined : learn(kind, earlier);
  return evaluate(entityRules[kind], receivedReportOf(lines.at(-1) ?? {}), before, learn(kind, lines), 7);
}

const change = { version: 7, anomalies: [] };
const pending = { status: 'PENDING', at: 1 };
const filled = { status: 'FILLED', at: 2 };
const [time1, time2] = ['2026-11-21T08:00:01Z', '2026-11-21T08:00:02Z'];

describe('a report that changes the view is applied and returns the change', () => {
  it.each([
    ['the first', [pending], { status: 'PENDING', modifiedOn: time1 }],
    ['a later status', [pending, filled], { statusBefore: 'PENDING', status: 'FILLED', modifiedOn: time2 }],
    [
      'a later time of the same status',
      [pending, { ...pending, at: 2 }],
      { statusBefore: 'PENDING', status: 'PENDING', modifiedOn: time2 },
    ],
    [
      'an untimed status of higher rank than an untimed one',
      [{ status: 'PENDING' }, { status: 'FILLED' }],
      { statusBefore: 'PENDING', status: 'FILLED' },
    ],
    [
      'an untimed status of higher rank',
      [pending, { status: 'FILLED' }],
      { statusBefore: 'PENDING', status: 'FILLED' },
    ],
    [
      'the time of a status that was known from an untimed report',
      [{ status: 'FILLED' }, filled],
      { statusBefore: 'FILLED', status: 'FILLED', modifiedOn: time2 },
    ],
    [
      'codes of why',
      [pending, { status: 'REJECTED', at: 2, codes: ['B', 'A'] }],
      { statusBefore: 'PENDING', status: 'REJECTED', modifiedOn: time2, reasonCodes: ['A', 'B'] },
    ],
    [
      'the first code of a status that is known',
      [pending, { ...pending, codes: ['A'] }],
      { statusBefore: 'PENDING', status: 'PENDING', modifiedOn: time1, reasonCodes: ['A'] },
    ],
    [
      'a further code of a status that is known',
      [
        { ...pending, codes: ['A'] },
        { ...pending, codes: ['B'] },
      ],
      { statusBefore: 'PENDING', status: 'PENDING', modifiedOn: time1, reasonCodes: ['A', 'B'] },
    ],
  ])('is the effect of a report with %s', (_, lines, expected) => {
    expect(effectOfLast('order', ...lines)).toEqual({ effect: 'applied', change: { ...change, ...expected } });
  });

  it('changes nothing in the view when an entity becomes known without a status', () => {
    expect(effectOfLast('order', {})).toEqual({ effect: 'applied', change: undefined });
  });

  it('applies every report that marks the entity to be read back', () => {
    const lines: readonly Line[] = [{ status: 'ACTIVE', at: 1 }, { status: 'ACTIVE', received: 1 }, { received: 1 }];
    expect(effectOfLast('natural-person', ...lines)).toEqual({ effect: 'applied', change: undefined });
  });
});

describe('a report that is older or ranks lower is superseded', () => {
  it.each([
    ['older', [filled, pending]],
    ['untimed, of lower rank', [filled, { status: 'PENDING' }]],
    ['of the same instant and lower rank', [filled, { ...pending, at: 2 }]],
    ['older, of the same status', [filled, { ...filled, at: 1 }]],
    ['without a status', [filled, { at: 3 }]],
    ['only a time, about an entity without a status', [{}, { at: 3 }]],
  ])('is the effect of a report that is %s', (_, lines) => {
    expect(effectOfLast('order', ...lines)).toEqual({ effect: 'superseded', change: undefined });
  });
});

describe('a report that repeats the view is a duplicate', () => {
  it.each([
    ['the same', [filled, filled]],
    ['the same, without its time', [filled, { status: 'FILLED' }]],
    ['the same, with its time written in another way', [filled, { ...filled, at: '2026-11-21T08:00:02.000Z' }]],
    ['the same, both untimed', [{ status: 'FILLED' }, { status: 'FILLED' }]],
    ['the same, without its codes', [{ ...filled, codes: ['A', 'B'] }, filled]],
    [
      'the same, with one of its codes',
      [
        { ...filled, codes: ['A', 'B'] },
        { ...filled, codes: ['B'] },
      ],
    ],
  ])('is the effect of a report that is %s', (_, lines) => {
    expect(effectOfLast('order', ...lines)).toEqual({ effect: 'duplicate', change: undefined });
  });

  it("holds for the platform's answer when it confirms the view", () => {
    const lines = [
      { status: 'ACTIVE', at: 1 },
      { status: 'ACTIVE', at: 1, read: 1 },
    ];
    expect(effectOfLast('natural-person', ...lines)).toEqual({ effect: 'duplicate', change: undefined });
  });
});

describe('a report that contradicts an earlier one is an anomaly', () => {
  it('reports the anomaly when a final status is left', () => {
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

  it('returns a change with the anomaly although the view stays the same', () => {
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

  it('reports one contradiction once: its repetition is evaluated by what it changes', () => {
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

describe('a change of the view', () => {
  it('is read as it was written', () => {
    const { change: written } = effectOfLast('order', { status: 'SETTLED', at: 1 }, { ...pending, at: 2 });
    expect(changeSchema.parse(JSON.parse(JSON.stringify(written)))).toEqual(written);
  });
});
