import { describe, expect, it } from 'vitest';
import { type Index, sizeOf, writeUnitsOf } from '#tools/usage/capacity-units.ts';

const text = (bytes: number) => ({ S: 'x'.repeat(bytes) });
const index: Index = { keys: ['shard', 'since'], projected: [] };
const units = (before: Parameters<typeof writeUnitsOf>[0], after: Parameters<typeof writeUnitsOf>[1]) =>
  writeUnitsOf(before, after, [index], ['id']);

const row = { id: text(10), body: text(100) };
const listed = { ...row, shard: text(1), since: text(24) };

describe('writeUnitsOf', () => {
  it('counts a unit for each started kilobyte of the larger row', () => {
    expect(units(undefined, row)).toBe(1);
    expect(units(undefined, { id: text(10), body: text(1_024) })).toBe(2);
    expect(units({ id: text(10), body: text(3_000) }, row)).toBe(3);
  });

  it('counts the removal of a row that is not there as one unit', () => {
    expect(units(undefined, undefined)).toBe(1);
  });

  it.each([
    ['enters the index', row, listed, 2],
    ['leaves the index', listed, row, 2],
    ['changes its place in the index', listed, { ...listed, since: text(25) }, 3],
    ['changes outside the index', listed, { ...listed, body: text(50) }, 1],
  ])('counts the units of an index when the row %s', (_, before, after, expected) => {
    expect(units(before, after)).toBe(expected);
  });

  it('counts an entry of an index again when an attribute that the index holds changes', () => {
    const held: Index = { ...index, projected: ['body'] };
    expect(writeUnitsOf(listed, { ...listed, body: text(50) }, [held], ['id'])).toBe(2);
  });
});

describe('sizeOf', () => {
  it('counts names and values in bytes, and numbers by their digits', () => {
    expect(sizeOf({ name: { S: 'Zürich' } })).toBe(4 + 7);
    expect(sizeOf({ n: { N: '1234' } })).toBe(1 + 3);
    expect(sizeOf({ b: { B: Buffer.from('four').toString('base64') } })).toBe(1 + 4);
    expect(sizeOf({ m: { M: { a: { BOOL: true } } } })).toBe(1 + (1 + 1) + 1 + 3);
  });
});
