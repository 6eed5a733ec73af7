import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { naturalPersonTransitions } from '#sandbox/platform/persons/natural-person-status.ts';
import { orderStatus } from '#sandbox/platform/trading/orders/order-states.ts';
import { transferStatus, transferTransitions } from '#sandbox/platform/trading/transfers/transfer-states.ts';
import { identificationVerificationTransitions } from '#sandbox/platform/verifications/identification-verifications.ts';
import { entityRules, orderStatusWords, rulesWith } from '#shared/entities/statuses/entity-rules.ts';
import { compareTexts, type StatusTable, statusesOf } from '#shared/entities/statuses/status-table.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';
import { identificationVerificationStatusWords } from '#shared/platform/resources/identification-verifications.ts';
import { naturalPersonStatusWords } from '#shared/platform/resources/natural-person.ts';
import { size } from '#test/full-size.ts';
import { statusesOfKind } from '#test/shared/entities/merge/histories.ts';
import { sampleStatuses, titleOf } from '#test/shared/entities/merge/sample-statuses.ts';

describe('sections 3.1 to 3.4: the tables have every status', () => {
  it.each([
    ['natural-person', naturalPersonStatusWords],
    ['identification-verification', identificationVerificationStatusWords],
    ['order', orderStatus.options],
    // As the package exports them.
    ['order', orderStatusWords],
    ['transfer', transferStatus.options],
  ] as const)('has every status of a %s', (kind, words) => {
    expect(statusesOfKind(kind).toSorted()).toEqual([...words].toSorted());
  });
});

const everyTable = [entityRules, rulesWith(sampleStatuses)].flatMap((rules) =>
  entityKinds.map((kind) => [titleOf(rules[kind]), rules[kind]] as const),
);

describe.each(everyTable)(
  'the status order is total and extends the transition graph: %s',
  (_, { kind, statuses: { table, compare, reaches, isFinal, isKnown } }) => {
    const statuses = table.statuses.map(({ status }) => status);
    const words = fc.oneof(fc.constantFrom(...statuses), fc.stringMatching(/^[A-Z_]{1,8}$/));

    it('begins with the open statuses and ends with the final ones', () => {
      const finals = table.statuses.map(({ final }) => final);
      expect(finals).toEqual(finals.toSorted((one, other) => Number(one) - Number(other)));
      expect(finals).toContain(true);
    });

    it('goes up along every transition, but among statuses that can all come back', () => {
      const down = table.transitions.filter(({ from, to }) => from !== '(none)' && compare(from, to) >= 0);
      expect(down.filter(({ from, to }) => !reaches(to, from))).toEqual([]);
      expect(down.length > 0).toBe(kind === 'natural-person');
    });

    it('leads from the beginning to every status', () => {
      const first = table.transitions.filter(({ from }) => from === '(none)').map(({ to }) => to);
      for (const status of statuses)
        expect(
          first.some((start) => start === status || reaches(start, status)),
          status,
        ).toBe(true);
    });

    it('has nothing after a final status, and something after every other', () => {
      for (const from of statuses) {
        const next = [...statuses, 'A_NEW_WORD'].filter((to) => reaches(from, to));
        expect(next.length === 0, from).toBe(isFinal(from));
      }
    });

    it('is antisymmetric and transitive for any words', () => {
      fc.assert(
        fc.property(words, words, words, (a, b, c) => {
          expect(Math.sign(compare(a, b))).toBe(0 - Math.sign(compare(b, a)));
          expect(compare(a, b) === 0).toBe(a === b || (!isKnown(a) && !isKnown(b)));
          if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).toBeLessThanOrEqual(0);
        }),
        { numRuns: size(200, 1_000) },
      );
    });

    it('ranks an unknown status below every known one that can follow, and above what nothing precedes', () => {
      const preceded = new Set(table.transitions.filter(({ from }) => from !== '(none)').map(({ to }) => to));
      for (const status of statuses) {
        expect(Math.sign(compare('A_NEW_WORD', status)), status).toBe(preceded.has(status) ? -1 : 1);
      }
      expect(statuses.filter((status) => !preceded.has(status))).toEqual(['RECEIVED']);
      expect(isKnown('A_NEW_WORD')).toBe(false);
    });

    it('names its section, and says of each transition where it comes from', () => {
      for (const { source } of table.transitions)
        expect(source, source).toMatch(new RegExp(`^(${table.section}|not |declared by the environment$)`));
    });
  },
);

describe('what the sandbox platform does is never an anomaly', () => {
  it.each([
    ['natural-person', naturalPersonTransitions],
    ['identification-verification', identificationVerificationTransitions],
    ['transfer', transferTransitions],
  ] as const)('records none for any path of a %s', (kind, transitions) => {
    const next: Readonly<Record<string, readonly string[]>> = transitions;
    const moves = Object.entries(next).flatMap(([from, all]) => all.map((to) => ({ from, to })));
    expect(moves.length).toBeGreaterThan(1);
    expect(moves.filter(({ from, to }) => !entityRules[kind].statuses.reaches(from, to))).toEqual([]);
  });
});

describe('each status stands once in its table, and transitions name statuses of the table', () => {
  it.each(entityKinds)('holds for the table of a %s', (kind) => {
    const statuses = statusesOfKind(kind);
    const { transitions } = entityRules[kind].statuses.table;
    expect(new Set(statuses).size).toBe(statuses.length);
    const named = transitions.flatMap(({ from, to }) => (from === '(none)' ? [to] : [from, to]));
    expect(new Set(named)).toEqual(new Set(statuses));
    expect(new Set(transitions.map(({ from, to }) => `${from} ${to}`)).size).toBe(transitions.length);
  });
});

describe('the rank of an unknown status in a table of one kind of status', () => {
  const rows = ['FIRST', 'SECOND'].map((status) => ({ status, final: false as const, resting: false, meaning: '' }));
  const compareIn = (transitions: StatusTable['transitions']) =>
    statusesOf({ title: '', section: '', statuses: rows, transitions }).compare;

  it('is above every status when none can follow another one', () => {
    expect(compareIn([])('A_NEW_WORD', 'SECOND')).toBeGreaterThan(0);
  });

  it('is below every status when each can follow another one', () => {
    const transitions = [
      { from: 'FIRST', to: 'SECOND', source: '' },
      { from: 'SECOND', to: 'FIRST', source: '' },
    ];
    expect(compareIn(transitions)('A_NEW_WORD', 'FIRST')).toBeLessThan(0);
  });
});

describe('the order of texts', () => {
  it('compares UTF-16 code units in every locale', () => {
    const texts = ['', 'A', 'B', 'Z', '_', 'a', 'é'];
    expect(texts.toReversed().toSorted(compareTexts)).toEqual(texts);
    expect(compareTexts('A', 'A')).toBe(0);
  });
});
