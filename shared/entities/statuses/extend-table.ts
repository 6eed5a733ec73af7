import type { DeclaredStatus } from '#shared/platform/profile/declared-statuses.ts';
import type { StatusRow, StatusTable, Transition } from './status-table.ts';

const declared = 'declared by the environment';

/** A table of section 3 with the statuses that an environment declares, each in its place. */
export function extendTable(table: StatusTable, statuses: readonly DeclaredStatus[]): StatusTable {
  const transitions = [...table.transitions, ...statuses.flatMap(transitionsOf)];
  return {
    ...table,
    statuses: statuses.reduce<readonly StatusRow[]>(insert, table.statuses),
    transitions: [...new Map(transitions.map((one) => [`${one.from} ${one.to}`, one])).values()],
  };
}

function insert(rows: readonly StatusRow[], declaredStatus: DeclaredStatus): readonly StatusRow[] {
  const { status, after, final, resting = false, meaning = declared } = declaredStatus;
  // The beginning is no row: its index is -1, and the place after it the first.
  const place = rows.findIndex((row) => row.status === after) + 1;
  const row: StatusRow = final ? { status, final, meaning } : { status, final, resting, meaning };
  return rows.toSpliced(place, 0, row);
}

function transitionsOf({ status, from, to }: DeclaredStatus): readonly Transition[] {
  return [
    ...from.map((before) => ({ from: before, to: status, source: declared })),
    ...to.map((next) => ({ from: status, to: next, source: declared })),
  ];
}
