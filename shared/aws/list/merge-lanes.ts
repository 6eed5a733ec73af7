/** Where a row is in a list: the newest first, and of one time the greatest id first. */
export type Position = {
  /** ISO 8601, UTC, with milliseconds, so that texts compare as times do. */
  readonly at: string;
  readonly id: string;
};

/** The first rows of a lane, in the order of the list. */
export type Lane<Row extends Position> = {
  readonly rows: readonly Row[];
  /** Whether the lane has no row after these. */
  readonly isOver: boolean;
};

export type Merged<Row> = {
  /** The first rows of the list that are wanted, and are certain; `limit` at most. */
  readonly rows: readonly Row[];
  /** Lanes that can hold a row before the last one of the page: they must be read on. */
  readonly toRead: readonly number[];
  /** The row after which the next page begins; undefined at the end of the list. */
  readonly last: Position | undefined;
};

export type MergeOptions<Row> = {
  readonly limit: number;
  /** A row that is not wanted counts as passed. */
  readonly isWanted: (row: Row) => boolean;
};

/** Negative where one row comes before the other in a list. */
export function compareNewestFirst(one: Position, other: Position): number {
  return compareTexts(other.at, one.at) || compareTexts(other.id, one.id);
}

/**
 * Merges what is read of the lanes of a list. A row that moved from one lane to another while they were read is there twice:
 * its newest place counts.
 */
export function mergeLanes<Row extends Position>(
  lanes: readonly Lane<Row>[],
  { limit, isWanted }: MergeOptions<Row>,
): Merged<Row> {
  const merged = newestOfEach(lanes.flatMap(({ rows }) => rows).toSorted(compareNewestFirst));
  const wanted = merged.filter(isWanted);
  const lastOfPage = wanted[limit - 1];
  const open = [...lanes.entries()].filter(([, { isOver }]) => !isOver);
  const ends = open.map(([, { rows }]) => rows.at(-1));
  const toRead = open.filter((_, index) => isBefore(ends[index], lastOfPage)).map(([lane]) => lane);
  const horizon = ends.filter((end) => end !== undefined).toSorted(compareNewestFirst)[0];
  const certain = ends.includes(undefined) ? [] : merged.filter((row) => !isBefore(horizon ?? row, row));
  const rows = certain.filter(isWanted).slice(0, limit);
  const isAtEnd = open.length === 0 && wanted.length <= limit;
  return { rows, toRead, last: isAtEnd ? undefined : (rows[limit - 1] ?? certain.at(-1)) };
}

/** Whether a row can follow the one before the other. What is undefined is not known yet. */
function isBefore(one: Position | undefined, other: Position | undefined): boolean {
  return one === undefined || other === undefined || compareNewestFirst(one, other) < 0;
}

function newestOfEach<Row extends Position>(rows: readonly Row[]): readonly Row[] {
  const seen = new Set<string>();
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
