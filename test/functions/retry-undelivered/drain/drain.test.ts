import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { drainInterval } from '#infra/retry-undelivered/drain.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { reserveMs } from '#shared/lambda/handler.ts';
import { PlatformHttpError, PlatformPagingError } from '#shared/platform/client/errors.ts';
import { deployedStack, resourcesOf } from '#test/infra/deployed-stack.ts';
import {
  type Added,
  createDrainWorld,
  type DrainWorld,
  eventType,
  type Gate,
  type Moment,
  secret,
  webhooksUrl,
} from './drain-world.ts';
import { cursorKinds, listEnds, listOrders } from './model-platform.ts';

const minute = 60_000;
const eventIdsOf = (added: readonly Added[]) => added.map(({ eventId }) => eventId).toSorted();

/** Breaks the connection at this moment of a call, the nth time. */
function failOnce(world: DrainWorld, { when, operation, nth = 1 }: Moment & { readonly nth?: number }): void {
  let seen = 0;
  world.watch((moment) => {
    if (moment.when !== when || moment.operation !== operation) return;
    seen += 1;
    if (seen === nth) throw new Error('The connection breaks.');
  });
}

/** The platform answers so many pages after the first with this status. */
function refuseCursors({ platform }: DrainWorld, status: number, times: number): void {
  let left = times;
  platform.intercept((request) => {
    if (left === 0 || !request.url.includes('cursor')) return undefined;
    left -= 1;
    return Response.json({ message: 'no such cursor' }, { status });
  });
}

function refuseMarks({ platform }: DrainWorld, status = 404): void {
  platform.intercept(({ method }) => (method === 'POST' ? Response.json({}, { status }) : undefined));
}

describe('a drain that nothing hinders', () => {
  // The properties have every combination.
  const kinds = listOrders.map((order, index) => ({
    order,
    cursors: cursorKinds[index % cursorKinds.length] ?? 'keyset',
    end: listEnds[index % listEnds.length] ?? 'null',
  }));

  it.each(kinds)(
    'stores each record once, hands it over, and marks all of them in the next run: order $order, cursor $cursors, end $end',
    async (kind) => {
      const world = createDrainWorld(kind);
      const added = world.addMany(14);
      await world.runs(1);
      expect(world.marks).toEqual([]);
      await world.runs(1);
      expect(world.platform.records()).toEqual([]);
      expect(world.marks).toEqual([added.at(-1)?.id]);
      // Five pages, twice.
      expect(world.lists).toHaveLength(10);
      expect(world.deliveries(added)).toEqual(added.map(() => 1));
      expect(world.handedOver()).toEqual(eventIdsOf(added));
    },
  );

  it('marks a record once it has been listed for as long as the profile says', async () => {
    const world = createDrainWorld({ settle: 20_000 });
    const { id } = world.add();
    await world.run();
    world.clock.time += 19_999;
    await world.run();
    expect(world.marks).toEqual([]);
    world.clock.time += 1;
    await world.run();
    expect(world.marks).toEqual([id]);
  });

  it('marks the records of one createdOn one by one where the platform marks no more', async () => {
    const world = createDrainWorld({ ties: 'none', pageSize: 4 });
    for (let count = 0; count < 9; count += 1) world.add({}, '2026-01-02T03:00:00.000Z');
    await world.runs(2);
    expect(world.platform.records()).toEqual([]);
    expect(world.marks).toHaveLength(9);
  });
});

describe('a run with metrics', () => {
  const nothingAmiss = {
    UndeliveredMarksRefused: 0,
    UndeliveredForeign: 0,
    UndeliveredBehindForeign: 0,
    UndeliveredUntimed: 0,
    UndeliveredUnstored: 0,
  };

  it('counts what each run found, stored, quarantined and marked, and measures the age of the oldest record', async () => {
    const world = createDrainWorld();
    world.add();
    world.add({ body: 'no JSON' });
    world.clock.time += 90_000;
    await world.run();
    const found = { UndeliveredFound: 2, UndeliveredNow: 2, ...nothingAmiss };
    expect(world.counted()).toEqual({
      ...found,
      EventsStored: 2,
      EventsQuarantined: 1,
      UndeliveredDrained: 2,
      UndeliveredQuarantined: 1,
      OldestUndeliveredAge: 91,
    });
    world.clock.time += 300_000;
    await world.run();
    expect(world.counted()).toEqual({ ...found, UndeliveredNow: 0, UndeliveredMarked: 2, OldestUndeliveredAge: 391 });
    await world.run();
    expect(world.counted()).toEqual({
      UndeliveredFound: 0,
      UndeliveredNow: 0,
      OldestUndeliveredAge: 0,
      ...nothingAmiss,
    });
  });

  it('measures what it has listed and could not store, until a run stores it', async () => {
    const world = createDrainWorld();
    world.add();
    world.add();
    failOnce(world, { when: 'before', operation: 'SendMessageBatch' });
    await world.run().catch(() => undefined);
    expect(world.counted()).toMatchObject({ UndeliveredUnstored: 2 });
    await world.run();
    expect(world.counted()).toMatchObject({ UndeliveredUnstored: 0, UndeliveredNow: 2 });
  });

  it('measures no age below 0 when the clock of the platform is ahead', async () => {
    const world = createDrainWorld({ skew: -600_000 });
    world.add();
    await world.run();
    expect(world.counted()).toMatchObject({ OldestUndeliveredAge: 0 });
  });

  it('counts a record that appears after a newer one was marked, and logs none of its content', async () => {
    const world = createDrainWorld();
    const body = '{"name":"Erika Mustermann"}';
    world.add({ body });
    world.add();
    await world.runs(2);
    world.counted();
    // Of an event that is known: the delivery still counts as a new one.
    const late = world.add({ body }, '2026-01-02T03:04:05.500Z');
    await world.run();
    expect(world.counted()).toMatchObject({ UndeliveredLate: 1, UndeliveredDrained: 1 });
    expect(world.deliveries([late])).toEqual([2]);
    expect(world.lines.text()).toContain('older than a mark');
    expect(world.lines.text()).not.toContain('Mustermann');
  });
});

describe('a record of the list', () => {
  it('takes effect, and raises no mark, when its createdOn cannot be read', async () => {
    const world = createDrainWorld();
    const first = world.add();
    const untimed = world.add({ createdOn: 'yesterday' });
    await world.runs(2);
    expect(world.handedOver()).toEqual(eventIdsOf([first, untimed]));
    expect(world.deliveries([untimed])).toEqual([1]);
    expect(world.marks).toEqual([first.id]);
  });

  it('takes effect, and is marked, when its body has a local time from before the zone had standard time', async () => {
    const world = createDrainWorld({ times: { zone: 'Europe/Vienna' } });
    const type = 'TRANSFER_NOTIFICATION';
    const body = '{"transferId":"transfer-1","status":"PROCESSED","modifiedOn":"0001-01-01T00:00:00"}';
    world.add({ body, webhook: { eventType: type, url: `${webhooksUrl}/${type}` } });
    const last = world.add();
    await world.runs(2);
    expect(world.handedOver()).toHaveLength(2);
    expect(world.marks).toEqual([last.id]);
    expect(world.platform.records()).toEqual([]);
  });

  it('is counted while the list has it without a time that can be read', async () => {
    const world = createDrainWorld({ pageSize: 2 });
    const untimed = [1, 2, 3].map(() => world.add({ createdOn: '2026-01-02T03:04:06' }));
    await world.runs(1);
    expect(world.counted()).toMatchObject({ UndeliveredUntimed: 3, UndeliveredNow: 0 });
    expect(world.lines.text()).toMatch(/"found undelivered webhooks without a time".*"size":3\}/);
    // The value stands until a run has come to the end of the list.
    world.platform.intercept(() => new Response(null, { status: 500 }));
    await expect(world.run()).rejects.toThrow();
    expect(world.counted()).toMatchObject({ UndeliveredUntimed: 3 });
    world.platform.intercept(() => undefined);
    // A mark of a newer record takes them along.
    world.add();
    await world.runs(3);
    expect(world.counted()).toMatchObject({ UndeliveredUntimed: 0 });
    expect(world.deliveries(untimed)).toEqual([1, 1, 1]);
  });

  it('is not marked when the list starts over with new cursors, and each run fails', async () => {
    const world = createDrainWorld();
    const added = world.addMany(2);
    const data = world.platform.records().map(({ shown }) => shown);
    let page = 0;
    world.platform.intercept(({ method }) => {
      page += 1;
      return method === 'GET' ? Response.json({ data, pagination: { cursor: `${page}`, limit: 3 } }) : undefined;
    });
    for (let run = 0; run < 4; run += 1) await expect(world.run()).rejects.toBeInstanceOf(PlatformPagingError);
    expect(page).toBeLessThan(100);
    expect(world.deliveries(added)).toEqual([1, 1]);
    expect(world.marks).toEqual([]);
  });

  it('is stored in quarantine once, and does not block the others, when it is malformed', async () => {
    const world = createDrainWorld();
    const others = [world.add(), world.add()];
    world.add({ body: null, name: 'Erika Mustermann' }, others[0]?.createdOn);
    const malformed = world.platform.records().at(-1);
    await world.runs(1);
    expect(world.counted()).toMatchObject({ UndeliveredDrained: 3, UndeliveredQuarantined: 1, EventsQuarantined: 1 });
    const [eventId = ''] = world.handedOver().filter((id) => !eventIdsOf(others).includes(id));
    const row = world.row(eventId);
    expect(row).toMatchObject({ quarantineReason: 'UNDELIVERED_WITHOUT_BODY', deliveries: 1 });
    expect(row && Buffer.from(inflateBody(row.deflatedBody)).toString()).toBe(JSON.stringify(malformed?.shown));
    await world.runs(1);
    expect(world.platform.records()).toEqual([]);
    expect(world.row(eventId)).toEqual(row);
    expect(world.handedOver()).toEqual([]);
    expect(world.lines.text()).not.toContain('Mustermann');
  });

  it('is another delivery of an event that has the same content', async () => {
    const world = createDrainWorld();
    const added = world.add({ body: '{"serial":"same","amount":1.0}' });
    world.add({ body: ' { "amount" : 1, "serial":"s\\u0061me" }\n' });
    await world.runs(1);
    expect(world.deliveries([added])).toEqual([2]);
    expect(world.counted()).toMatchObject({ EventsStored: 1, DuplicateDeliveries: 1, UndeliveredDrained: 2 });
    expect(world.handedOver()).toEqual([added.eventId]);
  });
});

describe('a full page without a cursor', () => {
  type Shape = (data: readonly unknown[], cursor: string, limit: number) => unknown;

  /** Newest first, in the shape of the platform. */
  function answerIn(world: DrainWorld, shape: Shape): void {
    world.platform.intercept(({ method, url }) => {
      const { searchParams } = new URL(url);
      const limit = Number(searchParams.get('limit'));
      const from = Number(searchParams.get('cursor') ?? 0);
      const all = world.platform.records().toReversed();
      const data = all.slice(from, from + limit).map(({ shown }) => shown);
      const cursor = from + limit < all.length ? String(from + limit) : '';
      return method === 'GET' ? Response.json(shape(data, cursor, limit)) : undefined;
    });
  }

  it.each<readonly [string, Shape]>([
    ['beside the data', (data, cursor, limit) => ({ data, cursor, limit })],
    ['in another field', (data, nextCursor, limit) => ({ data, pagination: { nextCursor, limit } })],
    ['in no field', (data) => ({ data })],
    ['in a header', (data) => data],
    ['in another field of pages of a size of their own', (data, next) => ({ data: data.slice(0, 1), next, limit: 1 })],
  ])('marks nothing and fails where the cursor is %s, and stores what is listed', async (_, shape) => {
    const world = createDrainWorld({ pageSize: 2 });
    const added = world.addMany(6);
    answerIn(world, shape);
    for (let run = 0; run < 4; run += 1) {
      await expect(world.run()).rejects.toMatchObject({ code: 'EndOfListError' });
      world.clock.time += minute;
    }
    expect(world.marks).toEqual([]);
    expect(world.platform.records()).toHaveLength(6);
    expect(world.deliveries(added.slice(-1))).toEqual([1]);
    // Once the cursor can be read, all are marked.
    world.platform.intercept(() => undefined);
    await world.runs(2);
    expect(world.marks).toEqual([added.at(-1)?.id]);
    expect(world.deliveries(added)).toEqual(added.map(() => 1));
  });

  it('is the end where it holds fewer records than a page may have', async () => {
    const world = createDrainWorld({ pageSize: 3 });
    world.addMany(2);
    answerIn(world, (data, cursor, limit) => ({ data, cursor, limit }));
    await world.runs(2);
    expect(world.platform.records()).toEqual([]);
    expect(world.lists).toEqual([null, null]);
  });

  it.each([
    [1, 1],
    [3, 3],
    [3, 6],
  ])('is the end where the platform has cursors: a page size of %i, %i records', async (pageSize, count) => {
    const world = createDrainWorld({ pageSize, end: 'absent' });
    const added = world.addMany(count);
    await world.runs(2);
    expect(world.marks).toEqual([added.at(-1)?.id]);
    expect(world.platform.records()).toEqual([]);
  });

  it('is the end where a bare list has no pages, however long the list is', async () => {
    for (const count of [2, 3, 4]) {
      const world = createDrainWorld({ pageSize: 3 });
      world.addMany(count);
      world.platform.intercept(({ method }) =>
        method === 'GET' ? Response.json(world.platform.records().map(({ shown }) => shown)) : undefined,
      );
      await world.runs(2);
      expect(world.platform.records()).toEqual([]);
    }
  });
});

describe('the hand-over of a record', () => {
  /** In turns of the event loop, and not in milliseconds: another process may keep the machine busy. */
  async function passTurns(count: number): Promise<void> {
    for (let turn = 0; turn < count; turn += 1) await setImmediate();
  }

  it('happens once, and not in each run while the platform refuses the marks', async () => {
    const world = createDrainWorld();
    const added = [...world.addMany(6), world.add({ id: 'no UUID' })];
    refuseMarks(world);
    await world.runs(1);
    expect(world.handedOver()).toEqual(eventIdsOf(added));
    await world.runs(3);
    expect(world.handedOver()).toEqual([]);
    expect(world.deliveries(added)).toEqual(added.map(() => 1));
  });

  it('happens once when an event has more records than it remembers', async () => {
    const world = createDrainWorld({ pageSize: 50 });
    const body = '{"serial":"same"}';
    const { eventId } = world.add({ body });
    refuseMarks(world);
    for (let count = 1; count < 250; count += 1) world.add({ body });
    await world.runs(3);
    world.handedOver();
    await world.runs(2);
    expect(world.handedOver()).toEqual([]);
    world.add({ body });
    await world.runs(3);
    expect(world.handedOver()).toEqual([eventId]);
  });

  it('happens once when the record moves to the next page while its page is stored', async () => {
    const world = createDrainWorld({ cursors: 'offset', order: 'descending' });
    const added = world.addMany(5);
    const secondPage = Promise.withResolvers<void>();
    world.watch(({ when, operation }) => {
      if (when === 'before' && operation === 'SendMessageBatch') return secondPage.promise;
      if (when === 'before' || operation !== 'list') return undefined;
      // The last record of the first page is the first of the second one, too.
      if (world.lists.length === 1) world.add();
      // So long the second page could do without the first.
      else secondPage.resolve(passTurns(200));
      return undefined;
    });
    await world.run();
    expect(world.handedOver()).toEqual(eventIdsOf(added));
  });

  it('happens again when a run ends between the confirmation of SQS and the note', async () => {
    const world = createDrainWorld();
    const { eventId } = world.add();
    // The first update commits the event.
    failOnce(world, { when: 'before', operation: 'UpdateItem', nth: 2 });
    await expect(world.run()).rejects.toThrow('The connection breaks.');
    await world.runs(1);
    expect(world.handedOver()).toEqual([eventId, eventId]);
    await world.runs(1);
    expect(world.handedOver()).toEqual([]);
  });

  it('is noted once SQS has confirmed it, and not before, when SQS refuses another message of the page', async () => {
    const world = createDrainWorld();
    const [refused, confirmed] = [world.add(), world.add()];
    world.refuseMessagesOf(refused.eventId);
    await expect(world.run()).rejects.toThrow('SQS did not take every message');
    expect(world.row(refused.eventId)).toMatchObject({ deliveries: 1, handedOver: undefined });
    expect(world.handedOver()).toEqual([confirmed.eventId]);
    world.refuseMessagesOf(undefined);
    await world.runs(1);
    expect(world.handedOver()).toEqual([refused.eventId]);
  });

  it('happens again when the event has expired, which DynamoDB deletes days later', async () => {
    const world = createDrainWorld();
    const { eventId } = world.add();
    refuseMarks(world);
    await world.runs(2);
    world.handedOver();
    world.clock.time += 31 * 24 * 3_600_000;
    await world.run();
    expect(world.handedOver()).toEqual([eventId]);
  });

  it('leaves an event in quarantine that would be judged otherwise now', async () => {
    const world = createDrainWorld();
    const { eventId } = world.add();
    await world.run();
    world.handedOver();
    await world.eventStore.quarantine(eventId, 'UNKNOWN_EVENT_TYPE');
    await world.run();
    expect(world.handedOver()).toEqual([]);
    expect(world.row(eventId)).toMatchObject({ quarantineReason: 'UNKNOWN_EVENT_TYPE' });
  });
});

describe('a mark', () => {
  /** The answer of the first mark is lost, after it had its effect. */
  async function loseAnswer(world: DrainWorld): Promise<void> {
    await world.runs(1);
    world.watch(({ when, operation }) => {
      if (operation === 'mark' && when === 'after') throw new Error('The answer is lost.');
    });
    await expect(world.run()).rejects.toThrow('Mark webhooks delivered');
    world.watch(() => undefined);
    world.clock.time += minute;
  }

  it.each([400, 404] as const)(
    'is done when its answer was lost and the platform answers %i to the next attempt',
    async (unknownMark) => {
      const world = createDrainWorld({ unknownMark });
      world.addMany(2);
      await loseAnswer(world);
      const later = world.add();
      await world.runs(3);
      expect(world.platform.records()).toEqual([]);
      expect(world.deliveries([later])).toEqual([1]);
    },
  );

  it.each([400, 403, 404, 405, 409, 410, 422])(
    'is not sent again in the same run after a refusal with %i',
    async (status) => {
      const world = createDrainWorld();
      world.addMany(2);
      await world.runs(1);
      refuseMarks(world, status);
      await world.runs(1);
      expect(world.marks).toHaveLength(1);
      expect(world.lines.objects()).toContainEqual(
        expect.objectContaining({ message: 'mark refused', path: '/webhooks-undelivered/mark-delivered', size: 2 }),
      );
    },
  );

  it.each([401, 408, 429, 500, 503])(
    'is sent again before any other after an answer %i, and what there is is stored meanwhile',
    async (status) => {
      const world = createDrainWorld();
      const first = world.add();
      await world.runs(1);
      refuseMarks(world, status);
      await expect(world.run()).rejects.toThrow('Mark webhooks delivered');
      const later = world.add();
      for (let runs = 0; runs < 2; runs += 1) {
        world.clock.time += minute;
        await expect(world.run()).rejects.toThrow('Mark webhooks delivered');
      }
      expect(world.deliveries([later])).toEqual([1]);
      expect(new Set(world.marks)).toEqual(new Set([first.id]));
      world.platform.intercept(() => undefined);
      await world.runs(3);
      expect(world.platform.records()).toEqual([]);
    },
  );

  it('is counted with each refusal, crosses the threshold of the alarm within minutes, and is forgotten after the next mark', async () => {
    const alarm = resourcesOf(deployedStack('service'), 'AWS::CloudWatch::Alarm').find(
      ({ Properties }) => Properties['MetricName'] === 'UndeliveredMarksRefused',
    );
    const { Threshold: threshold } = z.object({ Threshold: z.number() }).parse(alarm?.Properties);
    const world = createDrainWorld();
    world.addMany(2);
    refuseMarks(world);
    const measured: unknown[] = [];
    for (let run = 0; run < 5; run += 1) {
      await world.runs(1);
      measured.push(world.counted()['UndeliveredMarksRefused']);
    }
    expect(measured).toEqual([0, 1, 2, 3, 4]);
    expect(threshold).toBeLessThan(4);
    world.platform.intercept(() => undefined);
    await world.runs(1);
    expect(world.counted()).toMatchObject({ UndeliveredMarksRefused: 0, UndeliveredMarked: 2 });
  });
});

describe('a run that ends early', () => {
  it('is continued with the page after the last one that was saved, and does not wait for a call that hangs', async () => {
    const world = createDrainWorld();
    world.addMany(10);
    const stop = new AbortController();
    let saved = 0;
    world.watch(({ when, operation }) => {
      if (operation === 'PutItem' && when === 'after') saved += 1;
      if (saved < 2) return undefined;
      stop.abort();
      return new Promise(() => undefined);
    });
    await world.run({ stop: stop.signal });
    expect(world.lines.text()).toContain('drain paused at its time limit');
    const [, , third] = world.lists.splice(0);
    world.watch(() => undefined);
    await world.run();
    expect(world.lists).toEqual([third, expect.any(String)]);
  });

  it('ends without an error when another run continues', async () => {
    const world = createDrainWorld({ cursors: 'offset' });
    const added = world.addMany(10);
    for (let rounds = 0; rounds < 4; rounds += 1) {
      await Promise.all([world.run(), world.run(), world.run()]);
      world.clock.time += minute;
    }
    expect(world.platform.records()).toEqual([]);
    expect(world.deliveries(added)).toEqual(added.map(() => 1));
    expect(world.lines.text()).toContain('another run continues');
  });
});

describe('a cursor that the platform does not take', () => {
  it('has the same run start over when the cursor is of an earlier run', async () => {
    const world = createDrainWorld();
    const added = world.addMany(8);
    const stop = new AbortController();
    world.watch(({ when, operation }) => void (when === 'after' && operation === 'PutItem' && stop.abort()));
    await world.run({ stop: stop.signal });
    world.watch(() => undefined);
    refuseCursors(world, 400, 1);
    world.lists.splice(0);
    await world.runs(1);
    expect(world.lists.slice(0, 2)).toEqual([expect.any(String), null]);
    await world.runs(1);
    expect(world.platform.records()).toEqual([]);
    expect(world.deliveries(added)).toEqual(added.map(() => 1));
  });

  it('fails the run when the cursor is of the page before, after one more attempt', async () => {
    const world = createDrainWorld();
    world.addMany(8);
    refuseCursors(world, 410, 100);
    await expect(world.run()).rejects.toThrow('refused the cursor');
    expect(world.lists.filter((cursor) => cursor !== null)).toHaveLength(2);
    expect(world.marks).toEqual([]);
  });

  it('has the walk start over after three runs that failed at it with 500', async () => {
    const world = createDrainWorld();
    world.addMany(8);
    refuseCursors(world, 500, 100);
    for (let runs = 0; runs < 3; runs += 1) await expect(world.run()).rejects.toThrow(PlatformHttpError);
    refuseCursors(world, 500, 0);
    world.lists.splice(0);
    await world.run();
    expect(world.lists[0]).toBeNull();
  });

  it('is not stored when it is too long for a row: its page is stored, nothing is marked, and the error says what to do', async () => {
    const world = createDrainWorld();
    const added = world.addMany(3);
    const cursor = 'x'.repeat(500_000);
    world.platform.intercept(({ method }) =>
      method === 'GET'
        ? Response.json({ data: world.platform.records().map(({ shown }) => shown), pagination: { cursor } })
        : undefined,
    );
    for (let runs = 0; runs < 2; runs += 1)
      await expect(world.run()).rejects.toThrow(/gave a cursor that is not a Unicode .*: ask the platform's support/);
    expect(world.deliveries(added)).toEqual([1, 1, 1]);
    expect(world.marks).toEqual([]);
    world.platform.intercept(() => undefined);
    await world.runs(2);
    expect(world.platform.records()).toEqual([]);
  });
});

/** In milliseconds: how long calls take. A page is committed in less time than the next page is listed. */
const durations = { list: 500, aws: 60 };

/** Runs in virtual time, in which calls take their durations concurrently. */
function createTimeline({ clock, run }: DrainWorld) {
  const pending = new Set<{ readonly at: number; readonly resume: () => void }>();

  function sleep(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    pending.add({ at: clock.time + milliseconds, resume: resolve });
    return promise;
  }

  const gate: Gate = async ({ operation, perform }) => {
    await sleep(operation === 'list' || operation === 'mark' ? durations.list : durations.aws);
    return perform();
  };

  return {
    run: (stop = new AbortController()) => run({ stop: stop.signal, gate }),
    sleep,
    /** Lets the time pass until then. */
    until: async (end: Promise<unknown>) => {
      let isOver = false;
      void end.finally(() => {
        isOver = true;
      });
      while (!isOver) {
        // What needs no time comes first.
        for (let turn = 0; turn < 3; turn += 1) await setImmediate();
        const [next] = [...pending].toSorted((one, other) => one.at - other.at);
        if (isOver || next === undefined) continue;
        pending.delete(next);
        clock.time = Math.max(clock.time, next.at);
        next.resume();
      }
      await end;
    },
  };
}

describe('the pace of a drain', () => {
  it('is that of the list: storing all pages takes at most a tenth longer than listing them one after the other', async () => {
    const world = createDrainWorld({ pageSize: 20 });
    const added = world.addMany(20 * 30);
    const { run, until } = createTimeline(world);
    const start = world.clock.time;
    await until(run());
    expect(world.lists).toHaveLength(30);
    expect(world.handedOver()).toEqual(eventIdsOf(added));
    expect(world.clock.time - start).toBeLessThan(1.1 * 30 * durations.list);
  });

  it('is at least 90% of that of the list over the runs of the schedule, whose pauses it includes', async () => {
    const world = createDrainWorld({ pageSize: 2 });
    world.addMany(600);
    const { run, sleep, until } = createTimeline(world);
    const interval = drainInterval.toMilliseconds();
    for (let runs = 0; runs < 2; runs += 1) {
      const stop = new AbortController();
      const next = sleep(interval);
      void sleep(interval - reserveMs).then(() => stop.abort());
      await until(Promise.all([run(stop), next]));
    }
    const listable = (2 * 2 * interval) / durations.list;
    const stored = world.handedOver().length;
    expect(stored).toBeGreaterThan(0.9 * listable);
    expect(stored).toBeLessThanOrEqual(listable);
  });

  it('stays when a run overlaps the next one: the earlier run ends, and the later one continues with its pages', async () => {
    const world = createDrainWorld({ pageSize: 2 });
    const added = world.addMany(60);
    const { run, sleep, until } = createTimeline(world);
    const earlier = run();
    await until(sleep(5 * durations.list));
    const later = run();
    await until(earlier);
    const listed = world.lists.length;
    await until(later);
    expect(world.lines.text().match(/another run continues/g)).toHaveLength(1);
    expect(listed).toBeLessThan(15);
    expect(world.lists.length).toBeLessThan(30 + 6);
    expect(world.deliveries(added)).toEqual(added.map(() => 1));
  });
});

describe('a drain of several pages', () => {
  it('stores three pages and at most 48 events at the same time, and reads at most one page ahead', async () => {
    const world = createDrainWorld({ pageSize: 60 });
    world.addMany(360);
    let [writing, mostWriting] = [0, 0];
    let [read, saved, mostAhead] = [0, 0, 0];
    world.watch(({ when, operation }) => {
      if (operation === 'UpdateItem') writing += when === 'before' ? 1 : -1;
      if (operation === 'list' && when === 'after') read += 1;
      if (operation === 'PutItem' && when === 'before') saved += 1;
      mostWriting = Math.max(mostWriting, writing);
      mostAhead = Math.max(mostAhead, read - saved);
    });
    await world.run();
    expect(mostWriting).toBeGreaterThan(16);
    expect(mostWriting).toBeLessThanOrEqual(48);
    expect(mostAhead).toBeGreaterThan(1);
    expect(mostAhead).toBeLessThanOrEqual(5);
  });

  it('saves a page when all pages ahead of it in the list are stored', async () => {
    const world = createDrainWorld({ pageSize: 2 });
    const added = world.addMany(6);
    const later = Promise.withResolvers<void>();
    let [sent, saved] = [0, 0];
    world.watch(async ({ when, operation }) => {
      if (operation === 'PutItem' && when === 'before') saved += 1;
      if (operation !== 'SendMessageBatch' || when !== 'before') return;
      sent += 1;
      if (sent === 2) later.resolve();
      if (sent > 1) return;
      await later.promise;
      throw new Error('The connection breaks.');
    });
    await expect(world.run()).rejects.toThrow('SQS did not take a batch');
    expect({ sent: sent > 1, saved }).toEqual({ sent: true, saved: 0 });
    world.clock.time += minute;
    await world.runs(2);
    expect(world.deliveries(added)).toEqual(added.map(() => 1));
    expect(world.platform.records()).toEqual([]);
  });
});

describe('a record of another system', () => {
  const url = 'https://crm.example/hooks/secret-path';
  const theirs = { eventType, url, headers: [{ name: 'Authorization', value: 'theirs' }] };

  it('is neither stored nor marked, with all that is newer, and the log has the origin of its URL only', async () => {
    const world = createDrainWorld({ order: 'shuffled' });
    const before = world.addMany(4);
    const foreign = world.add({ webhook: theirs });
    const after = world.addMany(4);
    await world.runs(3);
    world.counted();
    await world.runs(1);
    expect(world.row(foreign.eventId)).toBeUndefined();
    expect(world.platform.records().map(({ id }) => id)).toEqual([foreign, ...after].map(({ id }) => id));
    expect(world.deliveries([...before, ...after])).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    expect(world.handedOver()).toEqual(eventIdsOf([...before, ...after]));
    expect(world.counted()).toEqual({
      UndeliveredFound: 5,
      UndeliveredUnstored: 0,
      UndeliveredNow: 4,
      OldestUndeliveredAge: 0,
      UndeliveredForeign: 1,
      UndeliveredBehindForeign: 4,
      UndeliveredMarksRefused: 0,
      UndeliveredUntimed: 0,
    });
    expect(world.lines.text()).toContain('"origin":"https://crm.example"');
    expect(world.lines.text()).not.toMatch(/secret-path|theirs/);
  });

  it.each([
    ['has our secret at another URL', { ...theirs, headers: [{ name: 'X-Drawbridge-Secret', value: secret }] }],
    ['does not say its URL', { eventType, url: 7 }],
  ])('is not assumed when the webhook %s', async (_, webhook) => {
    const world = createDrainWorld();
    const ours = world.add({ webhook });
    await world.runs(2);
    expect(world.deliveries([ours])).toEqual([1]);
    expect(world.platform.records()).toEqual([]);
  });
});
