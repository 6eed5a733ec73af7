import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usualLanes } from '#shared/aws/list/lanes.ts';
import type { Position } from '#shared/aws/list/read-list.ts';
import { createListEntities, type EntityFilter } from '#shared/entities/entity-list.ts';
import { createEntityStore } from '#shared/entities/entity-store.ts';
import { entityRules, rulesWith } from '#shared/entities/statuses/entity-rules.ts';
import { isFullSize } from '#test/full-size.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';

/** Lanes that a setting has added. */
const moreLanes = 21;

const start = Date.parse('2026-02-01T00:00:00Z');
let emulators: Emulators;
let tables = 0;

beforeAll(async () => {
  emulators = await startEmulators({ isOverHttp: isFullSize });
});
afterAll(() => emulators.close());

/** A table of its own: a list shows all that is in a table. */
async function newTable({ isListed = true } = {}) {
  tables += 1;
  const tableName = await emulators.createTable('entities', `entities-${tables}`);
  const { dynamodb } = emulators;
  let time = new Date(start);
  let events = 0;
  const storeOf = (listLanes: number) =>
    createEntityStore({
      dynamodb,
      tableName,
      rules: entityRules,
      listLanes: isListed ? listLanes : undefined,
      now: () => time,
      random: Math.random,
      wait,
    });

  /** An order has this status from so many milliseconds after the start. */
  async function report(id: string, status: string, at: number, lanes = usualLanes): Promise<void> {
    events += 1;
    time = new Date(start + at);
    const eventId = createHash('sha256').update(String(events)).digest('hex');
    const modifiedOn = new Date(start + events).toISOString();
    await storeOf(lanes).apply({
      kind: 'order',
      id,
      eventId,
      receivedOn: time.toISOString(),
      report: { status, modifiedOn },
    });
  }

  async function walk(filter: EntityFilter = {}, { limit = 3, rules = entityRules } = {}) {
    const list = createListEntities({ dynamodb, tableName, rules, readLanes: async () => moreLanes });
    const found: { readonly id: string; readonly status: string | undefined; readonly changedOn: string }[] = [];
    let after: Position | undefined;
    do {
      const { rows, next } = await list({ kind: 'order', filter, limit, after });
      found.push(...rows);
      after = next;
    } while (after !== undefined);
    return found;
  }

  return { store: storeOf(usualLanes), report, walk };
}

const idsOf = (entities: readonly { readonly id: string }[]) => entities.map(({ id }) => id);

describe('the list of entities', () => {
  it('lists each order once, the latest change of a status first, for all statuses, page sizes and lanes', async () => {
    const orders = fc.array(
      fc.record({
        status: fc.constantFrom('PENDING', 'FILLED', 'NEW_WORD'),
        at: fc.integer({ min: 0, max: 5 }),
        lanes: fc.constantFrom(usualLanes, moreLanes),
      }),
      { maxLength: 15 },
    );
    await fc.assert(
      fc.asyncProperty(orders, fc.integer({ min: 1, max: 5 }), async (some, limit) => {
        const { report, walk } = await newTable();
        const named = some.map((order, index) => ({ ...order, id: `order-${index}` }));
        for (const { id, status, at, lanes } of named) await report(id, status, at, lanes);
        const inOrder = named.toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1));
        expect(idsOf(await walk({}, { limit }))).toEqual(idsOf(inOrder));
        for (const status of ['FILLED', 'NEW_WORD'])
          expect(idsOf(await walk({ status }, { limit }))).toEqual(
            idsOf(inOrder.filter((order) => order.status === status)),
          );
      }),
      { numRuns: 15 },
    );
  });

  it('keeps the place of an order whose status stays, and moves an order whose status changes', async () => {
    const { report, walk } = await newTable();
    await report('a', 'PENDING', 1);
    await report('b', 'PENDING', 2);
    await report('a', 'PENDING', 3);
    expect(idsOf(await walk({ status: 'PENDING' }))).toEqual(['b', 'a']);
    await report('a', 'FILLED', 4);
    expect(await walk({ status: 'FILLED' })).toEqual([
      { kind: 'order', id: 'a', status: 'FILLED', changedOn: new Date(start + 4).toISOString() },
    ]);
    expect(idsOf(await walk({ status: 'PENDING' }))).toEqual(['b']);
  });

  it('finds an order whose status the environment declared later', async () => {
    const { report, walk } = await newTable();
    await report('a', 'NEW_WORD', 1);
    const declared = { status: 'NEW_WORD', after: 'PENDING', final: false, from: ['PENDING'], to: ['FILLED'] };
    expect(idsOf(await walk({ status: 'NEW_WORD' }, { rules: rulesWith({ order: [declared] }) }))).toEqual(['a']);
  });

  it('has no erased order, and no order of an environment that keeps no list', async () => {
    const { report, walk, store } = await newTable();
    await report('a', 'PENDING', 1);
    await store.erase({ kind: 'order', id: 'a' }, async () => undefined);
    expect(await walk()).toEqual([]);
    const unlisted = await newTable({ isListed: false });
    await unlisted.report('a', 'PENDING', 1);
    expect(await unlisted.walk()).toEqual([]);
  });
});
