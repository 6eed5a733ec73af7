import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { DeleteItemCommand, PutItemCommand, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConflictError } from '#shared/aws/dynamodb.ts';
import { createDueEntities } from '#shared/entities/due-entities.ts';
import {
  type DuePlace,
  dueLanes,
  entityKeys,
  entityName,
  entityShards,
  keyOfState,
  writeState,
} from '#shared/entities/entity-row.ts';
import { type Applied, createEntityStore, type EntityStore } from '#shared/entities/entity-store.ts';
import { viewOf } from '#shared/entities/merge/entity-view.ts';
import type { EntityEvent } from '#shared/entities/plan-merge.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import { isFullSize } from '#test/full-size.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { type Line, learn, modifiedAt, receivedAt, receivedReportOf, shownAfter } from './merge/histories.ts';

let emulators: Emulators;
let tableName: string;
let store: EntityStore;
let serial = 0;
/** The events of which an erasure reported, so that their bodies are erased. */
let erasedEvents: Set<string>;
const eraseEvents = async (eventIds: readonly string[]) => {
  for (const eventId of eventIds) erasedEvents.add(eventId);
};

beforeAll(async () => {
  emulators = await startEmulators({ isOverHttp: isFullSize });
  tableName = await emulators.createTable('entities', 'entities');
});
afterAll(() => emulators.close());
beforeEach(() => {
  store = createStore();
  erasedEvents = new Set();
});
afterEach(() => emulators.unwatch());

function createStore(deps: Partial<Parameters<typeof createEntityStore>[0]> = {}): EntityStore {
  return createEntityStore({
    rules: entityRules,
    dynamodb: emulators.dynamodb,
    tableName,
    // At the epoch, versions begin at 1.
    now: () => new Date(0),
    random: Math.random,
    wait,
    ...deps,
  });
}

/** An entity that no other test knows. */
function newEntity(kind: EntityKind = 'order') {
  serial += 1;
  return { kind, id: `entity-${serial}` };
}

type Entity = ReturnType<typeof newEntity>;

/** The id of an event as it is in the event store. */
function eventIdOf(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}

function eventOf(entity: Entity, name: string, line: Line): EntityEvent {
  return { ...entity, eventId: eventIdOf(name), ...receivedReportOf(line) };
}

/** Applies these one after another, each under its name. */
async function applyAll(entity: Entity, lines: Readonly<Record<string, Line>>) {
  const results: Applied[] = [];
  for (const [name, line] of Object.entries(lines)) results.push(await store.apply(eventOf(entity, name, line)));
  return results;
}

/** A person of as many events as the state holds, written together. */
async function newFullPerson(): Promise<Entity> {
  const person = newEntity('natural-person');
  const report = Array.from({ length: 8 }, (_, at) => ({ status: at % 2 ? 'ACTIVE' : 'SUSPENDED', at, received: at }));
  const latest = report.map((line) => ({
    eventId: eventIdOf(`change ${line.at}`),
    receivedOn: receivedAt(line.received),
    status: line.status,
    modifiedOn: modifiedAt(line.at),
    effect: 'applied' as const,
  }));
  const known = learn('natural-person', report);
  const Item = writeState(person, { version: 8, known, latest }, viewOf(entityRules['natural-person'], known));
  await emulators.dynamodb.send(new PutItemCommand({ TableName: tableName, Item }));
  return person;
}

async function deleteState(entity: Entity) {
  await emulators.dynamodb.send(new DeleteItemCommand({ TableName: tableName, Key: keyOfState(entity) }));
}

/** As the queue does: what others kept it from comes again. */
async function applyWithRedelivery(event: EntityEvent): Promise<Applied> {
  try {
    return await store.apply(event);
  } catch (error) {
    if (error instanceof ConflictError) return applyWithRedelivery(event);
    throw error;
  }
}

async function effectsOf(entity: Entity) {
  return (await store.timeline(entity)).map(({ effect }) => effect);
}

/** Does this after the nth call that follows, once. */
function onCall(nth: number, act: () => Promise<void>): void {
  let seen = 0;
  emulators.watch(async ({ when }) => {
    if (when !== 'after') return;
    seen += 1;
    if (seen === nth) await act();
  });
}

const endFunction = () => Promise.reject(new Error('The function ends.'));

/** A case for each of its calls. What happens before a call is what happens after the call before it. */
function afterEachCall<Scenario extends { readonly calls: number }>(scenario: Scenario) {
  return Array.from({ length: scenario.calls }, (_, index) => ({ ...scenario, nth: index + 1 }));
}

/** All calls from now on, by their names. */
function recordCalls(): readonly string[] {
  const calls: string[] = [];
  emulators.watch(({ when, operation }) => {
    if (when === 'before') calls.push(operation);
  });
  return calls;
}

const pending = { status: 'PENDING', at: 1, received: 1 };
const filled = { status: 'FILLED', at: 2, received: 2 };
const settled = { status: 'SETTLED', at: 3, received: 3 };

describe('an earlier receipt of a known event can change which unknown status is shown', () => {
  const changed = { statusBefore: 'B_NEW_WORD', status: 'A_NEW_WORD', anomalies: [] };

  it('returns the change to its publisher, and again after a crash', async () => {
    const order = newEntity();
    await applyAll(order, { a: { status: 'A_NEW_WORD', received: 5 }, b: { status: 'B_NEW_WORD', received: 6 } });
    const earlier = eventOf(order, 'b', { status: 'B_NEW_WORD', received: 4 });
    for (const _ of [1, 2])
      expect(await store.apply(earlier)).toMatchObject({ effect: 'duplicate', change: { version: 3, ...changed } });
    expect(await store.read(order)).toMatchObject({ status: 'A_NEW_WORD', version: 3 });
    const timeline = await store.timeline(order);
    expect(timeline.map(({ change }) => change?.version)).toEqual([1, 3]);
  });

  it('holds the change although the event was no longer among the latest ones', async () => {
    const order = newEntity();
    await applyAll(order, { b: { status: 'B_NEW_WORD', received: 6 }, a: { status: 'A_NEW_WORD', received: 5 } });
    for (let at = 10; at < 20; at += 1)
      await store.apply(eventOf(order, `again ${at}`, { status: `W${at}`, received: 1 }));
    const earlier = eventOf(order, 'b', { status: 'B_NEW_WORD', received: 4 });
    const { change } = await store.apply(earlier);
    expect(change).toMatchObject(changed);
    const version = change?.version;
    expect(await store.apply(earlier)).toMatchObject({ effect: 'duplicate', change: { version, ...changed } });
    expect((await store.timeline(order)).filter(({ eventId }) => eventId === eventIdOf('b'))).toMatchObject([
      { change: { version, ...changed } },
    ]);
    expect(await store.timeline(order)).toHaveLength(12);
  });

  it('takes the first receipt of the event where the delivery says it', async () => {
    const order = newEntity();
    await applyAll(order, { a: { status: 'A_NEW_WORD', received: 5 } });
    const event = { ...eventOf(order, 'b', { status: 'B_NEW_WORD', received: 9 }), firstReceivedOn: receivedAt(4) };
    expect((await store.apply(event)).entity).toMatchObject({ status: 'A_NEW_WORD' });
  });
});

describe('applying an event to its entity', () => {
  it('makes an unknown entity known with its first event', async () => {
    const order = newEntity();
    expect(await store.read(order)).toBeUndefined();
    const entity = {
      ...order,
      version: 1,
      status: 'PENDING',
      modifiedOn: modifiedAt(1),
      transactionStatus: 'N/A',
      anomalies: [],
      toReadBack: false,
      openReportOn: undefined,
    };
    expect(await store.apply(eventOf(order, 'pending', pending))).toEqual({
      effect: 'applied',
      change: { version: 1, statusBefore: undefined, status: 'PENDING', modifiedOn: modifiedAt(1), anomalies: [] },
      entity,
      isUnshown: false,
    });
    expect(await store.read(order)).toEqual(entity);
  });

  it('gives each later change a version of its own', async () => {
    const order = newEntity();
    const results = await applyAll(order, { pending, filled, settled });
    expect(results.map(({ change }) => change)).toMatchObject([
      { version: 1, status: 'PENDING' },
      { version: 2, statusBefore: 'PENDING', status: 'FILLED' },
      { version: 3, statusBefore: 'FILLED', status: 'SETTLED' },
    ]);
    expect(await store.read(order)).toMatchObject({ status: 'SETTLED', version: 3, transactionStatus: 'COMPLETED' });
  });

  it.each([
    ['is created anew', undefined],
    ['is restored from a backup', 'pending'],
  ] as const)('continues above each former version when the row %s', async (_, restored) => {
    const order = newEntity();
    const at = (time: string) => createStore({ now: () => new Date(time) });
    store = at('2026-11-21T12:00:00.500Z');
    const results = await applyAll(order, { pending, filled });
    expect(results.map(({ change }) => change?.version)).toEqual([1_795_262_400, 1_795_262_401]);
    await deleteState(order);
    if (restored) await applyAll(order, { pending });
    store = at('2026-11-21T13:00:00Z');
    expect(await store.apply(eventOf(order, 'settled', settled))).toMatchObject({ change: { version: 1_795_266_000 } });
  });

  it('keeps two entities of one id and two kinds apart', async () => {
    const order = newEntity();
    const transfer = { ...order, kind: 'transfer' } as const;
    await applyAll(order, { pending });
    await applyAll(transfer, { processed: { status: 'PROCESSED', at: 1 } });
    expect(await store.read(order)).toMatchObject({ kind: 'order', status: 'PENDING' });
    expect(await store.read(transfer)).toMatchObject({ kind: 'transfer', status: 'PROCESSED' });
  });
});

describe('the timeline of an entity', () => {
  it('lists the events by the time of their receipt', async () => {
    const order = newEntity();
    const lines = {
      filled,
      pending,
      again: { ...filled, received: 3 },
      rejected: { status: 'REJECTED', at: 1, received: 9 },
    };
    await applyAll(order, lines);
    const entry = (name: keyof typeof lines, effect: string) => {
      const { status, at, received } = lines[name];
      return { eventId: eventIdOf(name), receivedOn: receivedAt(received), status, modifiedOn: modifiedAt(at), effect };
    };
    const change = { status: 'FILLED', modifiedOn: modifiedAt(2) };
    const anomalies = ['REJECTED → FILLED'];
    expect(await store.timeline(order)).toEqual([
      entry('pending', 'superseded'),
      { ...entry('filled', 'applied'), change: { version: 1, ...change, anomalies: [] } },
      entry('again', 'duplicate'),
      { ...entry('rejected', 'anomaly'), change: { version: 3, statusBefore: 'FILLED', ...change, anomalies } },
    ]);
  });

  it('holds the words of the platform and the time of a read', async () => {
    const person = newEntity('natural-person');
    const report = { notificationType: 'VALIDATION_ERROR', errorType: 'DUPLICATE' };
    await store.apply({ ...eventOf(person, 'refused', { received: 1 }), report });
    await store.apply(eventOf(person, 'asked', { status: 'CREATED', at: 1, received: 2, read: 5, answers: 1 }));
    expect(await store.timeline(person)).toMatchObject([
      { ...report, effect: 'applied' },
      { status: 'CREATED', readOn: '2026-11-21T10:00:05Z', effect: 'applied' },
    ]);
  });

  it('lists all events, also more than the state of an entity holds', async () => {
    const person = newEntity('natural-person');
    const lines = Array.from({ length: 30 }, (_, at) => ({
      status: at % 2 ? 'ACTIVE' : 'SUSPENDED',
      at,
      received: at,
    }));
    const results = await applyAll(person, Object.fromEntries(lines.map((line) => [`change ${line.at}`, line])));
    const timeline = await store.timeline(person);
    expect(timeline.map(({ eventId }) => eventId)).toEqual(lines.map(({ at }) => eventIdOf(`change ${at}`)));
    expect(timeline.map(({ change }) => change)).toEqual(results.map(({ change }) => change));
    expect(await store.read(person)).toMatchObject({ status: 'ACTIVE', version: 30 });
  });

  it('is empty for an entity that no event is about', async () => {
    expect(await store.timeline(newEntity())).toEqual([]);
  });
});

describe('promise 2: an event that comes again changes nothing and returns its change for publication', () => {
  it('holds for an earlier event after other changes, as its change may not have been published', async () => {
    const order = newEntity();
    const [first] = await applyAll(order, { pending, filled, settled });
    const [again] = await applyAll(order, { pending });
    expect(again).toMatchObject({ effect: 'duplicate', entity: { status: 'SETTLED', version: 3 } });
    expect(again?.change).toEqual(first?.change);
  });

  it('holds for an event so old that it has an item of its own', async () => {
    const person = newEntity('natural-person');
    const lines = Array.from({ length: 12 }, (_, at) => ({ status: at % 2 ? 'ACTIVE' : 'SUSPENDED', at }));
    const [first] = await applyAll(person, Object.fromEntries(lines.map((line) => [`change ${line.at}`, line])));
    const [again] = await applyAll(person, { 'change 0': lines[0] ?? {} });
    expect(again).toMatchObject({ effect: 'duplicate', entity: { version: 12 } });
    expect(again?.change).toEqual(first?.change);
  });

  it('returns nothing to publish for an event that changed nothing', async () => {
    const order = newEntity();
    await applyAll(order, { filled, pending });
    const [again] = await applyAll(order, { pending });
    expect(again).toMatchObject({ effect: 'duplicate', change: undefined });
  });

  it('reads a person back again after a genuine repeat of an untimed report', async () => {
    const person = newEntity('natural-person');
    const untimed = { status: 'ACTIVE', received: 1 };
    await applyAll(person, { untimed, answer: { status: 'ACTIVE', at: 1, read: 1, answers: 1 } });
    expect(await store.read(person)).toMatchObject({ status: 'ACTIVE', toReadBack: false });
    const [again] = await applyAll(person, { untimed: { ...untimed, received: 5 } });
    expect(again).toMatchObject({ effect: 'duplicate', entity: { toReadBack: true, openReportOn: receivedAt(5) } });
    expect(await effectsOf(person)).toHaveLength(2);
  });
});

describe('optimistic locking on the version of an entity', () => {
  // 50 connections that are then idle, and that the server closes after a while, must not be those of other tests.
  let many: Emulators;
  beforeEach(async () => {
    many = await startEmulators({ isOverHttp: isFullSize });
    await many.createTable('entities', tableName);
    store = createStore({ dynamodb: many.dynamodb });
  });
  afterEach(() => many.close());

  it('loses none of 50 concurrent events and gives each change a version', async () => {
    const person = newEntity('natural-person');
    const lines = Array.from({ length: 50 }, (_, at) => ({
      status: at % 2 ? 'ACTIVE' : 'SUSPENDED',
      at,
      received: at,
    }));
    const results = await Promise.all(
      lines.map((line) => applyWithRedelivery(eventOf(person, `change ${line.at}`, line))),
    );
    expect(await store.read(person)).toMatchObject({ ...shownAfter('natural-person', ...lines), status: 'ACTIVE' });
    expect(await store.timeline(person)).toHaveLength(50);
    const changes = results.flatMap(({ change }) => (change === undefined ? [] : [change]));
    expect(new Set(changes.map(({ version }) => version)).size).toBe(changes.length);
    const last = changes.toSorted((one, other) => one.version - other.version).at(-1);
    expect(last).toMatchObject({ status: 'ACTIVE', modifiedOn: modifiedAt(49) });
  });

  it('applies one event once when it comes 50 times concurrently', async () => {
    const order = newEntity();
    const results = await Promise.all(
      Array.from({ length: 50 }, () => store.apply(eventOf(order, 'pending', pending))),
    );
    expect(results.filter(({ effect }) => effect === 'applied')).toHaveLength(1);
    expect(new Set(results.map(({ change }) => JSON.stringify(change))).size).toBe(1);
    expect(await store.read(order)).toMatchObject({ version: 1 });
    expect(await effectsOf(order)).toEqual(['applied']);
  });

  it('lists an event without a change once when it comes 20 times concurrently', async () => {
    const order = newEntity();
    await applyAll(order, { filled, pending });
    const late = eventOf(order, 'late', pending);
    const results = await Promise.all(Array.from({ length: 20 }, () => store.apply(late)));
    expect(results.filter(({ effect }) => effect === 'superseded')).toHaveLength(1);
    expect(await effectsOf(order)).toHaveLength(3);
  });

  it('throws after a number of tries with growing pauses when other writers win each time', async () => {
    const order = newEntity();
    const waits: number[] = [];
    const contended = createStore({
      dynamodb: many.dynamodb,
      random: () => 1,
      wait: async (milliseconds) => {
        waits.push(milliseconds);
      },
    });
    let rival = 0;
    many.watch(async ({ when, operation }) => {
      if (when !== 'before' || operation !== 'PutItem' || rival % 2 === 1) return;
      rival += 1;
      await store.apply(eventOf(order, `rival ${rival}`, { status: 'PENDING', at: `2026-11-21T08:00:${10 + rival}Z` }));
      rival += 1;
    });
    const late = { ...filled, at: 59 };
    await expect(contended.apply(eventOf(order, 'filled', late))).rejects.toThrow(ConflictError);
    expect(waits).toEqual([20, 40, 80, 160, 320, 640, 1_000, 1_000, 1_000, 1_000, 1_000]);
    many.unwatch();
    expect(await store.apply(eventOf(order, 'filled', late))).toMatchObject({
      effect: 'applied',
      change: { status: 'FILLED' },
    });
  });
});

describe('promise 2: applying an event again after a crash between any two I/Os', () => {
  const cases = [
    {
      what: 'a known report',
      begin: newEntity,
      before: { filled, pending },
      last: { ...pending, received: 5 },
      calls: 4,
    },
    {
      what: 'a change after which the oldest event has an item of its own',
      begin: newFullPerson,
      before: {},
      last: { status: 'BLOCKED', at: 20, received: 20 },
      calls: 4,
    },
  ].flatMap(afterEachCall);

  it.each(cases)(
    'ends as without a crash: $what, ended after call $nth',
    async ({ begin, before, last, calls, nth }) => {
      const [smooth, broken] = [await begin(), await begin()];
      await applyAll(smooth, before);
      await applyAll(broken, before);
      const made = recordCalls();
      const once = await store.apply(eventOf(smooth, 'last', last));
      expect(made).toHaveLength(calls);
      onCall(nth, endFunction);
      await expect(store.apply(eventOf(broken, 'last', last))).rejects.toThrow();
      emulators.unwatch();
      const again = await store.apply(eventOf(broken, 'last', last));
      expect(again.change).toEqual(once.change);
      expect(await store.read(broken)).toEqual({ ...(await store.read(smooth)), id: broken.id });
      expect(await store.timeline(broken)).toEqual(await store.timeline(smooth));
    },
  );

  it('keeps nothing of a batch whose write another writer prevented', async () => {
    const order = newEntity();
    const ofBatch = Array.from({ length: 10 }, (_, at) =>
      eventOf(order, `report ${at}`, { status: at % 2 ? 'PENDING' : 'CREATED', at, received: at }),
    );
    let calls = 0;
    emulators.watch(async ({ when, operation }) => {
      if (when !== 'before' || operation !== 'PutItem') return;
      calls += 1;
      if (calls === 1) await store.apply(eventOf(order, 'another', { ...settled, at: 20 }));
    });
    const answerTo = await store.applyAll(ofBatch);
    const answers = await Promise.all(ofBatch.map(answerTo));
    emulators.unwatch();
    const versions = answers.map(({ change }) => change?.version);
    const timeline = await store.timeline(order);
    const shown = timeline.flatMap(({ change }) => change?.version ?? []);
    expect(timeline).toHaveLength(11);
    expect(new Set(shown).size).toBe(shown.length);
    expect(versions.filter((version) => version === 1)).toEqual([]);
  });

  it('returns a change for publication although another event came in between', async () => {
    const order = newEntity();
    onCall(2, endFunction);
    await expect(store.apply(eventOf(order, 'pending', pending))).rejects.toThrow();
    emulators.unwatch();
    await applyAll(order, { filled });
    const [again] = await applyAll(order, { pending });
    expect(again).toMatchObject({
      change: { version: 1, status: 'PENDING' },
      entity: { version: 2, status: 'FILLED' },
    });
  });

  it('applies once when the SDK itself tries again after a lost answer', async () => {
    const trying = await startEmulators({ isOverHttp: isFullSize, maxAttempts: 3 });
    try {
      const table = await trying.createTable('entities', 'entities');
      const retrying = createStore({ dynamodb: trying.dynamodb, tableName: table });
      const lost = new Set<string>();
      trying.watch(({ when, operation }) => {
        if (when !== 'after' || lost.has(operation)) return;
        lost.add(operation);
        throw new Error('The answer is lost.');
      });
      const order = newEntity();
      expect(await retrying.apply(eventOf(order, 'pending', pending))).toMatchObject({ change: { version: 1 } });
      expect(await retrying.read(order)).toMatchObject({ version: 1 });
      expect(await retrying.timeline(order)).toHaveLength(1);
      expect(lost).toEqual(new Set(['BatchGetItem', 'PutItem', 'GetItem', 'Query']));
    } finally {
      await trying.close();
    }
  });

  it('throws when DynamoDB refuses, so that nothing counts as applied', async () => {
    const elsewhere = createStore({ tableName: 'no-such-table' });
    await expect(elsewhere.apply(eventOf(newEntity(), 'pending', pending))).rejects.toThrow(
      expect.objectContaining({ name: 'ResourceNotFoundException' }),
    );
  });
});

describe('the index of due entities', () => {
  /** The lane of each entity that is due by this hour, by its key, and how long the entity waits. */
  async function dueNow() {
    const due = createDueEntities({ dynamodb: emulators.dynamodb, tableName });
    const lanes = await Promise.all(
      dueLanes.map(async (lane) => {
        const { items } = await due.list(lane, '2099-01-01T00:00:00.000Z', { from: {}, most: 1_000 });
        return items.map(({ key, since }) => [entityName(key), { lane, since }] as const);
      }),
    );
    return new Map<string, DuePlace>(lanes.flat());
  }

  it('holds a marked entity from the open report until the answer', async () => {
    const person = newEntity('natural-person');
    await applyAll(person, { created: { status: 'CREATED', at: 1 } });
    expect((await dueNow()).get(entityName(person))).toBeUndefined();
    await applyAll(person, { untimed: { status: 'ACTIVE', received: 3 } });
    expect((await dueNow()).get(entityName(person))).toMatchObject({ lane: 'marked' });
    await applyAll(person, { answer: { status: 'ACTIVE', at: 2, read: 1, answers: 3 } });
    expect((await dueNow()).get(entityName(person))).toBeUndefined();
  });

  it('holds an entity with two statuses of one instant', async () => {
    const person = newEntity('natural-person');
    await applyAll(person, { one: { status: 'ACTIVE', at: 1 }, other: { status: 'SUSPENDED', at: 1 } });
    expect((await dueNow()).get(entityName(person))).toMatchObject({ lane: 'marked' });
  });

  it('holds an order from its first report until its final status', async () => {
    const order = newEntity('order');
    await applyAll(order, { pending: { status: 'PENDING', at: 1 } });
    expect((await dueNow()).get(entityName(order))).toMatchObject({ lane: 'order' });
    await applyAll(order, { settled: { status: 'SETTLED', at: 2 } });
    expect((await dueNow()).get(entityName(order))).toBeUndefined();
  });

  it('keeps the index of 0.2.0 for a rollback', async () => {
    const person = newEntity('natural-person');
    await applyAll(person, { untimed: { status: 'ACTIVE', received: 3 } });
    const { index, partition } = entityKeys.readBack;
    const answers = await Promise.all(
      entityShards.map((shard) =>
        emulators.dynamodb.send(
          new QueryCommand({
            TableName: tableName,
            IndexName: index,
            KeyConditionExpression: `${partition} = :shard`,
            ExpressionAttributeValues: { ':shard': { S: shard } },
          }),
        ),
      ),
    );
    expect(answers.flatMap(({ Items = [] }) => Items.map(({ entity }) => entity?.S))).toContain(entityName(person));
  });

  it('spreads the entities over its shards, and lists those of all', async () => {
    const people = Array.from({ length: 64 }, () => newEntity('natural-person'));
    for (const person of people) await applyAll(person, { untimed: { received: 1 } });
    const found = await dueNow();
    for (const person of people) expect(found.get(entityName(person))).toMatchObject({ lane: 'marked' });
    const { Items = [] } = await emulators.dynamodb.send(new ScanCommand({ TableName: tableName }));
    const { partition } = entityKeys.due;
    const lanes = Items.flatMap((item) => item[partition]?.S ?? []).filter((lane) => lane.startsWith('marked'));
    expect(new Set(lanes).size).toBeGreaterThan(8);
  });

  it('keeps the place of an entity that was written since it was read', async () => {
    const due = createDueEntities({ dynamodb: emulators.dynamodb, tableName });
    const transfer = newEntity('transfer');
    const key = { kind: transfer.kind, id: transfer.id };
    await applyAll(transfer, { received: { status: 'RECEIVED', at: 1 } });
    const before = await due.load(key);
    if (before === undefined) throw new Error('The transfer is not stored.');
    const postponed = { lane: 'open', since: '2098-01-01T00:00:00.000Z' } as const;
    expect(await due.place({ key, row: before }, postponed)).toBe(true);
    expect((await dueNow()).get(entityName(transfer))).toEqual(postponed);
    // The place is no part of what the store reads: its write wins over each place that was given to the former version.
    await applyAll(transfer, { pending: { status: 'PENDING', at: 2 } });
    const written = (await dueNow()).get(entityName(transfer));
    expect(written).not.toEqual(postponed);
    expect(await due.place({ key, row: before }, postponed)).toBe(false);
    expect(await due.place({ key, row: before }, undefined)).toBe(false);
    expect((await dueNow()).get(entityName(transfer))).toEqual(written);
    expect(await store.read(transfer)).toMatchObject({ status: 'PENDING', version: 2 });
  });
});

describe('an erased entity stays erased', () => {
  const untimed = { received: 7 };

  it('leaves no state, no timeline and no other item in the table', async () => {
    const person = newEntity('natural-person');
    const lines = Array.from({ length: 12 }, (_, at) => ({ status: at % 2 ? 'ACTIVE' : 'SUSPENDED', at }));
    await applyAll(person, Object.fromEntries(lines.map((line) => [`change ${line.at}`, line])));
    await store.erase(person, eraseEvents);
    expect(await store.read(person)).toBeUndefined();
    expect(await store.timeline(person)).toEqual([]);
    expect(erasedEvents).toEqual(new Set(lines.map(({ at }) => eventIdOf(`change ${at}`))));
    expect(await itemsOf(person)).toEqual([
      {
        entity: { S: `natural-person#${person.id}` },
        item: { S: 'state' },
        version: { N: '13' },
        erasedOn: { S: '1970-01-01T00:00:00.000Z' },
      },
    ]);
  });

  it.each([
    ['an event that comes again', { status: 'ACTIVE', at: 1 }],
    ['a late event', { status: 'BLOCKED', at: 9 }],
    ['a report that would mark it as to be read back', untimed],
  ])('does not come back by %s', async (_, late) => {
    const person = newEntity('natural-person');
    await applyAll(person, { first: { status: 'ACTIVE', at: 1 } });
    await store.erase(person, eraseEvents);
    expect(await applyAll(person, { first: late, late })).toEqual(
      new Array(2).fill({ effect: 'erased', change: undefined, entity: undefined, isUnshown: false }),
    );
    expect(await itemsOf(person)).toHaveLength(1);
  });

  it('stays unknown when it was erased before its first event', async () => {
    const person = newEntity('natural-person');
    await store.erase(person, eraseEvents);
    expect((await applyAll(person, { first: { status: 'ACTIVE', at: 1 } }))[0]).toMatchObject({ effect: 'erased' });
    expect(await store.read(person)).toBeUndefined();
  });

  it('keeps its first tombstone when it is erased twice', async () => {
    const person = newEntity('natural-person');
    await store.erase(person, eraseEvents);
    await createStore({ now: () => new Date('2027-01-01T00:00:00Z') }).erase(person, eraseEvents);
    expect(await itemsOf(person)).toMatchObject([{ erasedOn: { S: '1970-01-01T00:00:00.000Z' } }]);
  });

  const meanwhile = [
    { what: 'a change, with an item for the oldest event', last: { status: 'BLOCKED', at: 30 }, calls: 4 },
    { what: 'a known report', last: { status: 'ACTIVE', at: 1, received: 20 }, calls: 4 },
    { what: 'an event that comes again and says something new', last: untimed, calls: 4 },
  ].flatMap(afterEachCall);

  it.each(meanwhile)('stays erased when it is erased during a write: $what, after call $nth', async ({ last, nth }) => {
    const person = await newFullPerson();
    const timeline = await store.timeline(person);
    onCall(nth, () => store.erase(person, eraseEvents));
    const { effect } = await store.apply(eventOf(person, 'last', last));
    emulators.unwatch();
    expect(await store.read(person)).toBeUndefined();
    expect(await itemsOf(person)).toHaveLength(1);
    for (const { eventId } of timeline) expect(erasedEvents).toContain(eventId);
    // Either who erases is reported of the event, or who applies it.
    expect(erasedEvents.has(eventIdOf('last')) || effect === 'erased').toBe(true);
  });

  it.each(meanwhile)(
    'stays erased when the event is applied again after an erasure and an end: $what, after call $nth',
    async ({ last, nth }) => {
      const person = await newFullPerson();
      onCall(nth, async () => {
        await store.erase(person, eraseEvents);
        await endFunction();
      });
      await expect(store.apply(eventOf(person, 'last', last))).rejects.toThrow();
      emulators.unwatch();
      expect(await store.apply(eventOf(person, 'last', last))).toMatchObject({ effect: 'erased' });
      expect(await itemsOf(person)).toHaveLength(1);
    },
  );

  it.each([1, 2, 3, 4, 5, 6])('is erased by two runs when the first ends after call %i', async (nth) => {
    const person = await newFullPerson();
    const timeline = await store.timeline(person);
    onCall(nth, endFunction);
    await store.erase(person, eraseEvents).catch(() => undefined);
    emulators.unwatch();
    await store.erase(person, eraseEvents);
    for (const { eventId } of timeline) expect(erasedEvents).toContain(eventId);
    expect(await itemsOf(person)).toHaveLength(1);
  });

  async function itemsOf({ kind, id }: Entity) {
    const { Items = [] } = await emulators.dynamodb.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: `${entityKeys.partition} = :entity`,
        ExpressionAttributeValues: { ':entity': { S: `${kind}#${id}` } },
      }),
    );
    return Items;
  }
});
