import type { BatchGetItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { createBatchGet, type Item } from '#shared/aws/dynamodb.ts';

type Request = { readonly Keys?: readonly Item[] | undefined; readonly ProjectionExpression?: string | undefined };
type Requests = Readonly<Record<string, Request>>;

const keyOf = (serial: number, tableName = 'table') => ({ tableName, key: { id: { S: `${serial}` } } });
const serialsOf = ({ Keys = [] }: Request = {}) => Keys.map(({ id }) => Number(id?.S));

/** A DynamoDB that holds the even serials, and leaves keys unprocessed, chosen for each call. */
function world(leave: (serials: readonly number[], call: number) => readonly number[] | 'throttled' = () => []) {
  const calls: Requests[] = [];
  const pauses: number[] = [];
  const send = async ({ input }: BatchGetItemCommand) => {
    const requests: Requests = input.RequestItems ?? {};
    calls.push(requests);
    const left = leave(Object.values(requests).flatMap(serialsOf), calls.length);
    if (left === 'throttled') throw new Error('The throughput is exceeded.');
    const keysOf = (table: string, isPart: (serial: number) => boolean) =>
      (requests[table]?.Keys ?? []).filter(({ id }) => isPart(Number(id?.S)));
    const Responses: Record<string, Item[]> = {};
    const UnprocessedKeys: Record<string, Request> = {};
    for (const table of Object.keys(requests)) {
      const found = keysOf(table, (serial) => serial % 2 === 0 && !left.includes(serial));
      Responses[table] = found.toReversed().map((key) => ({ ...key, of: { S: table } }));
      const Keys = keysOf(table, (serial) => left.includes(serial));
      if (Keys.length > 0) UnprocessedKeys[table] = { Keys };
    }
    return { Responses, UnprocessedKeys };
  };
  const dynamodb = { send } as unknown as DynamoDBClient;
  const wait = async (milliseconds: number) => void pauses.push(milliseconds);
  const batchGet = createBatchGet({ dynamodb, random: () => 1, wait, attributes: { other: ['id'] } });
  return { calls, pauses, batchGet };
}

describe('reading items in batches', () => {
  it('finds each item by its key, and says which are absent', async () => {
    const { batchGet } = world();
    const itemOf = await batchGet([1, 2, 3, 4].map((serial) => keyOf(serial)));
    expect([1, 2, 3, 4].map((serial) => itemOf(keyOf(serial))?.['id']?.S)).toEqual([undefined, '2', undefined, '4']);
  });

  it('asks for a key once, however often it is named', async () => {
    const { calls, batchGet } = world();
    await batchGet([keyOf(2), keyOf(2), keyOf(3)]);
    expect(calls.map(({ table }) => serialsOf(table))).toEqual([[2, 3]]);
  });

  it('reads several tables in one call, with the attributes that are wanted of each', async () => {
    const { calls, batchGet } = world();
    const itemOf = await batchGet([keyOf(2), keyOf(2, 'other')]);
    expect([itemOf(keyOf(2)), itemOf(keyOf(2, 'other'))].map((item) => item?.['of']?.S)).toEqual(['table', 'other']);
    expect(calls).toEqual([
      {
        table: { Keys: [{ id: { S: '2' } }], ConsistentRead: true },
        other: { Keys: [{ id: { S: '2' } }], ConsistentRead: true, ProjectionExpression: 'id' },
      },
    ]);
  });

  it('makes no call for no key, and calls of 100 keys for more', async () => {
    const { calls, batchGet } = world();
    await batchGet([]);
    expect(calls).toEqual([]);
    const itemOf = await batchGet(Array.from({ length: 250 }, (_, serial) => keyOf(serial)));
    expect(calls.map(({ table }) => serialsOf(table).length)).toEqual([100, 100, 50]);
    expect(itemOf(keyOf(248))?.['id']?.S).toBe('248');
  });

  it('throws for a key that was not asked for', async () => {
    const { batchGet } = world();
    const itemOf = await batchGet([keyOf(2)]);
    expect(() => itemOf(keyOf(4))).toThrow(expect.objectContaining({ code: 'UnreadItemError' }));
  });
});

describe('failure modes: DynamoDB leaves keys unprocessed', () => {
  it('reads them again after growing pauses', async () => {
    const { calls, pauses, batchGet } = world((_, call) => (call < 3 ? [2, 4] : []));
    const itemOf = await batchGet([2, 4, 6].map((serial) => keyOf(serial)));
    expect([2, 4, 6].map((serial) => itemOf(keyOf(serial))?.['id']?.S)).toEqual(['2', '4', '6']);
    expect(calls.map(({ table }) => serialsOf(table))).toEqual([
      [2, 4, 6],
      [2, 4],
      [2, 4],
    ]);
    expect(pauses).toEqual([50, 100]);
  });

  it.each<readonly [string, (serials: readonly number[]) => readonly number[] | 'throttled']>([
    ['leaves it unprocessed each time', (serials) => serials.filter((serial) => serial === 4)],
    ['throttles only the calls for it', (serials) => (serials.length === 1 ? 'throttled' : [4])],
  ])('throws for the key, and for no other, when DynamoDB %s', async (_, leave) => {
    const { calls, batchGet } = world(leave);
    const itemOf = await batchGet([2, 3, 4].map((serial) => keyOf(serial)));
    expect(itemOf(keyOf(2))?.['id']?.S).toBe('2');
    expect(itemOf(keyOf(3))).toBeUndefined();
    expect(() => itemOf(keyOf(4))).toThrow(expect.objectContaining({ code: 'UnreadItemError' }));
    expect(calls).toHaveLength(4);
  });

  it('throws when the first call fails', async () => {
    await expect(world(() => 'throttled').batchGet([keyOf(2)])).rejects.toThrow('exceeded');
  });
});
