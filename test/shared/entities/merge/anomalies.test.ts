import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyEntityState } from '#shared/entities/merge/entity-state.ts';
import { remediesOf, viewOf } from '#shared/entities/merge/entity-view.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';
import { size } from '#test/full-size.ts';
import { anyLine, type Line, learn, shownAfter, statusesOfKind } from './histories.ts';

/** The final statuses that were shown, and then another one, after each of these reports; and those that no anomaly names. */
function leftBy(kind: EntityKind, lines: readonly Line[]) {
  const { isFinal } = entityRules[kind].statuses;
  const left: string[] = [];
  const unrecorded: string[] = [];
  let known = emptyEntityState;
  let before: string | undefined;
  for (const line of lines) {
    known = learn(kind, [line], known);
    const { status, anomalies } = viewOf(entityRules[kind], known);
    if (before !== undefined && isFinal(before) && before !== status) {
      left.push(before);
      if (!anomalies.some((anomaly) => anomaly.split(' ').includes(`${before}`))) unrecorded.push(before);
    }
    before = status;
  }
  return { left, unrecorded };
}

describe.each(entityKinds)('every final status that is left: %s', (kind) => {
  it('is recorded as an anomaly in histories of any 8 reports', () => {
    fc.assert(
      fc.property(fc.array(anyLine(kind), { maxLength: 8 }), (lines) => {
        expect(leftBy(kind, lines).unrecorded).toEqual([]);
      }),
      { numRuns: size(200, 2_000) },
    );
  });

  it('is recorded as an anomaly in every history of 3 reports with any status, timed or not', () => {
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

/** The times of one status and of another: earlier, later, the same, or none. */
const timesOfTwo = [
  [1, 2],
  [2, 1],
  [1, 1],
  [undefined, 1],
  [1, undefined],
  [undefined, undefined],
] as const;

describe('a transition that is not documented is no anomaly', () => {
  it('reports no anomaly while no final status is left, for any two statuses at any times', () => {
    for (const kind of entityKinds) {
      const { isFinal } = entityRules[kind].statuses;
      const open = [...statusesOfKind(kind), 'A_NEW_WORD'].filter((status) => !isFinal(status));
      for (const one of open)
        for (const other of [...open, ...statusesOfKind(kind)].filter((status) => status !== one))
          for (const [first, second] of timesOfTwo) {
            const isLeft = isFinal(other) && second !== undefined && first !== undefined && second < first;
            const lines = [
              { status: one, at: first },
              { status: other, at: second },
            ];
            expect(shownAfter(kind, ...lines).anomalies, JSON.stringify(lines)).toHaveLength(isLeft ? 1 : 0);
          }
    }
  });
});

describe('the text of an anomaly', () => {
  it('names the status before and after when the times give their order', () => {
    expect(shownAfter('order', { status: 'SETTLED', at: 1 }, { status: 'PENDING', at: 2 }).anomalies).toEqual([
      'SETTLED → PENDING',
    ]);
  });

  it('names two final statuses of which one was left, with any times or none', () => {
    for (const [one, other] of timesOfTwo)
      expect(shownAfter('order', { status: 'SETTLED', at: one }, { status: 'REJECTED', at: other }).anomalies).toEqual([
        'REJECTED and SETTLED',
      ]);
  });

  it('names each contradiction once, however often it happens', () => {
    const lines = [1, 2, 3, 4, 5, 6].map((at) => ({ status: at % 2 === 0 ? 'PENDING' : 'SETTLED', at }));
    expect(shownAfter('order', ...lines).anomalies).toEqual(['SETTLED → PENDING']);
  });

  it('names a status that the entity left and came back to', () => {
    const lines = ['SETTLED', 'PENDING', 'SETTLED'].map((status, at) => ({ status, at }));
    expect(shownAfter('order', ...lines)).toMatchObject({ status: 'SETTLED', anomalies: ['SETTLED → PENDING'] });
  });

  it('compares times to the nanosecond', () => {
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

describe('the remedy of an anomaly', () => {
  it.each([
    ['SETTLED → PENDING', 'The platform dates PENDING after SETTLED, which is final.'],
    ['SETTLED → *', 'The platform dates an unknown status after SETTLED, which is final.'],
    ['REJECTED and SETTLED', 'The platform reported REJECTED and SETTLED, which exclude each other.'],
  ])('says what %s contradicts, and what an operator does', (anomaly, contradiction) => {
    expect(remediesOf([anomaly])).toEqual([
      `${contradiction} Read the entity's timeline for the two events, and ask the platform's support which status holds. Act on neither until then.`,
    ]);
  });
});
