import type { DeclaredStatus } from '#shared/platform/profile/profile.ts';

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
  // The beginning has no row: its index is -1, and the first row follows it.
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

/** A table of section 3, as data: which statuses a kind of entity has, and how it gets from one to another. */
export type StatusTable<Status extends string = string> = {
  readonly title: string;
  /** Of the specification. */
  readonly section: string;
  /**
   * The total order of statuses: open ones, then final ones, and no transition goes down in it, but among statuses that can
   * all come back. Where the graph leaves the order open, the graver status is the higher one.
   */
  readonly statuses: readonly StatusRow<Status>[];
  readonly transitions: readonly Transition<Status>[];
};

export type StatusRow<Status extends string = string> = {
  readonly status: Status;
  /** In the specification's words if it has some. */
  readonly meaning: string;
} & (
  | {
      /** Nothing comes after it. */
      readonly final: true;
      readonly resting?: never;
    }
  | {
      readonly final: false;
      /** Whether an entity can keep the status, so that no report is overdue. The specification does not say which. */
      readonly resting: boolean;
    }
);

export type Transition<Status extends string = string> = {
  readonly from: Status | '(none)';
  readonly to: Status;
  /** Where it is stated, or why it is taken for possible although it is not. */
  readonly source: string;
};

/** Section 3.5: fully processed, or changed after that. N/A if there is no transaction. */
export type TransactionStatus = 'N/A' | 'COMPLETED' | 'MODIFIED';

/** A status table, and what follows from it. */
export type Statuses = {
  readonly table: StatusTable;
  readonly isKnown: (status: string) => boolean;
  readonly isFinal: (status: string) => boolean;
  /** Whether an entity can keep this status although the status is not final. */
  readonly isResting: (status: string) => boolean;
  /**
   * The order of the table: above 0 when the first is the higher one. A word that the table does not have ranks below every
   * known status that can follow another one, and above those that nothing precedes. Two such words tie.
   */
  readonly compare: (one: string, other: string) => number;
  /**
   * Whether an entity can get from one status to another, however many steps it takes: those in between may be late, or
   * were never notified. A word that the table does not have can follow every status that is not final, and be followed by any.
   */
  readonly reaches: (from: string, to: string) => boolean;
};

export function statusesOf(table: StatusTable): Statuses {
  const rows = new Map(table.statuses.map((row, rank) => [row.status, { ...row, rank }]));
  const reachable = new Map(table.statuses.map(({ status }) => [status, reachableFrom(table, status)]));
  const canFollow = ({ status, final }: StatusRow) =>
    final || table.transitions.some(({ from, to }) => to === status && from !== '(none)');
  const lowestFollower = table.statuses.findIndex(canFollow);
  const unknownRank = lowestFollower < 0 ? table.statuses.length : lowestFollower;

  const rank = (status: string): number => {
    const row = rows.get(status);
    if (row === undefined) return unknownRank;
    return row.rank < unknownRank ? row.rank : row.rank + 1;
  };
  const isKnown = (status: string) => rows.has(status);
  const isFinal = (status: string) => rows.get(status)?.final === true;
  const isResting = (status: string) => rows.get(status)?.resting === true;

  return {
    table,
    isKnown,
    isFinal,
    isResting,
    compare: (one, other) => rank(one) - rank(other),
    reaches: (from, to) => {
      if (isKnown(from) && isKnown(to)) return reachable.get(from)?.has(to) === true;
      return !isFinal(from);
    },
  };
}

function reachableFrom({ transitions }: StatusTable, start: string): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [start];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const transition of transitions) {
      if (transition.from !== from || found.has(transition.to)) continue;
      found.add(transition.to);
      open.push(transition.to);
    }
  }
  return found;
}

/** By UTF-16 code units: the same in every locale. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
