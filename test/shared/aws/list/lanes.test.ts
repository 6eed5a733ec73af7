import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLaneMemory, type LaneProgress, usualLanes, walkLanes } from '#shared/aws/list/lanes.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';

/** Two lanes of three pages each, and the pages that were read. */
function twoLanes() {
  const read: string[] = [];
  const readPage = async (lane: number, after: number | undefined) => {
    const page = (after ?? 0) + 1;
    read.push(`${lane}:${page}`);
    return { page, next: page === 3 ? undefined : page };
  };
  return { lanes: 2, readPage, read };
}

const begin: readonly LaneProgress<number>[] = ['begin', 'begin'];
const always = () => true;

describe('walkLanes', () => {
  it('walks each lane to its end', async () => {
    const lanes = twoLanes();
    expect(await walkLanes(lanes, begin, { mayContinue: always, onPage: () => undefined })).toEqual(['end', 'end']);
    expect(lanes.read.toSorted()).toEqual(['0:1', '0:2', '0:3', '1:1', '1:2', '1:3']);
  });

  it('continues where an earlier walk stopped, and leaves out finished lanes', async () => {
    const lanes = twoLanes();
    expect(await walkLanes(lanes, ['end', 2], { mayContinue: always, onPage: () => undefined })).toEqual([
      'end',
      'end',
    ]);
    expect(lanes.read).toEqual(['1:3']);
  });

  it('counts the pages under way as walked when its time is over', async () => {
    let pages = 0;
    const onPage = () => {
      pages += 1;
    };
    expect(await walkLanes(twoLanes(), begin, { mayContinue: () => pages === 0, onPage })).toEqual([1, 1]);
  });
});

let emulators: Emulators;
let calls: string[] = [];

beforeAll(async () => {
  emulators = await startEmulators();
  emulators.watch(({ when, operation }) => {
    if (when === 'before') calls.push(operation);
  });
});
beforeEach(() => {
  calls = [];
});
afterAll(() => emulators.close());

const memoryOf = (lanes: number) =>
  createLaneMemory({ dynamodb: emulators.dynamodb, tableName: emulators.tableNameOf('checkpoints') }, lanes);

describe('the memory of lanes', () => {
  it('asks nothing for as many lanes as every environment has', async () => {
    await memoryOf(usualLanes).remember();
    expect(calls).toEqual([]);
    expect(await memoryOf(usualLanes).read()).toBe(usualLanes);
  });

  it('keeps the greatest number of concurrent functions, and of a setting that is lowered', async () => {
    await Promise.all([64, 32, 100, 20].map((lanes) => memoryOf(lanes).remember()));
    await memoryOf(40).remember();
    expect(await memoryOf(usualLanes).read()).toBe(100);
    expect(await memoryOf(128).read()).toBe(128);
  });

  it('asks once for each function, and again after a failure', async () => {
    const memory = memoryOf(110);
    const missing = createLaneMemory({ dynamodb: emulators.dynamodb, tableName: 'no-table' }, 110);
    await expect(missing.remember()).rejects.toThrow();
    await expect(missing.remember()).rejects.toThrow();
    calls = [];
    await Promise.all([memory.remember(), memory.remember()]);
    await memory.remember();
    expect(calls).toEqual(['GetItem', 'PutItem']);
  });
});
