import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from '#shared/aws/dynamodb.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';

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

/** Negative if one row comes before the other in a list. */
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

/** Whether the first position comes before the second, or may do so: an undefined position is not known yet. */
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

/** An index whose partitions are the lanes of a list, and whose sort key is the time by which the list is ordered. */
export type ListIndex = {
  readonly index: string;
  readonly partition: string;
  readonly sort: string;
  /** The key of the table: it orders rows of the same time. */
  readonly id: string;
};

export type ListDeps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
};

export type ListQuery<Row> = {
  /** The partitions of the index that hold the list. */
  readonly lanes: readonly string[];
  readonly readRow: (item: Item) => Row;
  /** Rows that are not wanted are read, and left out. All are wanted unless given. */
  readonly isWanted?: (row: Row) => boolean;
  /** ISO 8601, UTC, with milliseconds; inclusive, as the other is. Not later than it. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The position that the page before ended with. */
  readonly after?: Position | undefined;
  readonly limit: number;
  /** Rows that a page reads before it ends early: at least the limit. 3,000 unless given. */
  readonly maxRows?: number | undefined;
};

export type ListPage<Row> = {
  /** Newest first; fewer than the limit, or none, if most rows that were read are not wanted. */
  readonly rows: readonly Row[];
  /** Where the next page begins; undefined at the end of the list. */
  readonly next: Position | undefined;
};

/** Of about 250 bytes, they take some 100 read units. */
const usualMaxRows = 3_000;

const laneConcurrency = 32;

/** Before and after every time. */
const earliest = '0000-01-01T00:00:00.000Z';
const latest = '9999-12-31T23:59:59.999Z';

type Entry<Row> = Position & { readonly row: Row };

type OpenLane<Row> = Lane<Entry<Row>> & {
  /** Rows of the time at which the reading stopped: there may be more of it. */
  readonly unsorted: readonly Entry<Row>[];
  readonly next: Item | undefined;
};

/**
 * Reads one page of a list whose rows are in several partitions of an index. The cost of a page depends on the number of
 * lanes and on the limit, not on how deep in the list the page is.
 *
 * A row whose time does not change during the walk over all pages is listed once. A row that is written meanwhile moves to
 * the front: it is listed where it was before, or not at all. As far as DynamoDB delays the index, usually well below a
 * second, a row can be missing, or be listed at its place before and at its new one.
 */
export async function readList<Row>(
  { dynamodb, tableName: TableName }: ListDeps,
  { index, partition, sort, id }: ListIndex,
  {
    lanes: names,
    readRow,
    isWanted = () => true,
    from = earliest,
    to = latest,
    after,
    limit,
    maxRows = usualMaxRows,
  }: ListQuery<Row>,
): Promise<ListPage<Row>> {
  const upTo = after === undefined || after.at > to ? to : after.at;
  // DynamoDB refuses such a range. Only a cursor that no page gave has it.
  if (upTo < from) return { rows: [], next: undefined };

  async function readOn(name: string, lane: OpenLane<Row>, size: number): Promise<OpenLane<Row>> {
    const { Items = [], LastEvaluatedKey: next } = await dynamodb.send(
      new QueryCommand({
        TableName,
        IndexName: index,
        KeyConditionExpression: '#lane = :lane AND #at BETWEEN :from AND :to',
        ExpressionAttributeNames: { '#lane': partition, '#at': sort },
        ExpressionAttributeValues: { ':lane': { S: name }, ':from': { S: from }, ':to': { S: upTo } },
        ScanIndexForward: false,
        Limit: size,
        ...(lane.next && { ExclusiveStartKey: lane.next }),
      }),
    );
    const read = [...lane.unsorted, ...Items.map(readEntry)];
    const endsAt = next === undefined ? undefined : next[sort]?.S;
    const complete = read.filter(({ at }) => at !== endsAt).filter(isAfter);
    const unsorted = read.filter(({ at }) => at === endsAt);
    const longer = { rows: [...lane.rows, ...complete], unsorted, next, isOver: next === undefined };
    return complete.length > 0 || longer.isOver ? longer : readOn(name, longer, 2 * size);
  }

  function readEntry(item: Item): Entry<Row> {
    return { at: item[sort]?.S ?? '', id: item[id]?.S ?? '', row: readRow(item) };
  }

  function isAfter(entry: Entry<Row>): boolean {
    return after === undefined || compareNewestFirst(after, entry) < 0;
  }

  let lanes: readonly OpenLane<Row>[] = names.map(() => ({ rows: [], unsorted: [], next: undefined, isOver: false }));
  for (let size = firstSize(limit, names.length); ; size *= 2) {
    const { rows, toRead, last } = mergeLanes(lanes, { limit, isWanted: ({ row }) => isWanted(row) });
    const isReadEnough = lanes.every(isBegun) && countRows(lanes) >= maxRows;
    if (toRead.length === 0 || isReadEnough) return { rows: rows.map(({ row }) => row), next: last };
    const read = await mapConcurrent(toRead, laneConcurrency, async (number) => {
      const [name, lane] = [names[number], lanes[number]];
      return name === undefined || lane === undefined ? undefined : readOn(name, lane, size);
    });
    const longer = new Map(toRead.map((number, place) => [number, read[place]]));
    lanes = lanes.map((lane, number) => longer.get(number) ?? lane);
  }
}

/**
 * Enough for a first page if the lanes are equally full: twice the share of a lane. One more is the row of the cursor, and
 * one shows that the time of the last row is complete.
 */
function firstSize(limit: number, lanes: number): number {
  return Math.ceil((2 * limit) / Math.max(1, lanes)) + 4;
}

function isBegun({ rows, isOver }: Lane<Position>): boolean {
  return rows.length > 0 || isOver;
}

function countRows(lanes: readonly Lane<Position>[]): number {
  return lanes.reduce((sum, { rows }) => sum + rows.length, 0);
}
