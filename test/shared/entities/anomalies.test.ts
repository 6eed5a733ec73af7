import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entityRules } from '#shared/entities/entity-rules.ts';
import { nothingKnown } from '#shared/entities/knowledge.ts';
import { show } from '#shared/entities/shown.ts';
import { type EntityKind, entityKinds } from '#shared/platform/event-place.ts';
import { anyLine, type Line, learn, shownAfter, statusesOfKind } from './histories.ts';

/** The final statuses that were shown, and then another one, after each of these news; and those that no anomaly names. */
function leftBy(kind: EntityKind, lines: readonly Line[]) {
  const { isFinal } = entityRules[kind].statuses;
  const left: string[] = [];
  const unrecorded: string[] = [];
  let known = nothingKnown;
  let before: string | undefined;
  for (const line of lines) {
    known = learn(kind, [line], known);
    const { status, anomalies } = show(kind, known);
    if (before !== undefined && isFinal(before) && before !== status) {
      left.push(before);
      if (!anomalies.some((anomaly) => anomaly.split(' ').includes(`${before}`))) unrecorded.push(before);
    }
    before = status;
  }
  return { left, unrecorded };
}

describe.each(entityKinds)('issue 5: no terminal state is ever left without an anomaly being recorded: %s', (kind) => {
  it('in histories of any 8 news', () => {
    fc.assert(
      fc.property(fc.array(anyLine(kind), { maxLength: 8 }), (lines) => {
        expect(leftBy(kind, lines).unrecorded).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('in every history of 3 news, of any status, timed or not', () => {
    const all = [...statusesOfKind(kind), 'A_NEW_WORD'].flatMap((status) =>
      [1, 2, undefined].map((at) => ({ status, at })),
    );
    const histories = all.flatMap((a) => all.flatMap((b) => all.map((c) => [a, b, c])));
    const results = histories.map((lines) => ({ lines, ...leftBy(kind, lines) }));
    expect(results.filter(({ unrecorded }) => unrecorded.length > 0)).toEqual([]);
    const finals = statusesOfKind(kind).filter((status) => entityRules[kind].statuses.isFinal(status));
    expect(new Set(results.flatMap(({ left }) => left))).toEqual(new Set(finals));
  });
});

describe('design, merging: what anomalies say', () => {
  it('from which status to which, where the times tell', () => {
    expect(shownAfter('order', { status: 'SETTLED', at: 1 }, { status: 'PENDING', at: 2 }).anomalies).toEqual([
      'SETTLED → PENDING',
    ]);
  });

  it('which two, where neither can follow the other: whatever their times, or without any', () => {
    for (const [one, other] of [
      [1, 2],
      [2, 1],
      [1, 1],
      [undefined, 1],
      [undefined, undefined],
    ])
      expect(shownAfter('order', { status: 'INVALID', at: one }, { status: 'FILLED', at: other }).anomalies).toEqual([
        'FILLED and INVALID',
      ]);
  });

  it('nothing of statuses whose order is not told: they are taken to be in the one that is possible', () => {
    for (const at of [undefined, 1])
      expect(shownAfter('order', { status: 'SETTLED', at }, { status: 'PENDING', at }).anomalies).toEqual([]);
  });

  it('the same, whether the later or the earlier comes first', () => {
    const lines = [
      { status: 'SETTLED', at: 1 },
      { status: 'PENDING', at: 2 },
    ];
    expect(shownAfter('order', ...lines.toReversed()).anomalies).toEqual(shownAfter('order', ...lines).anomalies);
  });

  it('each once, however often it happens', () => {
    const lines = [1, 2, 3, 4, 5, 6].map((at) => ({ status: at % 2 === 0 ? 'PENDING' : 'SETTLED', at }));
    expect(shownAfter('order', ...lines).anomalies).toEqual(['SETTLED → PENDING']);
  });

  it('that the entity left and came back, although it ends where it was', () => {
    const lines = ['SETTLED', 'PENDING', 'SETTLED'].map((status, at) => ({ status, at }));
    expect(shownAfter('order', ...lines)).toMatchObject({ status: 'SETTLED', anomalies: ['SETTLED → PENDING'] });
  });

  it('to the nanosecond', () => {
    const at = (nanoseconds: number) => `2026-11-21T08:00:00.00000000${nanoseconds}Z`;
    const [one, other] = [
      { status: 'SETTLED', at: at(1) },
      { status: 'PENDING', at: at(2) },
    ];
    expect(shownAfter('order', one, other)).toMatchObject({ status: 'PENDING', anomalies: ['SETTLED → PENDING'] });
    expect(shownAfter('order', { ...one, at: at(2) }, { ...other, at: at(1) })).toMatchObject({
      status: 'SETTLED',
      anomalies: [],
    });
  });
});
