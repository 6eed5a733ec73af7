import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  type EntityState,
  emptyEntityState,
  entityState,
  isSameEntityState,
  mergeEntityStates,
} from '#shared/entities/merge/entity-state.ts';
import { viewOf } from '#shared/entities/merge/entity-view.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';
import { size } from '#test/full-size.ts';
import {
  anyCrowdedLine,
  anyLine,
  type Line,
  learn,
  modifiedAt,
  permutationsOf,
  receivedAt,
  shownAfter,
  statusesOfKind,
} from './histories.ts';

function anyEntityState(kind: EntityKind): fc.Arbitrary<EntityState> {
  return fc.array(anyLine(kind), { maxLength: 6 }).map((lines) => learn(kind, lines));
}

/** Texts are compared, so that what is stored is the same to the byte. */
const written = (known: EntityState) => JSON.stringify(known);

describe.each(entityKinds)('promise 4: merging is a join: %s', (kind) => {
  const merge = (one: EntityState, other: EntityState) => mergeEntityStates(entityRules[kind], one, other);
  const any = anyEntityState(kind);

  it('is associative for any three states', () => {
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        expect(written(merge(merge(a, b), c))).toBe(written(merge(a, merge(b, c))));
      }),
      { numRuns: size(100, 500) },
    );
  });

  it('is commutative for any two states', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(written(merge(a, b))).toBe(written(merge(b, a)));
      }),
      { numRuns: size(100, 500) },
    );
  });

  it('is idempotent for any state', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(written(merge(a, a))).toBe(written(a));
        expect(written(merge(merge(a, b), b))).toBe(written(merge(a, b)));
      }),
      { numRuns: size(100, 500) },
    );
  });

  it('has the empty state as its neutral element', () => {
    fc.assert(
      fc.property(any, (a) => {
        expect(written(merge(a, emptyEntityState))).toBe(written(a));
        expect(isSameEntityState(merge(emptyEntityState, a), a)).toBe(true);
      }),
    );
  });

  it('loses no anomaly in any merge', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        const both = viewOf(entityRules[kind], merge(a, b)).anomalies;
        expect(both).toEqual(
          expect.arrayContaining([
            ...viewOf(entityRules[kind], a).anomalies,
            ...viewOf(entityRules[kind], b).anomalies,
          ]),
        );
      }),
      { numRuns: size(100, 500) },
    );
  });
});

describe.each(entityKinds)(
  'promise 4: every order and duplication of the same reports ends in the same state: %s',
  (kind) => {
    it('holds for every order of any 3 reports, with known and unknown statuses, timed or not', () => {
      const all: readonly Line[] = [...statusesOfKind(kind), 'A_NEW_WORD'].flatMap((status) =>
        [1, 2, undefined].map((at) => ({ status, at })),
      );
      const differing = new Set<string>();
      for (const [i, a] of all.entries()) {
        for (const [j, b] of all.slice(i).entries()) {
          for (const c of all.slice(i + j)) {
            const ends = new Set(permutationsOf([a, b, c]).map((order) => written(learn(kind, order))));
            if (ends.size > 1) differing.add(JSON.stringify([a, b, c]));
          }
        }
      }
      expect([...differing]).toEqual([]);
    });

    it('holds for every order of any 8 reports with any number of repetitions', () => {
      fc.assert(
        fc.property(fc.array(anyLine(kind), { minLength: 6, maxLength: 8 }), (lines) => {
          expect(findDisagreement(kind, lines)).toBeUndefined();
        }),
        { numRuns: size(20, 100) },
      );
    });
  },
);

describe('promise 4: merging is a join with any number of unknown statuses', () => {
  const merge = (one: EntityState, other: EntityState) => mergeEntityStates(entityRules.order, one, other);
  const any = fc.array(anyCrowdedLine('order'), { maxLength: 24 }).map((lines) => learn('order', lines));

  it('stays associative, commutative and idempotent', () => {
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        expect(written(merge(merge(a, b), c))).toBe(written(merge(a, merge(b, c))));
        expect(written(merge(a, b))).toBe(written(merge(b, a)));
        expect(written(merge(merge(a, b), a))).toBe(written(merge(a, b)));
      }),
      { numRuns: size(100, 1_000) },
    );
  });

  it('ends in the same state for every order of the reports', () => {
    const shuffled = fc
      .array(anyCrowdedLine('order'), { minLength: 12, maxLength: 30 })
      .chain((lines) =>
        fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length }), fc.subarray(lines)),
      );
    fc.assert(
      fc.property(shuffled, ([lines, others, again]) => {
        expect(written(learn('order', [...others, ...again]))).toBe(written(learn('order', lines)));
      }),
      { numRuns: size(100, 1_000) },
    );
  });

  it('keeps at most 8 of them, and shows the latest timed one even where it is not kept', () => {
    const codes = ['A'];
    const lines = Array.from({ length: 20 }, (_, at) => ({ status: `W${String(at).padStart(2, '0')}`, at, codes }));
    const known = learn('order', [{ status: 'PENDING', at: 0 }, ...lines]);
    const kept = lines.slice(0, 8).map(({ status }) => status);
    expect(Object.keys(known.seen)).toEqual(['PENDING', ...kept]);
    expect(Object.keys(known.reasonCodes ?? {})).toEqual(kept);
    expect(viewOf(entityRules.order, known)).toMatchObject({ status: 'W19', modifiedOn: modifiedAt(19) });
    expect(shownAfter('order', { status: 'SETTLED', at: 5 }, ...lines).anomalies).toEqual([
      'SETTLED → W06',
      'SETTLED → W07',
      'SETTLED → *',
    ]);
  });
});

/**
 * Goes through every set of the lines, in each as a bit. Where each of a set's lines, reported last, ends in one and the same
 * knowledge, and telling any of them again changes nothing, every order and duplication of the set ends there: what holds
 * for the sets that are one smaller holds for it.
 */
function findDisagreement(kind: EntityKind, lines: readonly Line[]): readonly Line[] | undefined {
  const ends = new Map([[0, emptyEntityState]]);
  for (let set = 1; set < 2 ** lines.length; set += 1) {
    const members = lines.flatMap((line, index) => ((set & (1 << index)) === 0 ? [] : [{ line, bit: 1 << index }]));
    const orders = members.map(({ line, bit }) => learn(kind, [line], ends.get(set - bit)));
    const end = orders[0] ?? emptyEntityState;
    const again = members.map(({ line }) => learn(kind, [line], end));
    if (new Set([...orders, ...again].map(written)).size > 1) return members.map(({ line }) => line);
    ends.set(set, end);
  }
  return undefined;
}

describe('what is kept of a report', () => {
  it.each<[string, Line, object]>([
    ['the time of a status', { status: 'PENDING', at: 1 }, { seen: { PENDING: [modifiedAt(1)] } }],
    ['a status without a time', { status: 'PENDING' }, { seen: { PENDING: [] } }],
    ['nothing where it has no status', { at: 1 }, { seen: {} }],
    [
      'the receipt of an unknown status',
      { status: 'A_NEW_WORD', received: 3 },
      { seen: { A_NEW_WORD: [] }, firstReceivedOn: { A_NEW_WORD: receivedAt(3) } },
    ],
    [
      'the codes of a status',
      { status: 'REJECTED', codes: ['B', 'A'] },
      { seen: { REJECTED: [] }, reasonCodes: { REJECTED: ['A', 'B'] } },
    ],
    ['no codes where it has no status', { codes: ['A'] }, { seen: {} }],
  ])('is stored as %s', (_, line, expected) => {
    expect(learn('order', [line])).toEqual(expected);
  });

  it('is the first and the last time of a status, each once', () => {
    const times = (...all: readonly number[]) =>
      learn(
        'order',
        all.map((at) => ({ status: 'PENDING', at })),
      ).seen;
    expect(times(2, 1, 3, 1)).toEqual({ PENDING: [modifiedAt(1), modifiedAt(3)] });
    expect(times(1, 1)).toEqual({ PENDING: [modifiedAt(1)] });
  });

  it('is the first 8 codes of each status, in the order of texts', () => {
    const lines = [
      { status: 'REJECTED', codes: [...'ACEGIKMO'] },
      { status: 'PENDING', codes: ['Z'] },
      { status: 'REJECTED', codes: [...'BAD'] },
      { status: 'FILLED' },
    ];
    expect(learn('order', lines).reasonCodes).toEqual({ PENDING: ['Z'], REJECTED: [...'ABCDEGIK'] });
  });

  it('differs from what is kept of another report', () => {
    const [one, other] = [1, 2].map((at) => learn('order', [{ status: 'PENDING', at }]));
    expect(isSameEntityState(one ?? emptyEntityState, other ?? emptyEntityState)).toBe(false);
  });
});

describe('the stored state of an entity', () => {
  it.each(entityKinds)('stays within its bound for a %s with any number of reports and words', (kind) => {
    const words = Array.from({ length: 500 }, (_, index) => `NEW_WORD_${index}`);
    const lines = [...words, ...statusesOfKind(kind)].flatMap((status, index) =>
      [0, 1, 2].map((more) => ({ status, at: `2026-11-21T08:00:00.${String(100_000_000 + index + more)}Z` })),
    );
    expect(written(learn(kind, lines)).length).toBeLessThan(2_600);
  });

  it.each(entityKinds)('is read by the schema as it was written, for a %s', (kind) => {
    fc.assert(
      fc.property(anyEntityState(kind), (known) => {
        expect(written(z.parse(entityState, JSON.parse(written(known))))).toBe(written(known));
      }),
    );
  });
});
