import { randomUUID } from 'node:crypto';
import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyMissingRows } from '#cli/copy-rows/copy-missing-rows.ts';
import { writeEvent, writeTombstone } from '#shared/entities/entity-row.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';

let emulators: Emulators;
let to: string;
beforeAll(async () => {
  emulators = await startEmulators({ isOverHttp: true });
  to = emulators.tableNameOf('entities');
});
afterAll(() => emulators.close());

async function rowsOf(TableName: string) {
  const { Items = [] } = await emulators.dynamodb.send(new ScanCommand({ TableName, ConsistentRead: true }));
  return Items;
}

describe('drawbridge copy-rows: copyMissingRows', () => {
  it.each(['before the copy', 'during the copy'])(
    'brings no timeline of a person back that was erased %s',
    async (when) => {
      const { dynamodb } = emulators;
      const key = { kind: 'natural-person', id: randomUUID() } as const;
      const from = await emulators.createTable('entities', `restored-${key.id}`);
      const event = { eventId: 'f'.repeat(64), receivedOn: '2026-01-01T00:00:00Z', effect: 'duplicate' } as const;
      await dynamodb.send(new PutItemCommand({ TableName: from, Item: writeEvent(key, event) }));
      const tombstone = writeTombstone(key, { version: 1, erasedOn: '2026-01-02T00:00:00Z' });
      const erase = () => dynamodb.send(new PutItemCommand({ TableName: to, Item: tombstone }));
      if (when === 'before the copy') await erase();
      const whileCopying = async (command: Parameters<typeof dynamodb.send>[0]) => {
        const answer = await dynamodb.send(command);
        if (command instanceof PutItemCommand && command.input.Item?.['item']?.S !== 'state') await erase();
        return answer;
      };
      const send = when === 'before the copy' ? dynamodb.send.bind(dynamodb) : (whileCopying as typeof dynamodb.send);
      expect(await copyMissingRows({ dynamodb: { send }, from, to })).toEqual({ copied: 0, kept: 0, erased: 1 });
      const left = (await rowsOf(to)).filter((row) => JSON.stringify(row).includes(key.id));
      expect(left).toEqual([tombstone]);
    },
  );

  it('refuses to copy between tables of different keys, or within one table', async () => {
    const { dynamodb } = emulators;
    const events = emulators.tableNameOf('events');
    await expect(copyMissingRows({ dynamodb, from: events, to })).rejects.toThrow(
      expect.objectContaining({ code: 'TABLES_DIFFER' }),
    );
    await expect(copyMissingRows({ dynamodb, from: to, to })).rejects.toThrow(
      expect.objectContaining({ code: 'TABLES_DIFFER' }),
    );
  });
});
