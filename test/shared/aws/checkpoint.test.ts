import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { CheckpointConflictError, createCheckpoint } from '#shared/aws/checkpoint.ts';
import { isFullSize } from '#test/full-size.ts';
import { type Emulators, startEmulators } from './emulators.ts';

let emulators: Emulators;
let serial = 0;
beforeAll(async () => {
  emulators = await startEmulators({ isOverHttp: isFullSize });
});
afterAll(() => emulators.close());
afterEach(() => emulators.unwatch());

const schema = z.object({ place: z.optional(z.string()) });

function newJob(): string {
  serial += 1;
  return `job ${serial}`;
}

function checkpointOf(job: string) {
  const { dynamodb } = emulators;
  return createCheckpoint({ dynamodb, tableName: emulators.tableNameOf('checkpoints'), job, schema });
}

async function progressOf(job: string): Promise<unknown> {
  return (await checkpointOf(job).open()).progress;
}

describe('a checkpoint that survives the time limit of the function', () => {
  it('reads nothing before the first save', async () => {
    expect(await progressOf(newJob())).toEqual({});
  });

  it('returns what was saved last', async () => {
    const job = newJob();
    const journal = await checkpointOf(job).open();
    for (const place of ['here', 'é "there"']) {
      await journal.save({ place });
      expect(journal.progress).toEqual({ place });
      expect(await progressOf(job)).toEqual({ place });
    }
  });

  it('is kept for each job by itself', async () => {
    const [one, other] = [newJob(), newJob()];
    await (await checkpointOf(one).open()).save({ place: 'one' });
    expect(await progressOf(other)).toEqual({});
  });

  it('starts again when its content cannot be read, as after a release that stores something else', async () => {
    const TableName = emulators.tableNameOf('checkpoints');
    for (const text of ['{"place":7}', 'no JSON', '']) {
      const job = newJob();
      const Item = { job: { S: job }, version: { N: '7' }, progress: { S: text } };
      await emulators.dynamodb.send(new PutItemCommand({ TableName, Item }));
      const journal = await checkpointOf(job).open();
      expect(journal.progress).toEqual({});
      await journal.save({ place: 'here' });
      const row = await emulators.dynamodb.send(new GetItemCommand({ TableName, Key: { job: { S: job } } }));
      expect(row.Item).toMatchObject({ version: { N: '8' } });
    }
  });
});

describe('promise 9: of two runs that save the same checkpoint, one continues', () => {
  it.each([{}, { place: 'before' }])('lets one of two runs save, starting from %j', async (before) => {
    const job = newJob();
    if ('place' in before) await (await checkpointOf(job).open()).save(before);
    const [one, other] = [await checkpointOf(job).open(), await checkpointOf(job).open()];
    await one.save({ place: 'one' });
    await expect(other.save({ place: 'other' })).rejects.toThrow(CheckpointConflictError);
    expect(other.progress).toEqual(before);
    await one.save({ place: 'further' });
    await expect(other.save({ place: 'other' })).rejects.toThrow(CheckpointConflictError);
    expect(await progressOf(job)).toEqual({ place: 'further' });
  });

  it('lets one of fifty concurrent runs save', async () => {
    const job = newJob();
    const journals = await Promise.all(Array.from({ length: 50 }, () => checkpointOf(job).open()));
    const saved = await Promise.allSettled(journals.map((journal, index) => journal.save({ place: `${index}` })));
    expect(saved.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('stops a run whose save was done and its answer lost, so that the next run continues', async () => {
    const job = newJob();
    const journal = await checkpointOf(job).open();
    emulators.watch(({ when }) => {
      if (when === 'after') throw new Error('The answer is lost.');
    });
    await expect(journal.save({ place: 'one' })).rejects.toThrow();
    emulators.unwatch();
    await expect(journal.save({ place: 'two' })).rejects.toThrow(CheckpointConflictError);
    expect(await progressOf(job)).toEqual({ place: 'one' });
  });

  it('throws what DynamoDB throws otherwise', async () => {
    const journal = await checkpointOf(newJob()).open();
    emulators.watch(() => {
      throw new Error('DynamoDB is down.');
    });
    await expect(journal.save({})).rejects.not.toThrow(CheckpointConflictError);
    await expect(checkpointOf(newJob()).open()).rejects.toThrow();
  });
});
