import fc from 'fast-check';
import { type EntityRules, entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { extendTable, type StatusTable } from '#shared/entities/statuses/status-table.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import type { DeclaredStatus, DeclaredStatuses } from '#shared/platform/profile/profile.ts';

/** What an environment may declare: an open and a final status of each kind, one that comes back, one that lasts. */
export const sampleStatuses: DeclaredStatuses = {
  'natural-person': [
    {
      status: 'EXAMPLE_RETURNING',
      after: 'BLOCKED',
      final: false,
      resting: true,
      from: ['ACTIVE'],
      to: ['ACTIVE', 'DECEASED'],
    },
    { status: 'EXAMPLE_END', after: 'DECEASED', final: true, from: ['ACTIVE', 'EXAMPLE_RETURNING'], to: [] },
  ],
  'identification-verification': [
    { status: 'EXAMPLE_FAILURE', after: 'PENDING', final: true, from: ['PENDING'], to: [] },
  ],
  order: [
    {
      status: 'EXAMPLE_OPEN',
      after: 'PENDING',
      final: false,
      from: ['PENDING'],
      to: ['FILLED', 'CANCELED'],
      meaning: 'a part of the order is executed',
    },
    { status: 'EXAMPLE_FINAL', after: 'REJECTED', final: true, from: ['PENDING', 'EXAMPLE_OPEN'], to: [] },
  ],
  transfer: [
    { status: 'EXAMPLE_HOLD', after: 'PENDING', final: false, from: ['PENDING'], to: ['PROCESSED', 'REJECTED'] },
  ],
};

type Draw = { readonly final: boolean; readonly place: number; readonly from: number; readonly to: number };

const draw = fc.record({ final: fc.boolean(), place: fc.nat(99), from: fc.nat(4_095), to: fc.nat(4_095) });

/** Any statuses that can be declared of a kind: of any place, final or not, with any transitions that go up. */
export function anyDeclared(kind: EntityKind): fc.Arbitrary<readonly DeclaredStatus[]> {
  return fc.array(draw, { minLength: 1, maxLength: 4 }).map((draws) => {
    const { table } = entityRules[kind].statuses;
    const declared: DeclaredStatus[] = [];
    for (const [index, one] of draws.entries())
      declared.push(declare(extendTable(table, declared), `DECLARED_${index}`, one));
    return declared;
  });
}

function declare({ statuses }: StatusTable, status: string, { final, place, from, to }: Draw): DeclaredStatus {
  const open = statuses.filter((row) => !row.final).length;
  // The place above which it goes: 0 is below all.
  const above = final ? open + (place % (statuses.length - open + 1)) : place % (open + 1);
  const some = <Item>(items: readonly Item[], mask: number) => items.filter((_, index) => ((mask >> index) & 1) === 1);
  const lower = statuses.slice(0, Math.min(above, open)).map((row) => row.status);
  const higher = statuses.slice(above).map((row) => row.status);
  const [before, next] = [some(['(none)', ...lower], from), some(higher, to)];
  return {
    status,
    after: statuses[above - 1]?.status ?? '(none)',
    final,
    from: atLeastOne(before, ['(none)']),
    to: final ? [] : atLeastOne(next, higher.slice(-1)),
  };
}

function atLeastOne(words: readonly string[], otherwise: readonly string[]): string[] {
  return [...(words.length === 0 ? otherwise : words)];
}

/** The rules of a kind as each test of the tables takes them: with what is declared, and without. */
export function titleOf({ kind, statuses }: EntityRules): string {
  const isDeclared = statuses.table.statuses.length > entityRules[kind].statuses.table.statuses.length;
  return isDeclared ? `${kind}, with declared statuses` : kind;
}
