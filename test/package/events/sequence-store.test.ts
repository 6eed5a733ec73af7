import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Claim,
  ClaimLostError,
  type DynamoDbCalls,
  dynamoDbSequences,
  inMemorySequences,
} from '#package/exports/events.ts';
import { createSequencesTable, type SequencesTable } from './sequences-table.ts';

let time = 0;
const now = () => time;
let table: SequencesTable;
beforeAll(async () => {
  table = await createSequencesTable();
});
afterAll(() => table.close());

const stores = {
  'in memory': () => inMemorySequences(now),
  'in DynamoDB': () => dynamoDbSequences({ ...table, now }),
};

describe.each(Object.entries(stores))('the sequence store %s', (name, createStore) => {
  let key: string;
  let keys = 0;
  beforeEach(() => {
    time = 1_000;
    keys += 1;
    key = `order#${name}-${keys}`;
  });
  const claim = (sequence: number, holder = 'a'): Claim => ({ key, sequence, holder, holdMs: 500 });

  it('drops what took effect, and what is older than it', async () => {
    const store = createStore();
    expect(await store.claim(claim(3))).toBe('claimed');
    await store.settle(claim(3), true);
    expect(await Promise.all([2, 3].map((sequence) => store.claim(claim(sequence, 'b'))))).toEqual(['stale', 'stale']);
    expect(await store.claim(claim(10, 'b'))).toBe('claimed');
  });

  it('holds a key for its holder, until the time of the claim is over', async () => {
    const store = createStore();
    await store.claim(claim(3));
    expect([await store.claim(claim(3, 'b')), await store.claim(claim(4, 'b'))]).toEqual(['held', 'held']);
    time += 499;
    expect(await store.claim(claim(4, 'b'))).toBe('held');
    time += 1;
    expect(await store.claim(claim(4, 'b'))).toBe('claimed');
    await expect(store.settle(claim(3, 'a'), true)).rejects.toBeInstanceOf(ClaimLostError);
    await store.settle(claim(4, 'b'), true);
  });

  it('lets an effect that failed be repeated immediately, and drops what is older than it', async () => {
    const store = createStore();
    await store.claim(claim(3));
    await store.settle(claim(3), false);
    expect(await store.claim(claim(2, 'b'))).toBe('stale');
    expect(await store.claim(claim(3, 'b'))).toBe('claimed');
  });
});

describe('the sequence store in DynamoDB, if the answer to a write is lost and the SDK repeats the write', () => {
  const createStore = () => {
    const { dynamoDb, tableName } = table;
    const updateItem: DynamoDbCalls['updateItem'] = async (input) => {
      await dynamoDb.updateItem(input);
      await dynamoDb.updateItem(input);
    };
    return dynamoDbSequences({ dynamoDb: { getItem: (input) => dynamoDb.getItem(input), updateItem }, tableName, now });
  };
  const claim = (key: string, holder = 'a'): Claim => ({ key, sequence: 1, holder, holdMs: 500 });

  it('claims the key, and settles the effect', async () => {
    const store = createStore();
    expect(await store.claim(claim('taken'))).toBe('claimed');
    await store.settle(claim('taken'), true);
    expect(await store.claim(claim('taken', 'b'))).toBe('stale');
  });

  it('lets the key go after a failed effect', async () => {
    const store = createStore();
    await store.claim(claim('failed'));
    await store.settle(claim('failed'), false);
    expect(await store.claim(claim('failed', 'b'))).toBe('claimed');
  });

  it('refuses the settlement of a claim whose time was over, also if the next holder has settled the same sequence', async () => {
    const store = createStore();
    await store.claim(claim('late'));
    time += 500;
    await store.claim(claim('late', 'b'));
    await expect(store.settle(claim('late'), true)).rejects.toBeInstanceOf(ClaimLostError);
    await store.settle(claim('late', 'b'), true);
    await expect(store.settle(claim('late'), true)).rejects.toBeInstanceOf(ClaimLostError);
  });
});
