import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { entityRules } from '#shared/entities/entity-rules.ts';
import {
  isSameKnowledge,
  type Knowledge,
  knowledge,
  mergeKnowledge,
  nothingKnown,
} from '#shared/entities/knowledge.ts';
import { show } from '#shared/entities/shown.ts';
import { type EntityKind, entityKinds } from '#shared/platform/event-place.ts';
import {
  anyCrowdedLine,
  anyLine,
  type Line,
  learn,
  modifiedAt,
  permutationsOf,
  shownAfter,
  statusesOfKind,
} from './histories.ts';

function anyKnowledge(kind: EntityKind): fc.Arbitrary<Knowledge> {
  return fc.array(anyLine(kind), { maxLength: 6 }).map((lines) => learn(kind, lines));
}

/** Texts are compared, so that what is stored is the same to the byte. */
const written = (known: Knowledge) => JSON.stringify(known);

describe.each(entityKinds)('promise 4: merging is a join: %s', (kind) => {
  const merge = (one: Knowledge, other: Knowledge) => mergeKnowledge(entityRules[kind], one, other);
  const any = anyKnowledge(kind);

  it('is associative', () => {
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        expect(written(merge(merge(a, b), c))).toBe(written(merge(a, merge(b, c))));
      }),
      { numRuns: 500 },
    );
  });

  it('is commutative', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(written(merge(a, b))).toBe(written(merge(b, a)));
      }),
      { numRuns: 500 },
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(written(merge(a, a))).toBe(written(a));
        expect(written(merge(merge(a, b), b))).toBe(written(merge(a, b)));
      }),
      { numRuns: 500 },
    );
  });

  it('has nothing known as its beginning', () => {
    fc.assert(
      fc.property(any, (a) => {
        expect(written(merge(a, nothingKnown))).toBe(written(a));
        expect(isSameKnowledge(merge(nothingKnown, a), a)).toBe(true);
      }),
    );
  });

  it('loses no anomaly, and none goes away', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        const both = show(entityRules[kind], merge(a, b)).anomalies;
        expect(both).toEqual(
          expect.arrayContaining([...show(entityRules[kind], a).anomalies, ...show(entityRules[kind], b).anomalies]),
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe.each(entityKinds)(
  'promise 4: every order and duplication of the same news ends in the same state: %s',
  (kind) => {
    it('every order of any 5 news', () => {
      fc.assert(
        fc.property(fc.array(anyLine(kind), { minLength: 2, maxLength: 5 }), (lines) => {
          const ends = new Set(permutationsOf(lines).map((order) => written(learn(kind, order))));
          expect(ends.size).toBe(1);
        }),
        { numRuns: 60 },
      );
    });

    it('every order of any 3 of all news with a status of the table, or one that is not, at one of two times or none', () => {
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

    it('every order of any 8 news, each of them told again any number of times', () => {
      fc.assert(
        fc.property(fc.array(anyLine(kind), { minLength: 6, maxLength: 8 }), (lines) => {
          expect(findDisagreement(kind, lines)).toBeUndefined();
        }),
        { numRuns: 100 },
      );
    });
  },
);

describe('promise 4: merging is a join, however many unknown statuses come', () => {
  const merge = (one: Knowledge, other: Knowledge) => mergeKnowledge(entityRules.order, one, other);
  const any = fc.array(anyCrowdedLine('order'), { maxLength: 24 }).map((lines) => learn('order', lines));

  it('is associative, commutative and idempotent', () => {
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        expect(written(merge(merge(a, b), c))).toBe(written(merge(a, merge(b, c))));
        expect(written(merge(a, b))).toBe(written(merge(b, a)));
        expect(written(merge(merge(a, b), a))).toBe(written(merge(a, b)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('ends in the same state, whatever the order of the reports', () => {
    const shuffled = fc
      .array(anyCrowdedLine('order'), { minLength: 12, maxLength: 30 })
      .chain((lines) =>
        fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length }), fc.subarray(lines)),
      );
    fc.assert(
      fc.property(shuffled, ([lines, others, again]) => {
        expect(written(learn('order', [...others, ...again]))).toBe(written(learn('order', lines)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps at most 8 of them, and shows the latest timed one even where it is not kept', () => {
    const lines = Array.from({ length: 20 }, (_, at) => ({ status: `W${String(at).padStart(2, '0')}`, at }));
    const known = learn('order', [{ status: 'PENDING', at: 0 }, ...lines]);
    expect(Object.keys(known.seen)).toEqual(['PENDING', ...lines.slice(0, 8).map(({ status }) => status)]);
    expect(show(entityRules.order, known)).toMatchObject({ status: 'W19', modifiedOn: modifiedAt(19) });
    expect(shownAfter('order', { status: 'SETTLED', at: 5 }, ...lines).anomalies).toEqual([
      'SETTLED → W06',
      'SETTLED → W07',
      'SETTLED → *',
    ]);
  });
});

/**
 * Goes through every set of the lines, in each as a bit. Where each of a set's lines, told last, ends in one and the same
 * knowledge, and telling any of them again changes nothing, every order and duplication of the set ends there: what holds
 * for the sets that are one smaller holds for it.
 */
function findDisagreement(kind: EntityKind, lines: readonly Line[]): readonly Line[] | undefined {
  const ends = new Map([[0, nothingKnown]]);
  for (let set = 1; set < 2 ** lines.length; set += 1) {
    const members = lines.flatMap((line, index) => ((set & (1 << index)) === 0 ? [] : [{ line, bit: 1 << index }]));
    const orders = members.map(({ line, bit }) => learn(kind, [line], ends.get(set - bit)));
    const end = orders[0] ?? nothingKnown;
    const again = members.map(({ line }) => learn(kind, [line], end));
    if (new Set([...orders, ...again].map(written)).size > 1) return members.map(({ line }) => line);
    ends.set(set, end);
  }
  return undefined;
}

describe('design, merging: what is kept is bounded, and is read as it was written', () => {
  it.each(entityKinds)('%s: however many news, and of whatever words', (kind) => {
    const words = Array.from({ length: 500 }, (_, index) => `NEW_WORD_${index}`);
    const lines = [...words, ...statusesOfKind(kind)].flatMap((status, index) =>
      [0, 1, 2].map((more) => ({ status, at: `2026-11-21T08:00:00.${String(100_000_000 + index + more)}Z` })),
    );
    expect(written(learn(kind, lines)).length).toBeLessThan(2_600);
  });

  it.each(entityKinds)('%s: the schema gives what was written', (kind) => {
    fc.assert(
      fc.property(anyKnowledge(kind), (known) => {
        expect(written(z.parse(knowledge, JSON.parse(written(known))))).toBe(written(known));
      }),
    );
  });
});
