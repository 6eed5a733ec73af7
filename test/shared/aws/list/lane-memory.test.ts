import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLaneMemory } from '#shared/aws/list/lane-memory.ts';
import { usualLanes } from '#shared/aws/list/lanes.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';

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
