import type { AttributeValue, DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';

type Item = Readonly<Record<string, AttributeValue>>;

/** An index of DynamoDB, as a list reads it. */
export type IndexKeys = { readonly partition: string; readonly sort: string; readonly tableKey: string };

/** What the queries of a page took. */
export type QueryCount = { queries: number; readUnits: number; bytes: number };

type Place = { readonly lane: string; readonly at: string };

type Entry = { readonly at: string; readonly row: number };

const bytesPerReadUnit = 4_096;

/**
 * An index in memory that answers the queries of lists as DynamoDB does, with its read units: half a unit for each started
 * 4 KB of an eventually consistent query. A row is computed at each read, so that a million rows fit.
 *
 * @param itemOf what the index holds of a row
 * @param placeOf where the index holds a row, for items that take long to compute
 */
export function createMemoryIndex(
  { partition, sort, tableKey }: IndexKeys,
  rows: number,
  itemOf: (row: number) => Item,
  placeOf?: (row: number) => Place,
) {
  const placeIn = (item: Item): Place => ({ lane: item[partition]?.S ?? '', at: item[sort]?.S ?? '' });
  const lanes = new Map<string, Entry[]>();
  for (let row = 0; row < rows; row += 1) {
    const { lane, at } = placeOf?.(row) ?? placeIn(itemOf(row));
    const entries = lanes.get(lane) ?? [];
    entries.push({ at, row });
    lanes.set(lane, entries);
  }
  for (const entries of lanes.values()) entries.sort((one, other) => (one.at < other.at ? 1 : -1));
  const count: QueryCount = { queries: 0, readUnits: 0, bytes: 0 };

  async function query({ input }: QueryCommand) {
    const {
      ExpressionAttributeValues: values = {},
      Limit = Number.POSITIVE_INFINITY,
      ExclusiveStartKey: start,
    } = input;
    const entries = lanes.get(values[':lane']?.S ?? '') ?? [];
    const [from = '', to = ''] = [values[':from']?.S, values[':to']?.S];
    const first = start === undefined ? firstNotAfter(entries, to) : Number(start['row']?.N) + 1;
    const read = entries.slice(first, first + Limit).filter(({ at }) => at >= from);
    const items = read.map(({ row }) => itemOf(row));
    const misplaced = items.find((item) => item[partition]?.S !== values[':lane']?.S);
    if (misplaced !== undefined) throw new Error('The place of a row is not that of its item.');
    const bytes = items.reduce((sum, item) => sum + sizeOf(item), 0);
    count.queries += 1;
    count.bytes += bytes;
    count.readUnits += Math.max(1, Math.ceil(bytes / bytesPerReadUnit)) / 2;
    const last = items.at(-1);
    const isCut = read.length === Limit && last !== undefined;
    const next = isCut && { [sort]: last[sort], [tableKey]: last[tableKey], row: { N: String(first + Limit - 1) } };
    return { Items: items, ...(next && { LastEvaluatedKey: next }) };
  }

  const dynamodb = { send: query } as unknown as Pick<DynamoDBClient, 'send'>;
  return { dynamodb, count, lanes: lanes.size };
}

/** The first entry that is not later than a time, in entries whose latest come first. */
function firstNotAfter(entries: readonly Entry[], time: string): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.at ?? '') > time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sizeOf(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, { S = '', N = '' }]) => sum + name.length + Buffer.byteLength(S) + (N === '' ? 0 : N.length / 2 + 1),
    0,
  );
}
