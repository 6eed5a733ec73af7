import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { createDetectDrift } from '#functions/retry-undelivered/reconcile/detect-drift.ts';
import { createDueEntities } from '#shared/entities/due-entities.ts';
import { isState, keyOfState, writeState } from '#shared/entities/entity-row.ts';
import { emptyEntityState, entityStateOf, mergeEntityStates } from '#shared/entities/merge/entity-state.ts';
import { viewOf } from '#shared/entities/merge/entity-view.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { size } from '#test/full-size.ts';
import type { Emulators } from '#test/shared/aws/emulators.ts';
import { useContract } from '#test/spec/contract.ts';
import { readReleaseData, readToday } from '#test/upgrades/release-data.ts';
import { fromJson } from '#test/upgrades/stored-json.ts';
import { clientWith, hour, limits, nothing, type ReconcileWorld, useReconcileWorld } from './reconcile-world.ts';

const contract = useContract({ profile: platformProfile.parse({ pageSize: 2 }) });
let emulators: Emulators;
let world: ReconcileWorld;
useReconcileWorld(contract, (made) => {
  ({ emulators, world } = made);
});

type Item = Record<string, AttributeValue>;

/** A row as 0.2.0 wrote it: without a place in the index of due entities. */
function formerRow(kind: EntityKind, id: string, status: string, receivedOn: Date): Item {
  const rules = entityRules[kind];
  const reported = { receivedOn: receivedOn.toISOString(), report: { status, modifiedOn: receivedOn.toISOString() } };
  const known = mergeEntityStates(rules, emptyEntityState, entityStateOf(rules, reported));
  const latest = [
    { eventId: `of-${id}`, receivedOn: reported.receivedOn, ...reported.report, effect: 'applied' as const },
  ];
  return writeState({ kind, id }, { version: 1, known, latest }, viewOf(rules, known));
}

const hoursAgo = (hours: number) => new Date(contract().platform.clock.now().getTime() - hours * hour);

/** What a repair asks of AWS, by operation. */
async function requestsOfRun(): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  emulators.watch(({ operation, when }) => {
    if (when === 'before') counts[operation] = (counts[operation] ?? 0) + 1;
  });
  await world.reconcile({ mode: 'repair' });
  emulators.unwatch();
  return counts;
}

describe('a run of reconciliation', () => {
  async function addOrders(from: number, to: number): Promise<void> {
    for (let order = from; order < to; order += 1)
      await world.deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', { orderId: `o-${order}`, status: 'SETTLED' });
  }

  async function addDueTransfers(): Promise<void> {
    for (let transfer = 0; transfer < 100; transfer += 1)
      await world.deliver('TRANSFER_NOTIFICATION', { transferId: `t-${transfer}`, status: 'PENDING' });
    await contract().advance(7 * 3_600);
  }

  it('sends as many requests when there are ten times as many settled orders, and reads no table of entities', async () => {
    await addOrders(0, 20);
    await world.deliver('TRANSFER_NOTIFICATION', { transferId: 't-1', status: 'PENDING' });
    await world.deliver('TRANSFER_NOTIFICATION', { transferId: 't-2', status: 'PENDING' });
    // The first run scans the table for rows of 0.2.0.
    await world.repair();
    await contract().advance(7 * 3_600);
    const small = await requestsOfRun();
    await addOrders(20, 200);
    await contract().advance(7 * 3_600);
    expect(await requestsOfRun()).toEqual(small);
    // Two lanes that are asked for, and two that are counted, of 16 shards each. Of each transfer: the row, its person, its new place.
    expect(small).toMatchObject({ Query: 64 + 2, GetItem: 1 + 2 * 2, UpdateItem: 2 });
    // The index of the onboardings' verifications.
    expect(small).toHaveProperty('Scan', 1);
  });

  it('asks for a silent transfer again after readBackAfterHours, and not in between', async () => {
    await world.deliver('TRANSFER_NOTIFICATION', { transferId: 't-1', status: 'PENDING' });
    const checked: number[] = [];
    for (let run = 0; run < 13; run += 1) {
      checked.push(await world.reconcile({ mode: 'repair' }).then(({ counts }) => counts.transfer.checked));
      await contract().advance(3_600);
    }
    expect(checked).toEqual([0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
  });

  it('has the whole run for what is due when no list is due, and only counts as complete when nothing is left', async () => {
    await world.repair();
    await addDueTransfers();
    // In half of 840 seconds 32 calls, to which the pages of 16 shards add 15 at most.
    const slow = { callsPerSecond: 32 / 420, listEveryHours: 24 };
    const first = await world.reconcile({ mode: 'repair' }, slow);
    expect(first.outcome).toBe('time is over');
    expect(first.counts.transfer.checked).toBeGreaterThanOrEqual(64);
    const second = await world.reconcile({ mode: 'repair' }, slow);
    expect(second.outcome).toBe('complete');
    expect(second.counts.transfer.checked).toBe(100 - first.counts.transfer.checked);
  });

  it('ends by itself when its time is over, though calls are left, and counts what is stale before', async () => {
    await world.repair();
    await addDueTransfers();
    const { dueEntities } = world.deps;
    const list: typeof dueEntities.list = async (lane, ...rest) => {
      if (lane === 'open') await contract().advance(500);
      return dueEntities.list(lane, ...rest);
    };
    const slow = { callsPerSecond: 32 / 420, listEveryHours: 24, dueEntities: { ...dueEntities, list } };
    world.counted();
    const { outcome, counts } = await world.reconcile({ mode: 'repair' }, slow);
    expect(outcome).toBe('time is over');
    expect(counts.transfer.checked).toBeLessThan(64);
    expect(world.counted()).toMatchObject({ EntitiesStale: 0 });
    expect(world.counted()).not.toHaveProperty('ReconciliationsCompleted');
  });

  it('keeps the place of a transfer that a webhook reports while the platform is asked', async () => {
    const naturalPersonId = await world.makePerson();
    const id = '00000000-0000-4000-8000-000000000001';
    await world.deliver('TRANSFER_NOTIFICATION', { transferId: id, naturalPersonId, status: 'RECEIVED' });
    await contract().advance(7 * 3_600);
    const { client } = contract();
    const during = clientWith(client, async (request, options) => {
      if (request.operation === 'Get transfer')
        await world.deliver('TRANSFER_NOTIFICATION', { transferId: id, naturalPersonId, status: 'PROCESSED' });
      return client.send(request, options);
    });
    const { counts } = await world.repair({ client: during });
    expect(counts.transfer).toEqual({ ...nothing, checked: 1, gone: 1 });
    expect(await world.deps.dueEntities.load({ kind: 'transfer', id })).toMatchObject({
      known: { seen: { PROCESSED: [] } },
      due: undefined,
    });
  });

  it('takes an entity off the index whose status the environment has declared as final since', async () => {
    await world.deliver('TRANSFER_NOTIFICATION', { transferId: 't-1', status: 'PROCESSED' });
    const key = { kind: 'transfer', id: 't-1' } as const;
    const row = await world.deps.dueEntities.load(key);
    if (row === undefined) throw new Error('The transfer is not stored.');
    await world.deps.dueEntities.place({ key, row }, { lane: 'open', since: hoursAgo(9).toISOString() });
    expect((await world.repair()).counts.transfer).toEqual(nothing);
    expect(await world.deps.dueEntities.load(key)).toMatchObject({ due: undefined });
  });
});

describe('after an upgrade from 0.2.0', () => {
  async function put(...items: readonly Item[]): Promise<void> {
    for (const Item of items)
      await emulators.dynamodb.send(new PutItemCommand({ TableName: world.entitiesTable, Item }));
  }

  const placeOf = async (kind: EntityKind, id: string) => (await world.deps.dueEntities.load({ kind, id }))?.due?.lane;

  it('gives each row its place in the first run, which asks for what is due', async () => {
    await put(
      formerRow('transfer', 'quiet', 'PENDING', hoursAgo(7)),
      formerRow('transfer', 'silent for a month', 'PENDING', hoursAgo(24 * 30)),
      formerRow('order', 'open', 'FILLED', hoursAgo(1)),
      formerRow('order', 'over', 'SETTLED', hoursAgo(1)),
    );
    const { counts } = await world.reconcile({ mode: 'repair' });
    expect(counts.transfer).toEqual({ ...nothing, checked: 1, unanswered: 1, stale: 1 });
    expect(await placeOf('transfer', 'quiet')).toBe('open');
    expect(await placeOf('transfer', 'silent for a month')).toBe('stale');
    expect(await placeOf('order', 'open')).toBe('order');
    expect(await placeOf('order', 'over')).toBeUndefined();
  });

  it('has a report find what is due, and leaves every row as it is', async () => {
    await put(formerRow('transfer', 'quiet', 'PENDING', hoursAgo(7)));
    const { counts, outcome } = await world.reconcile({ mode: 'report' });
    expect({ outcome, transfer: counts.transfer }).toEqual({
      outcome: 'complete',
      transfer: { ...nothing, checked: 1, unanswered: 1 },
    });
    expect(await placeOf('transfer', 'quiet')).toBeUndefined();
  });

  it('reads the table again when an operator asks for the whole table', async () => {
    await world.repair();
    await contract().advance(25 * 3_600);
    await world.repair();
    await put(formerRow('order', 'of a restored backup', 'FILLED', hoursAgo(1)));
    await world.repair();
    expect(await placeOf('order', 'of a restored backup')).toBeUndefined();
    expect(await world.reconcile({ mode: 'repair', full: true })).toMatchObject({ outcome: 'complete' });
    expect(await placeOf('order', 'of a restored backup')).toBe('order');
  });

  it('scans again after a rollback, since 0.2.0 drops from the checkpoint that the index is full', async () => {
    const firstOn = hoursAgo(99).toISOString();
    const fill = { firstOn, segments: {}, completedOn: firstOn };
    const progress = { S: JSON.stringify({ stumbles: 0, fill }) };
    const stored = { job: { S: 'reconcile' }, version: { N: '1' }, progress };
    const datum = { kind: 'table checkpoints, reconcile', stored };
    expect(await readToday(datum)).toMatchObject({ fill });
    const [release] = readReleaseData();
    expect(await release?.read(datum)).toEqual({ stumbles: 0 });
  });

  // ROWS=2000000 takes minutes: `npm run verify` proves the same with fewer.
  const rows = Number(process.env['ROWS'] ?? size(400, 200_000));

  it(`gives ${rows.toLocaleString('en')} rows their places in two scans, and scans no more`, {
    timeout: 3_600_000,
  }, async () => {
    const table = createFormerTable(rows);
    const dueEntities = createDueEntities({ dynamodb: table.dynamodb, tableName: 'entities' });
    const { deps, entityStore } = world;
    const driftChecks = createDetectDrift({ ...deps, rules: entityRules, entityStore, dueEntities, limits });
    const scansOfRuns: number[] = [];
    for (let run = 0; run < 4; run += 1) {
      const before = table.scans();
      const { outcome } = await world.reconcile({ mode: 'repair' }, { dueEntities, driftChecks });
      expect(outcome).toBe('complete');
      scansOfRuns.push(table.scans() - before);
      await contract().advance(12 * 3_600);
    }
    const pages = 8 * (1 + Math.floor(rows / 8 / 500));
    // The first run, and the first one after a day.
    expect(scansOfRuns).toEqual([pages, 0, pages, 0]);
    expect(table.misplaced()).toEqual([]);
  });
});

/** The states that 0.2.0 stored in its tests, and some that it did not, each with the lane that it is to have. */
function formerTemplates(): readonly { readonly item: Item; readonly lane: string | undefined }[] {
  const [release] = readReleaseData();
  const stored = (release?.data ?? []).filter(({ kind }) => kind === 'table entities');
  const items = stored.map((datum) => fromJson(JSON.stringify(datum.stored)) as Item);
  return [
    ...items.map((item) => ({ item, lane: item['readBackShard'] === undefined ? undefined : 'marked' })),
    { item: formerRow('order', 'x', 'FILLED', hoursAgo(1)), lane: 'order' },
    { item: formerRow('order', 'x', 'SETTLED', hoursAgo(1)), lane: undefined },
    { item: formerRow('transfer', 'x', 'PENDING', hoursAgo(1)), lane: 'open' },
    { item: formerRow('transfer', 'x', 'PENDING', hoursAgo(999)), lane: 'stale' },
  ];
}

/** A table of so many rows of 0.2.0, each made when it is read, with the places that they are given. Knows no other request. */
function createFormerTable(rows: number) {
  const templates = formerTemplates();
  const places = new Map<number, string>();
  let scans = 0;
  const templateOf = (row: number) => templates[row % templates.length];

  function itemAt(row: number): Item {
    const item = templateOf(row)?.item ?? {};
    const [kind] = (item['entity']?.S ?? '').split('#');
    return { ...item, entity: { S: `${kind}#${row}` } };
  }

  function isUnplaced(row: number): boolean {
    const item = templateOf(row)?.item ?? {};
    return isState(item) && item['erasedOn'] === undefined && !places.has(row);
  }

  function scan({ Segment = 0, TotalSegments = 1, Limit = 1, ExclusiveStartKey }: ScanCommand['input']): object {
    scans += 1;
    const numbers: number[] = [];
    const start = ExclusiveStartKey === undefined ? Segment : rowOf(ExclusiveStartKey) + TotalSegments;
    for (let row = start; row < rows && numbers.length < Limit; row += TotalSegments) numbers.push(row);
    const [last] = numbers.slice(-1);
    return {
      Items: numbers.filter(isUnplaced).map(itemAt),
      ...(numbers.length === Limit && last !== undefined && { LastEvaluatedKey: keyOf(last) }),
    };
  }

  function update({ Key = {}, ExpressionAttributeValues: values = {} }: UpdateItemCommand['input']): object {
    const row = rowOf(Key);
    if (itemAt(row)['version']?.N !== values[':read']?.N)
      throw new ConditionalCheckFailedException({ message: 'The row has another version.', $metadata: {} });
    places.set(row, values[':lane']?.S ?? '');
    return {};
  }

  const send = async (command: object): Promise<object> => {
    if (command instanceof ScanCommand) return scan(command.input);
    if (command instanceof UpdateItemCommand) return update(command.input);
    if (command instanceof QueryCommand) return {};
    throw new Error(`The table knows no ${command.constructor.name}.`);
  };

  return {
    dynamodb: { send } as Pick<DynamoDBClient, 'send'>,
    scans: () => scans,
    /** Rows that are not in the lane that they are to have. */
    misplaced: () =>
      Array.from({ length: rows }, (_, row) => row).filter((row) => {
        const lane = places.get(row)?.split('#')[0];
        return lane !== templateOf(row)?.lane;
      }),
  };
}

function keyOf(row: number): Item {
  return keyOfState({ kind: 'order', id: String(row) });
}

function rowOf(key: Item): number {
  return Number(key['entity']?.S?.split('#')[1]);
}
