import { describe, expect, it } from 'vitest';
import { createTable } from './dynamodb-table.ts';

const index = { index: 'byOwner', partition: 'owner', includes: [] };
const itemOf = (id: string, owner: string) => ({ id: { S: id }, owner: { S: owner } });

describe('an index may lag behind', () => {
  it('by what was written just now: it has what was there before, or nothing', () => {
    let time = 0;
    const table = createTable({ partition: 'id', indexes: [index] }, () => time);
    table.put(itemOf('a', 'one'));
    time = 10_000;
    table.put(itemOf('a', 'two'));
    table.put(itemOf('b', 'two'));
    expect(table.allOf(index)).toEqual([itemOf('a', 'two'), itemOf('b', 'two')]);
    expect(table.allOf(index, () => true)).toEqual([itemOf('a', 'one')]);
  });

  it('not for long', () => {
    let time = 0;
    const table = createTable({ partition: 'id', indexes: [index] }, () => time);
    table.put(itemOf('a', 'one'));
    time = 5_000;
    expect(table.allOf(index, () => true)).toEqual([itemOf('a', 'one')]);
  });
});
