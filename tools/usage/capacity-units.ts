import * as z from 'zod';

/** A row in the JSON of DynamoDB. */
export type Row = Readonly<Record<string, Value>>;

type Value = { readonly [type: string]: unknown };

/** An index as a write sees it. */
export type Index = {
  readonly keys: readonly string[];
  /** The attributes that the index holds beside the keys; undefined for all. */
  readonly projected: readonly string[] | undefined;
};

const bytesPerWriteUnit = 1_024;

const values = z.array(z.record(z.string(), z.unknown()));
const map = z.record(z.string(), z.record(z.string(), z.unknown()));

/**
 * The write request units of one write, by the rules of DynamoDB: one for each started kilobyte of the larger of the rows
 * before and after, and for each index one for each started kilobyte of an entry that is put or removed.
 */
export function writeUnitsOf(
  before: Row | undefined,
  after: Row | undefined,
  indexes: readonly Index[],
  tableKeys: readonly string[],
): number {
  const largest = Math.max(sizeOf(before ?? {}), sizeOf(after ?? {}));
  const ofIndexes = indexes.map((index) => indexUnits(before, after, index, tableKeys));
  return unitsOf(largest) + ofIndexes.reduce((sum, units) => sum + units, 0);
}

function indexUnits(before: Row | undefined, after: Row | undefined, index: Index, tableKeys: readonly string[]) {
  const [old, current] = [before, after].map((row) => entryOf(row, index, tableKeys));
  if (JSON.stringify(old) === JSON.stringify(current)) return 0;
  if (old === undefined || current === undefined) return unitsOf(sizeOf(old ?? current ?? {}));
  const isMoved = index.keys.some((key) => JSON.stringify(old[key]) !== JSON.stringify(current[key]));
  return isMoved ? unitsOf(sizeOf(old)) + unitsOf(sizeOf(current)) : unitsOf(Math.max(sizeOf(old), sizeOf(current)));
}

/** What the index holds of a row: nothing of a row without the keys of the index. */
export function entryOf(
  row: Row | undefined,
  { keys, projected }: Index,
  tableKeys: readonly string[],
): Row | undefined {
  if (row === undefined || keys.some((key) => row[key] === undefined)) return undefined;
  if (projected === undefined) return row;
  const held = [...new Set([...tableKeys, ...keys, ...projected])].toSorted();
  return Object.fromEntries(
    held.flatMap((name) => {
      const value = row[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function unitsOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / bytesPerWriteUnit));
}

/** The bytes of a row: of its names and values in UTF-8. */
export function sizeOf(row: Row): number {
  return Object.entries(row).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + sizeOfValue(value), 0);
}

function sizeOfValue(value: Value): number {
  const [[type, content] = ['NULL', true]] = Object.entries(value);
  if (type === 'S') return Buffer.byteLength(String(content));
  if (type === 'B') return Buffer.from(String(content), 'base64').length;
  // Two digits share a byte, and one more byte holds the sign and the exponent.
  if (type === 'N') return Math.ceil(String(content).replace(/[^0-9]/g, '').length / 2) + 1;
  if (type === 'L') return values.parse(content).reduce((sum, one) => sum + sizeOfValue(one) + 1, 3);
  if (type === 'M') return sizeOf(map.parse(content)) + Object.keys(map.parse(content)).length + 3;
  if (type.endsWith('S'))
    return z
      .array(z.string())
      .parse(content)
      .reduce((sum, one) => sum + Buffer.byteLength(one), 0);
  return 1;
}
