import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type EntityState,
  emptyEntityState,
  entityStateOf,
  mergeEntityStates,
} from '#shared/entities/merge/entity-state.ts';
import { viewOf } from '#shared/entities/merge/entity-view.ts';
import { findDeclarationFaults } from '#shared/entities/statuses/check-declared-statuses.ts';
import { type EntityRules, entityRules, rulesWith } from '#shared/entities/statuses/entity-rules.ts';
import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';
import { type DeclaredStatus, declaredStatuses } from '#shared/platform/profile/profile.ts';
import { size } from '#test/full-size.ts';
import { anyLine, type Line, permutationsOf, receivedReportOf } from '#test/shared/entities/merge/histories.ts';
import { anyDeclared, sampleStatuses } from '#test/shared/entities/merge/sample-statuses.ts';

function learnBy(rules: EntityRules, lines: readonly Line[], known: EntityState = emptyEntityState): EntityState {
  return lines.reduce(
    (sum, line) => mergeEntityStates(rules, sum, entityStateOf(rules, receivedReportOf(line))),
    known,
  );
}

/** A table with declared statuses, and reports of the statuses of it, and of others. */
function anyHistory(kind: EntityKind, maxLength: number) {
  return anyDeclared(kind).chain((declared) => {
    const words = [...declared.map(({ status }) => status), 'DECLARED_9'];
    const declaredLine = fc.record({
      status: fc.constantFrom(...words),
      at: fc.constantFrom(undefined, 1, 2),
      received: fc.integer({ min: 0, max: 5 }),
    });
    const lines = fc.array(fc.oneof(anyLine(kind), declaredLine), { maxLength });
    return fc.record({ rules: fc.constant(rulesWith({ [kind]: declared })[kind]), lines, later: lines });
  });
}

const written = (known: EntityState) => JSON.stringify(known);

describe.each(entityKinds)('promise 4: merging is a join with any statuses that are declared: %s', (kind) => {
  it('declares statuses that the check takes', () => {
    fc.assert(
      fc.property(anyDeclared(kind), (declared) => {
        expect(findDeclarationFaults({ [kind]: declared })).toEqual([]);
      }),
      { numRuns: size(60, 300) },
    );
  });

  it('ends in the same state and view for every order and repetition of the reports', () => {
    fc.assert(
      fc.property(anyHistory(kind, 4), ({ rules, lines }) => {
        const ends = permutationsOf(lines).map((order) => learnBy(rules, [...order, ...order.slice(0, 2)]));
        expect(new Set(ends.map(written)).size).toBe(1);
        expect(new Set(ends.map((end) => JSON.stringify(viewOf(rules, end)))).size).toBe(1);
      }),
      { numRuns: size(50, 200) },
    );
  });

  it('is associative, commutative and idempotent', () => {
    fc.assert(
      fc.property(anyHistory(kind, 8), fc.nat(), fc.nat(), ({ rules, lines }, one, other) => {
        const cuts = [one, other].map((cut) => cut % (lines.length + 1)).toSorted((a, b) => a - b);
        const [a, b, c] = [lines.slice(0, cuts[0]), lines.slice(cuts[0], cuts[1]), lines.slice(cuts[1])].map((part) =>
          learnBy(rules, part),
        );
        const merge = (x = emptyEntityState, y = emptyEntityState) => mergeEntityStates(rules, x, y);
        expect(written(merge(merge(a, b), c))).toBe(written(merge(a, merge(b, c))));
        expect(written(merge(a, b))).toBe(written(merge(b, a)));
        expect(written(merge(merge(a, b), b))).toBe(written(merge(a, b)));
      }),
      { numRuns: size(60, 300) },
    );
  });

  it('shows an entity that was merged before the declaration as if the status had always been declared', () => {
    fc.assert(
      fc.property(anyHistory(kind, 6), ({ rules, lines, later }) => {
        const before = learnBy(entityRules[kind], lines);
        expect(viewOf(rules, before)).toEqual(viewOf(rules, learnBy(rules, lines)));
        expect(viewOf(rules, learnBy(rules, later, before))).toEqual(
          viewOf(rules, learnBy(rules, [...lines, ...later])),
        );
      }),
      { numRuns: size(100, 500) },
    );
  });
});

describe('a status that an environment declares is like those of section 3', () => {
  const { order, transfer, 'natural-person': person } = rulesWith(sampleStatuses);
  const shownBy = (rules: EntityRules, ...lines: readonly Line[]) => viewOf(rules, learnBy(rules, lines));

  it('shows EXAMPLE_OPEN instead of PENDING, and FILLED instead of EXAMPLE_OPEN, in any order', () => {
    const lines = ['PENDING', 'EXAMPLE_OPEN', 'FILLED'].map((status) => ({ status }));
    for (const two of [lines.slice(0, 2), lines.slice(0, 2).toReversed()])
      expect(shownBy(order, ...two).status).toBe('EXAMPLE_OPEN');
    for (const all of permutationsOf(lines)) expect(shownBy(order, ...all).status).toBe('FILLED');
  });

  it('records an anomaly where a declared final status is left', () => {
    const lines = ['EXAMPLE_FINAL', 'FILLED'].map((status, at) => ({ status, at }));
    expect(shownBy(order, ...lines)).toMatchObject({ status: 'FILLED', anomalies: ['EXAMPLE_FINAL → FILLED'] });
    expect(shownBy(entityRules.order, ...lines).anomalies).toEqual([]);
    const two = [{ status: 'EXAMPLE_FINAL' }, { status: 'SETTLED' }];
    expect(shownBy(order, ...two)).toMatchObject({ status: 'SETTLED', anomalies: ['EXAMPLE_FINAL and SETTLED'] });
  });

  it('reads a person back whose declared status can come back, and was reported within the same second', () => {
    const lines = ['ACTIVE', 'EXAMPLE_RETURNING'].map((status) => ({ status, at: 1 }));
    expect(shownBy(person, ...lines)).toMatchObject({ status: 'EXAMPLE_RETURNING', toReadBack: true });
  });

  it('places the declared statuses directly above the status that each names', () => {
    const nextOf = (rules: EntityRules, status: string) => {
      const words = rules.statuses.table.statuses.map((row) => row.status);
      return words[words.indexOf(status) + 1];
    };
    expect(nextOf(order, 'PENDING')).toBe('EXAMPLE_OPEN');
    expect(nextOf(order, 'REJECTED')).toBe('EXAMPLE_FINAL');
    expect(nextOf(transfer, 'PENDING')).toBe('EXAMPLE_HOLD');
  });

  it('leaves the tables of other kinds as they are', () => {
    expect(rulesWith({ order: sampleStatuses.order }).transfer).toEqual(entityRules.transfer);
  });
});

describe('what is declared is held against the tables of section 3', () => {
  const hold: DeclaredStatus = { status: 'HOLD', after: 'PENDING', final: false, from: ['PENDING'], to: ['FILLED'] };
  const end: DeclaredStatus = { status: 'END', after: 'CANCELED', final: true, from: ['PENDING'], to: [] };
  const faultsOf = (kind: EntityKind, ...all: readonly DeclaredStatus[]) =>
    findDeclarationFaults({ [kind]: [...all] }).map(({ path, message }) => `${path.join('.')}: ${message}`);

  it('accepts the sample and an empty declaration', () => {
    expect(findDeclarationFaults(sampleStatuses)).toEqual([]);
    expect(findDeclarationFaults({})).toEqual([]);
    expect(faultsOf('order', hold, end)).toEqual([]);
  });

  it.each<readonly [string, readonly DeclaredStatus[], string]>([
    [
      'a status of section 3',
      [{ ...hold, status: 'FILLED' }],
      '0.status: FILLED is a status of section 3.3: leave it out',
    ],
    ['a status twice', [hold, hold], '1.status: HOLD is declared twice: leave one out'],
    [
      'an unknown place',
      [{ ...hold, after: 'NOWHERE' }],
      '0.after: NOWHERE is not a status: name one of RECEIVED, PENDING, ',
    ],
    [
      'a place that is declared below',
      [
        { ...hold, after: 'LATER' },
        { ...hold, status: 'LATER' },
      ],
      '0.after: LATER is not a status',
    ],
    ['a place after itself', [{ ...hold, after: 'HOLD' }], '0.after: HOLD is not a status'],
    [
      'a final status among open ones',
      [{ ...end, after: 'PENDING' }],
      '0.after: END is final: place it after CORRECTED, or higher',
    ],
    [
      'an open status among final ones',
      [{ ...hold, after: 'SETTLED' }],
      '0.after: HOLD is not final: place it after a status that is not final',
    ],
    ['an unknown status before it', [{ ...hold, from: ['PENDING', 'NOWHERE'] }], '0.from: NOWHERE is not a status'],
    ['an unknown status after it', [{ ...hold, to: ['NOWHERE'] }], '0.to: NOWHERE is not a status'],
    [
      'a final status before it',
      [{ ...end, from: ['PENDING', 'CANCELED'] }],
      '0.from: CANCELED is final: nothing follows it',
    ],
    ['a status after a final one', [{ ...end, to: ['FILLED'] }], '0.to: END is final: leave "to" out'],
    ['nothing after an open one', [{ ...hold, to: [] }], '0.to: HOLD is not final: name what can follow it'],
    ['itself before it', [{ ...hold, from: ['HOLD', 'PENDING'] }], '0.from: HOLD cannot follow itself: leave it out'],
    [
      'a cycle',
      [{ ...hold, to: ['PENDING'] }],
      '0.to: HOLD and PENDING lead to each other, and a status of this kind (order) cannot come back',
    ],
    [
      'a transition that goes down',
      [{ ...hold, from: ['FILLED'], to: ['SETTLED'] }],
      '0.from: FILLED → HOLD goes down: place HOLD above FILLED',
    ],
    ['a final status that lasts', [{ ...end, resting: true }], '0.resting: END is final: leave "resting" out'],
  ])('refuses a declaration with %s', (_, declared, expected) => {
    const faults = faultsOf('order', ...declared);
    expect(faults.map((one) => one.slice(0, `order.${expected}`.length))).toEqual([`order.${expected}`]);
  });

  it('refuses statuses to which nothing leads from the beginning', () => {
    const one = { status: 'ONE', after: 'BLOCKED', final: false, from: ['TWO'], to: ['TWO'] };
    const two = { status: 'TWO', after: 'ONE', final: false, from: ['ONE'], to: ['ONE'] };
    expect(faultsOf('natural-person', one, two)).toEqual([
      'natural-person.0.from: nothing leads to ONE: name (none), or a status that is reached',
      'natural-person.1.from: nothing leads to TWO: name (none), or a status that is reached',
    ]);
  });

  it('takes a cycle of a person, whose statuses can come back', () => {
    const hold = { status: 'HOLD', after: 'ACTIVE', final: false, from: ['ACTIVE'], to: ['ACTIVE'] };
    expect(faultsOf('natural-person', hold)).toEqual([]);
  });

  it.each<readonly [string, unknown]>([
    ['a word with a space', { ...hold, status: 'ON HOLD' }],
    ['a word that no status can be', { ...hold, status: '(none)' }],
    ['no place', { ...hold, after: undefined }],
    ['nothing before it', { ...hold, from: [] }],
    ['neither final nor not', { ...hold, final: undefined }],
    ['a field that is misspelt', { ...hold, meanings: 'x' }],
    ['a meaning that breaks a table', { ...hold, meaning: 'a | b' }],
    ['a meaning of any length', { ...hold, meaning: 'x'.repeat(101) }],
  ])('refuses a declaration by its form: %s', (_, one) => {
    expect(declaredStatuses.safeParse({ order: [one] }).success).toBe(false);
    expect(declaredStatuses.safeParse({ order: [hold] }).success).toBe(true);
  });

  it.each<readonly [string, unknown]>([
    ['statuses of another kind', { 'legal-entity': [hold] }],
    ['more than 20 statuses of a kind', { order: Array.from({ length: 21 }, () => hold) }],
  ])('refuses a declaration of %s', (_, declared) => {
    expect(declaredStatuses.safeParse(declared).success).toBe(false);
  });
});
