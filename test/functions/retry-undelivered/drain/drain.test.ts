import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { deflateBody, inflateBody } from '#shared/events/webhook-delivery.ts';
import { PlatformSchemaError } from '#shared/platform/client/errors.ts';
import { PlatformHttpError } from '#shared/platform/client/http-error.ts';
import { deployedStack, resourcesOf } from '#test/infra/deployed-stack.ts';
import {
  type CallMoment,
  customers,
  type DrainBench,
  newBody,
  secret,
  startDrainBench,
  type Trial,
  webhooksUrl,
} from './drain-bench.ts';
import { cursorKinds, listEnds, listOrders } from './model-platform.ts';

let bench: DrainBench;
beforeAll(async () => {
  bench = await startDrainBench();
});
afterAll(() => bench.close());
afterEach(async () => {
  bench.emulators.unwatch();
  await bench.emulators.receiveAll();
});

/** What is measured in a run that nothing hinders. */
const nothingAmiss = { UndeliveredMarksRefused: 0, UndeliveredForeign: 0, UndeliveredBehindForeign: 0 };

function addMany(trial: Trial, count: number) {
  return Array.from({ length: count }, () => trial.add());
}

/** The deliveries that the event store has counted of each. */
function deliveries(trial: Trial, added: readonly { readonly eventId: string }[]) {
  return Promise.all(added.map(async ({ eventId }) => (await trial.eventStore.read(eventId))?.deliveries));
}

const marks = (trial: Trial) => trial.asked().filter(({ method }) => method === 'POST');
const lists = (trial: Trial) => trial.asked().filter(({ method }) => method === 'GET');

/** Breaks the connection at this moment of a call, the first time. */
function failOnce(trial: Trial, at: CallMoment & { readonly nth?: number }): () => boolean {
  let seen = 0;
  const { when, operation, nth = 1 } = at;
  trial.watch((moment) => {
    if (moment.when !== when || moment.operation !== operation) return;
    seen += 1;
    if (seen === nth) throw new Error('The connection breaks.');
  });
  return () => seen >= nth;
}

describe('nothing stays undelivered, in each order of the list and with each kind of cursor', () => {
  const kinds = listOrders.flatMap((order) => cursorKinds.map((cursors) => ({ order, cursors })));

  it.each(kinds)(
    '$order, $cursors: stored once, handed over, and marked by the run that finds it known',
    async (kind) => {
      const trial = bench.open(kind);
      const added = addMany(trial, 14);
      await trial.runs(1);
      expect(marks(trial)).toEqual([]);
      await trial.runs(1);
      expect(trial.platform.records()).toEqual([]);
      expect(marks(trial).map(({ body }) => body)).toEqual([
        JSON.stringify({ undeliveredWebhookId: added.at(-1)?.id }),
      ]);
      expect(await deliveries(trial, added)).toEqual(added.map(() => 1));
      expect(new Set(await trial.handedOver())).toEqual(new Set(added.map(({ eventId }) => eventId)));
    },
  );

  it('marks nothing that came after what a run before had listed', async () => {
    const trial = bench.open({ order: 'descending' });
    addMany(trial, 4);
    await trial.runs(1);
    const later = addMany(trial, 4);
    await trial.runs(1);
    expect(trial.platform.records().map(({ id }) => id)).toEqual(later.map(({ id }) => id));
    await trial.runs(1);
    expect(trial.platform.records()).toEqual([]);
  });

  it('marks nothing before it has settled, however often it runs', async () => {
    const trial = bench.open();
    trial.add();
    for (let runs = 0; runs < 5; runs += 1) {
      await trial.run();
      trial.clock.time += 14_000;
    }
    expect(marks(trial)).toEqual([]);
    await trial.run();
    expect(trial.platform.records()).toEqual([]);
  });

  it('asks for nothing but the list where there is nothing', async () => {
    const trial = bench.open();
    await trial.runs(3);
    expect(trial.asked().map(({ url }) => url)).toEqual(new Array(3).fill('/webhooks-undelivered?limit=3'));
    expect(trial.counted()).toEqual({
      UndeliveredFound: 0,
      UndeliveredNow: 0,
      OldestUndeliveredAge: 0,
      ...nothingAmiss,
    });
  });
});

describe('a record is one delivery of its event', () => {
  it('however often it is listed', async () => {
    const trial = bench.open({ ties: 'none' });
    const added = [trial.add(newBody(), { id: 'no UUID' })];
    await trial.runs(4);
    expect(await deliveries(trial, added)).toEqual([1]);
  });

  it('the same event as one that differs in white space, order of keys, or the way a number is written', async () => {
    const trial = bench.open();
    const added = trial.add('{"serial":"same","amount":1.0}');
    trial.add(' { "amount" : 1, "serial":"s\\u0061me" }\n');
    await trial.runs(1);
    expect(await trial.eventStore.read(added.eventId)).toMatchObject({ deliveries: 2 });
    expect(trial.counted()).toMatchObject({ EventsStored: 1, DuplicateDeliveries: 1, UndeliveredDrained: 2 });
    expect(await trial.handedOver()).toEqual([added.eventId]);
  });

  it('the same event as one that was delivered meanwhile', async () => {
    const trial = bench.open();
    const { eventId, body } = trial.add();
    await trial.runs(1);
    const event = { eventId, eventType: customers, quarantineReason: undefined };
    const delivery = { deliveryId: 'direct', receivedOn: '2026-01-02T03:04:05.000Z', eventType: customers };
    const deflatedBody = (await trial.eventStore.read(eventId))?.deflatedBody ?? Buffer.of();
    expect(await trial.eventStore.commit(event, { ...delivery, deflatedBody })).toMatchObject({ outcome: 'duplicate' });
    await trial.runs(1);
    expect(await trial.eventStore.read(eventId)).toMatchObject({ deliveries: 2 });
    expect(Buffer.from(inflateBody(deflatedBody)).toString()).toBe(body);
    expect(trial.platform.records()).toEqual([]);
  });
});

describe('design, draining: a malformed record is quarantined, and does not block the rest', () => {
  it.each([
    ['UNDELIVERED_WITHOUT_ID', { id: undefined }],
    ['UNDELIVERED_WITHOUT_EVENT_TYPE', { webhook: { url: `${webhooksUrl}/a` } }],
    ['UNDELIVERED_WITHOUT_BODY', { body: null }],
    ['UNDELIVERED_WITHOUT_CREATED_ON', { createdOn: 'yesterday' }],
  ])('is quarantined as %s: %s', async (reason, flaw) => {
    const trial = bench.open();
    const added = [trial.add(), trial.add(newBody(), flaw), trial.add()];
    const [, malformed] = trial.platform.records();
    await trial.runs(1);
    expect(trial.counted()).toMatchObject({ UndeliveredDrained: 3, UndeliveredQuarantined: 1, EventsQuarantined: 1 });
    const [handedOver = ''] = (await trial.handedOver()).filter((id) => !added.some(({ eventId }) => eventId === id));
    const row = await trial.eventStore.read(handedOver);
    expect(row).toMatchObject({ quarantineReason: reason, deliveries: 1 });
    expect(row && Buffer.from(inflateBody(row.deflatedBody)).toString()).toBe(JSON.stringify(malformed?.shown));
    await trial.runs(1);
    expect(trial.platform.records()).toEqual([]);
    expect(trial.counted()).not.toHaveProperty('EventsQuarantined');
    expect(await trial.eventStore.read(handedOver)).toEqual(row);
    expect(trial.lines.text()).not.toMatch(/Erika|Mustermann/);
  });

  it('a body that is no JSON, as if it had been delivered', async () => {
    const trial = bench.open();
    const { eventId, body } = trial.add('no JSON');
    await trial.runs(2);
    const row = await trial.eventStore.read(eventId);
    expect(row).toMatchObject({ quarantineReason: 'NOT_JSON', eventType: customers });
    expect(row && Buffer.from(inflateBody(row.deflatedBody)).toString()).toBe(body);
    expect(trial.platform.records()).toEqual([]);
  });

  it('stays undelivered where nothing in the list can be marked, and is counted once', async () => {
    const trial = bench.open();
    trial.add(newBody(), { createdOn: null });
    await trial.runs(4);
    expect(trial.platform.records()).toHaveLength(1);
    expect(trial.counted()).toMatchObject({ UndeliveredFound: 4, UndeliveredDrained: 1, EventsQuarantined: 1 });
  });
});

describe('promise 2: a crash at any moment of any call loses nothing, and doubles nothing', {
  timeout: 300_000,
}, () => {
  it.each(['before', 'after'] as const)('%s each call in turn', async (when) => {
    const calls: CallMoment[] = [];
    const rehearsal = bench.open({ pageSize: 2 });
    addMany(rehearsal, 3);
    rehearsal.watch((moment) => {
      if (moment.when === when) calls.push(moment);
    });
    await rehearsal.runs(2);
    await rehearsal.handedOver();
    expect(new Set(calls.map(({ operation }) => operation))).toEqual(
      new Set(['GetItem', 'BatchGetItem', 'list', 'PutItem', 'SendMessageBatch', 'UpdateItem', 'mark']),
    );
    for (const index of calls.keys()) {
      const trial = bench.open({ pageSize: 2 });
      const added = addMany(trial, 3);
      let at = -1;
      trial.watch((moment) => {
        if (moment.when === when) at += 1;
        if (at >= index && at < index + 2 && moment.when === when) throw new Error('The connection breaks.');
      });
      for (let runs = 0; runs < 5; runs += 1) {
        await trial.run().catch(() => undefined);
        trial.clock.time += 5 * 60_000;
      }
      const found = { left: trial.platform.records(), deliveries: await deliveries(trial, added) };
      expect(found, `call ${index}`).toEqual({ left: [], deliveries: [1, 1, 1] });
      expect(new Set(await trial.handedOver()).size, `call ${index}`).toBe(3);
    }
  });
});

describe('design, draining: progress survives the time limit of the function', () => {
  it('continues with the page after the last one that was stored', async () => {
    const trial = bench.open();
    addMany(trial, 10);
    const stop = new AbortController();
    let saved = 0;
    trial.watch(({ when, operation }) => {
      if (operation === 'PutItem' && when === 'after') saved += 1;
      if (saved === 2) stop.abort();
    });
    await trial.run(stop.signal);
    const cursor = (url: string) => new URL(url, 'https://a.example').searchParams.get('cursor');
    const before = lists(trial).map(({ url }) => cursor(url));
    await trial.run();
    const after = lists(trial)
      .map(({ url }) => cursor(url))
      .slice(before.length);
    expect(after[0]).toBe(before[2]);
    expect(after).toHaveLength(2);
    expect(trial.lines.text()).toContain('drain paused at its time limit');
  });

  it('ends immediately when it is asked to stop, during any wait', async () => {
    const trial = bench.open();
    addMany(trial, 4);
    const released = Promise.withResolvers<void>();
    const stop = new AbortController();
    trial.watch(({ operation }) => {
      if (operation !== 'SendMessageBatch') return undefined;
      stop.abort();
      return released.promise;
    });
    await trial.run(stop.signal);
    released.resolve();
    trial.watch(() => undefined);
    trial.clock.time += 5 * 60_000;
    await trial.runs(2);
    expect(trial.platform.records()).toEqual([]);
  });

  it('does nothing when it is asked to stop before it begins', async () => {
    const trial = bench.open();
    trial.add();
    await trial.run(AbortSignal.abort());
    expect(trial.asked()).toEqual([]);
  });

  it('starts over when the platform no longer takes the cursor', async () => {
    const trial = bench.open({ cursors: 'snapshot' });
    const added = addMany(trial, 8);
    const fails = failOnce(trial, { when: 'before', operation: 'SendMessageBatch' });
    await expect(trial.run()).rejects.toThrow();
    expect(fails()).toBe(true);
    await trial.run();
    refuseCursors(trial, 400, 1);
    trial.clock.time += 5 * 60_000;
    await trial.runs(3);
    expect(trial.platform.records()).toEqual([]);
    expect(await deliveries(trial, added)).toEqual(added.map(() => 1));
  });

  it('starts over after three runs to which the platform answered 500 at the same page', async () => {
    const trial = bench.open();
    addMany(trial, 8);
    refuseCursors(trial, 500, 100);
    for (let runs = 0; runs < 3; runs += 1) await expect(trial.run()).rejects.toThrow(PlatformHttpError);
    refuseCursors(trial, 500, 0);
    const before = lists(trial).length;
    await trial.run();
    expect(lists(trial)[before]?.url).not.toContain('cursor');
  });

  it('fails where the platform refuses a cursor that it has just given, and says so', async () => {
    const trial = bench.open();
    addMany(trial, 8);
    refuseCursors(trial, 410, 100);
    await expect(trial.run()).rejects.toThrow('refused the cursor');
    expect(lists(trial).filter(({ url }) => url.includes('cursor'))).toHaveLength(2);
    expect(marks(trial)).toEqual([]);
  });

  it('stores a page whose cursor is too long for a row, marks nothing, and fails with what to do', async () => {
    const trial = bench.open();
    const added = addMany(trial, 3);
    const cursor = 'x'.repeat(500_000);
    trial.platform.intercept((request) =>
      request.method === 'GET'
        ? Response.json({ data: trial.platform.records().map(({ shown }) => shown), pagination: { cursor } })
        : undefined,
    );
    for (let runs = 0; runs < 2; runs += 1)
      await expect(trial.run()).rejects.toThrow('gave a cursor that is no Unicode');
    expect(await deliveries(trial, added)).toEqual([1, 1, 1]);
    expect(marks(trial)).toEqual([]);
    trial.platform.intercept(() => undefined);
    await trial.runs(2);
    expect(trial.platform.records()).toEqual([]);
  });
});

/** Answers so many pages after the first with this status. */
function refuseCursors({ platform }: Trial, status: number, times: number): void {
  let left = times;
  platform.intercept((request) => {
    if (left === 0 || !request.url.includes('cursor')) return undefined;
    left -= 1;
    return Response.json({ message: 'no such cursor' }, { status });
  });
}

describe('section 2.3: the list ends on an empty, null, absent or repeated cursor', () => {
  it.each(listEnds)('ends the walk at %s', async (end) => {
    const trial = bench.open({ end });
    addMany(trial, 7);
    await trial.runs(2);
    expect(trial.platform.records()).toEqual([]);
    expect(lists(trial)).toHaveLength(6);
  });

  it('on one that leads back to a page before', async () => {
    const trial = bench.open({ cursors: 'offset' });
    const added = addMany(trial, 12);
    trial.platform.intercept((request) =>
      request.url.includes('cursor=9') ? Response.json({ data: [], pagination: { cursor: '3' } }) : undefined,
    );
    await trial.runs(2);
    expect(trial.platform.records()).toEqual(added.slice(9).map(() => expect.anything()));
    expect(lists(trial).length).toBeLessThan(30);
  });

  it('fails on what is no page, and marks nothing', async () => {
    const trial = bench.open();
    trial.add();
    await trial.runs(1);
    trial.platform.intercept(() => Response.json({ data: 'none' }));
    await expect(trial.run()).rejects.toThrow(PlatformSchemaError);
    expect(marks(trial)).toEqual([]);
  });
});

describe('reading pages while records are written', () => {
  it('reads the next page while one is being stored', async () => {
    const trial = bench.open();
    addMany(trial, 6);
    const second = Promise.withResolvers<void>();
    let pages = 0;
    trial.watch(({ when, operation }) => {
      if (operation === 'list' && when === 'after') pages += 1;
      if (pages === 2) second.resolve();
      return operation === 'SendMessageBatch' && pages < 2 ? second.promise : undefined;
    });
    await trial.run();
    expect(pages).toBe(2);
  });

  it('stores three pages at the same time, writes at most 48 events concurrently, and reads at most one page ahead', async () => {
    const trial = bench.open({ pageSize: 60 });
    addMany(trial, 360);
    let [writing, most] = [0, 0];
    let [read, taken] = [0, 0];
    let ahead = 0;
    trial.watch(({ when, operation }) => {
      if (operation === 'UpdateItem') writing += when === 'before' ? 1 : -1;
      if (operation === 'list' && when === 'after') read += 1;
      if (operation === 'PutItem' && when === 'before') taken += 1;
      most = Math.max(most, writing);
      ahead = Math.max(ahead, read - taken);
    });
    await trial.run();
    expect(most).toBeGreaterThan(16);
    expect(most).toBeLessThanOrEqual(48);
    expect(ahead).toBeGreaterThan(1);
    expect(ahead).toBeLessThanOrEqual(5);
  });

  it('saves no page before all pages ahead of it are stored', async () => {
    const trial = bench.open({ pageSize: 2 });
    const added = addMany(trial, 6);
    const later = Promise.withResolvers<void>();
    let [sent, saved] = [0, 0];
    trial.watch(async ({ when, operation }) => {
      if (operation === 'PutItem' && when === 'before') saved += 1;
      if (operation !== 'SendMessageBatch' || when !== 'before') return;
      sent += 1;
      if (sent === 2) later.resolve();
      if (sent > 1) return;
      await later.promise;
      throw new Error('The connection breaks.');
    });
    await expect(trial.run()).rejects.toThrow('SQS did not take a batch');
    expect({ sent: sent > 1, saved }).toEqual({ sent: true, saved: 0 });
    trial.clock.time += 5 * 60_000;
    await trial.runs(2);
    expect(await deliveries(trial, added)).toEqual(added.map(() => 1));
    expect(trial.platform.records()).toEqual([]);
  });
});

describe('promise 5: a mark that fails is a mark whose effect is not known', () => {
  it('is sent again before anything else is marked; what there is is drained meanwhile', async () => {
    const trial = bench.open();
    const [first] = addMany(trial, 1);
    await trial.runs(1);
    trial.watch(({ operation }) => {
      if (operation === 'mark') throw new Error('The connection breaks.');
    });
    await expect(trial.run()).rejects.toThrow('Mark webhooks delivered');
    const later = [trial.add()];
    trial.clock.time += 5 * 60_000;
    await expect(trial.run()).rejects.toThrow('Mark webhooks delivered');
    expect(await deliveries(trial, later)).toEqual([1]);
    expect(new Set(marks(trial).map(({ body }) => body))).toEqual(
      new Set([JSON.stringify({ undeliveredWebhookId: first?.id })]),
    );
    trial.watch(() => undefined);
    await trial.runs(3);
    expect(trial.platform.records()).toEqual([]);
  });

  it.each([400, 404] as const)(
    'counts the mark as done when the platform answers %i, as another run has marked it',
    async (unknownMark) => {
      const trial = bench.open({ unknownMark });
      addMany(trial, 2);
      await trial.runs(1);
      trial.watch(({ when, operation }) => {
        if (operation === 'mark' && when === 'after') throw new Error('The answer is lost.');
      });
      await trial.run().catch(() => undefined);
      trial.watch(() => undefined);
      const later = [trial.add()];
      trial.clock.time += 5 * 60_000;
      await trial.runs(3);
      expect(trial.platform.records()).toEqual([]);
      expect(await deliveries(trial, later)).toEqual([1]);
    },
  );

  it('records of the same createdOn are marked one by one, where the platform marks no more', async () => {
    const trial = bench.open({ ties: 'none', pageSize: 4 });
    for (let count = 0; count < 9; count += 1) trial.add(newBody(), { createdOn: '2026-01-02T03:00:00.000Z' });
    await trial.runs(2);
    expect(trial.platform.records()).toEqual([]);
    expect(marks(trial)).toHaveLength(9);
  });
});

describe('a second run at the same time is harmless', () => {
  it('lets one run continue and ends the others without an error', async () => {
    const trial = bench.open({ cursors: 'offset' });
    const added = addMany(trial, 10);
    for (let rounds = 0; rounds < 4; rounds += 1) {
      await Promise.all([trial.run(), trial.run(), trial.run()]);
      trial.clock.time += 5 * 60_000;
    }
    expect(trial.platform.records()).toEqual([]);
    expect(await deliveries(trial, added)).toEqual(added.map(() => 1));
    expect(trial.lines.text()).toContain('another run continues');
  });
});

describe('metrics of the drain', () => {
  it('count what each run found, drained, quarantined and marked, with the age of the oldest', async () => {
    const trial = bench.open();
    trial.add();
    trial.add('no JSON either');
    trial.clock.time += 90_000;
    await trial.run();
    expect(trial.counted()).toEqual({
      EventsStored: 2,
      EventsQuarantined: 1,
      UndeliveredFound: 2,
      UndeliveredDrained: 2,
      UndeliveredQuarantined: 1,
      UndeliveredNow: 2,
      OldestUndeliveredAge: 91,
      ...nothingAmiss,
    });
    trial.clock.time += 300_000;
    await trial.run();
    expect(trial.counted()).toEqual({
      UndeliveredFound: 2,
      UndeliveredMarked: 2,
      UndeliveredNow: 2,
      OldestUndeliveredAge: 391,
      ...nothingAmiss,
    });
    await trial.run();
    expect(trial.counted()).toEqual({
      UndeliveredFound: 0,
      UndeliveredNow: 0,
      OldestUndeliveredAge: 0,
      ...nothingAmiss,
    });
  });

  it('report no age below 0 with any clock of the platform', async () => {
    const trial = bench.open();
    trial.add(newBody(), { createdOn: '2036-01-01T00:00:00Z' });
    await trial.run();
    expect(trial.counted()).toMatchObject({ OldestUndeliveredAge: 0 });
  });

  it('count and log records that appear after newer ones were marked, without their content', async () => {
    const trial = bench.open();
    addMany(trial, 3);
    await trial.runs(2);
    expect(trial.platform.records()).toEqual([]);
    trial.counted();
    const late = [trial.add(newBody(), { createdOn: '2026-01-02T03:04:05.500Z' })];
    await trial.run();
    expect(trial.counted()).toMatchObject({ UndeliveredLate: 1, UndeliveredDrained: 1 });
    expect(await deliveries(trial, late)).toEqual([1]);
    expect(trial.lines.text()).toContain('older than a mark');
    expect(trial.lines.text()).not.toMatch(/Erika|Mustermann/);
  });
});

describe('a record is handed over once, although the platform refuses the marks', () => {
  /** A platform that has the marks at another path. */
  function refuseMarks({ platform }: Trial, status: number): void {
    platform.intercept(({ method }) =>
      method === 'POST' ? Response.json({ message: 'no such path' }, { status }) : undefined,
    );
  }

  it.each([404, 403, 405])('does not hand it over again in the 12 runs of an hour of %i', async (status) => {
    const trial = bench.open();
    const added = addMany(trial, 7);
    refuseMarks(trial, status);
    await trial.runs(1);
    expect((await trial.handedOver()).toSorted()).toEqual(added.map(({ eventId }) => eventId).toSorted());
    await trial.runs(12);
    expect(await trial.handedOver()).toEqual([]);
    expect(trial.platform.records()).toHaveLength(7);
  });

  it('hands over each further record, and each further delivery of a known event, once', async () => {
    const trial = bench.open();
    const { body, eventId } = trial.add();
    refuseMarks(trial, 404);
    await trial.runs(2);
    await trial.handedOver();
    const another = trial.add();
    trial.add(body);
    await trial.runs(3);
    expect((await trial.handedOver()).toSorted()).toEqual([eventId, another.eventId].toSorted());
  });

  it('hands nothing over in 12 runs when 250 records of one event were handed over before', {
    timeout: 60_000,
  }, async () => {
    const trial = bench.open();
    const { body, eventId } = trial.add();
    refuseMarks(trial, 404);
    for (let count = 1; count < 250; count += 1) trial.add(body);
    await trial.runs(3);
    await trial.handedOver();
    await trial.runs(12);
    expect(await trial.handedOver()).toEqual([]);
    trial.add(body);
    await trial.runs(3);
    expect(await trial.handedOver()).toEqual([eventId]);
  });

  it('hands it over again where a run ends between the confirmation of SQS and the note', async () => {
    const trial = bench.open();
    const { eventId } = trial.add();
    // The first update commits the event.
    const hasFailed = failOnce(trial, { when: 'before', operation: 'UpdateItem', nth: 2 });
    await expect(trial.run()).rejects.toThrow();
    expect(hasFailed()).toBe(true);
    await trial.runs(1);
    expect(await trial.handedOver()).toEqual([eventId, eventId]);
    await trial.runs(1);
    expect(await trial.handedOver()).toEqual([]);
  });

  it('leaves an event in quarantine that was handed over, although it would be judged otherwise now', async () => {
    const trial = bench.open();
    const { eventId } = trial.add();
    await trial.runs(1);
    await trial.handedOver();
    await trial.eventStore.quarantine(eventId, 'UNKNOWN_EVENT_TYPE');
    refuseMarks(trial, 404);
    await trial.runs(2);
    expect(await trial.handedOver()).toEqual([]);
    expect(await trial.eventStore.read(eventId)).toMatchObject({ quarantineReason: 'UNKNOWN_EVENT_TYPE' });
  });

  it('notes nothing before SQS has confirmed', async () => {
    const trial = bench.open();
    const { eventId } = trial.add();
    failOnce(trial, { when: 'before', operation: 'SendMessageBatch' });
    await expect(trial.run()).rejects.toThrow();
    expect(await trial.eventStore.read(eventId)).toMatchObject({ deliveries: 1, handedOver: undefined });
    await trial.runs(1);
    expect(await trial.handedOver()).toEqual([eventId]);
  });

  it('notes what SQS has confirmed when SQS refuses another message of the same page', async () => {
    const trial = bench.open();
    const refused = trial.add();
    const confirmed = trial.add(newBody());
    trial.refuseMessagesOf(refused.eventId);
    await expect(trial.run()).rejects.toThrow('SQS did not take every message');
    expect(await trial.handedOver()).toEqual([confirmed.eventId]);
    trial.refuseMessagesOf(undefined);
    await trial.runs(1);
    expect(await trial.handedOver()).toEqual([refused.eventId]);
  });

  it('hands over what a release has committed that noted nothing', async () => {
    const trial = bench.open();
    const { eventId, id, createdOn, body } = trial.add();
    const delivery = { deliveryId: `undelivered:${id}`, receivedOn: createdOn, eventType: customers };
    const event = { eventId, eventType: customers, quarantineReason: undefined };
    await trial.eventStore.commit(event, { ...delivery, deflatedBody: deflateBody(Buffer.from(body)) });
    await trial.runs(1);
    expect(await trial.handedOver()).toEqual([eventId]);
  });

  it('measures more than one run of refused marks within 15 minutes, and logs the path', async () => {
    const trial = bench.open();
    addMany(trial, 2);
    refuseMarks(trial, 404);
    const measured: unknown[] = [];
    for (let runs = 0; runs < 4; runs += 1) {
      await trial.runs(1);
      measured.push(trial.counted()['UndeliveredMarksRefused']);
    }
    expect(measured).toEqual([0, 1, 2, 3]);
    expect(trial.lines.objects()).toContainEqual(
      expect.objectContaining({ message: 'mark refused', path: '/webhooks-undelivered/mark-delivered', size: 2 }),
    );
  });

  it('crosses the threshold of the deployed alarm within 15 minutes of the first refused mark, for every refusal', async () => {
    const alarm = resourcesOf(deployedStack('service'), 'AWS::CloudWatch::Alarm').find(
      ({ Properties }) => Properties['MetricName'] === 'UndeliveredMarksRefused',
    );
    const { Threshold: threshold } = z.object({ Threshold: z.number() }).parse(alarm?.Properties);
    for (const status of [400, 403, 404, 405]) {
      const trial = bench.open();
      addMany(trial, 2);
      refuseMarks(trial, status);
      const [refusedIn, alarmedIn]: [number[], number[]] = [[], []];
      for (let run = 0; run < 6; run += 1) {
        await trial.runs(1);
        if (trial.lines.objects().some(({ message }) => message === 'mark refused')) refusedIn.push(run);
        if (Number(trial.counted()['UndeliveredMarksRefused']) > threshold) alarmedIn.push(run);
      }
      // `runs` moves the clock by the five minutes of the schedule.
      const minutes = 5 * ((alarmedIn[0] ?? Number.POSITIVE_INFINITY) - (refusedIn[0] ?? 0));
      expect([refusedIn.length > 0, minutes <= 15]).toEqual([true, true]);
      expect(trial.lines.objects()).toContainEqual(
        expect.objectContaining({ message: 'mark refused', path: '/webhooks-undelivered/mark-delivered' }),
      );
    }
  });

  it('measures none any more once the platform takes a mark', async () => {
    const trial = bench.open();
    addMany(trial, 2);
    refuseMarks(trial, 404);
    await trial.runs(3);
    trial.platform.intercept(() => undefined);
    trial.counted();
    await trial.runs(1);
    expect(trial.platform.records()).toEqual([]);
    expect(trial.counted()).toMatchObject({ UndeliveredMarksRefused: 0 });
  });

  it('measures none in the run after a lost answer to a mark that had its effect', async () => {
    const trial = bench.open();
    addMany(trial, 2);
    await trial.runs(1);
    trial.watch(({ when, operation }) => {
      if (operation === 'mark' && when === 'after') throw new Error('The answer is lost.');
    });
    await trial.run().catch(() => undefined);
    trial.watch(() => undefined);
    await trial.runs(2);
    trial.counted();
    await trial.runs(1);
    expect(trial.counted()).toMatchObject({ UndeliveredMarksRefused: 0 });
  });
});

describe('records of another system are neither stored nor marked over', () => {
  const url = 'https://crm.example/hooks/secret-path';
  const foreignWebhook = { eventType: customers, url, headers: [{ name: 'Authorization', value: 'theirs' }] };

  it.each(listOrders)('in a list that is %s', async (order) => {
    const trial = bench.open({ order });
    const before = addMany(trial, 4);
    const foreign = trial.add(newBody(), { webhook: foreignWebhook });
    const after = addMany(trial, 4);
    await trial.runs(4);
    expect(await trial.eventStore.read(foreign.eventId)).toBeUndefined();
    expect(trial.platform.records().map(({ id }) => id)).toEqual([foreign, ...after].map(({ id }) => id));
    expect(await deliveries(trial, [...before, ...after])).toEqual([...before, ...after].map(() => 1));
    expect((await trial.handedOver()).toSorted()).toEqual(
      [...before, ...after].map(({ eventId }) => eventId).toSorted(),
    );
    expect(trial.counted()).toMatchObject({
      UndeliveredForeign: 1,
      UndeliveredBehindForeign: 4,
      UndeliveredDrained: 8,
    });
    expect(trial.lines.text()).toContain('"origin":"https://crm.example"');
    expect(trial.lines.text()).not.toMatch(/secret-path|theirs/);
  });

  it('marks the rest once the other system has marked its own', async () => {
    const trial = bench.open();
    trial.add(newBody(), { webhook: foreignWebhook });
    addMany(trial, 3);
    await trial.runs(2);
    expect(trial.counted()).toMatchObject({ OldestUndeliveredAge: 0, UndeliveredBehindForeign: 3 });
    const [foreign] = trial.platform.records();
    await trial.platform.answer(
      new Request('https://platform.example', {
        method: 'POST',
        body: JSON.stringify({ undeliveredWebhookId: foreign?.id }),
      }),
    );
    await trial.runs(2);
    expect(trial.platform.records()).toEqual([]);
    await trial.runs(1);
    expect(trial.counted()).toMatchObject({ UndeliveredForeign: 0, UndeliveredBehindForeign: 0 });
  });

  it('marks nothing as new as a record of another system that was created at the same time', async () => {
    const trial = bench.open();
    const createdOn = '2026-01-02T03:00:00.000Z';
    trial.add(newBody(), { createdOn });
    trial.add(newBody(), { createdOn, webhook: foreignWebhook });
    await trial.runs(4);
    expect(marks(trial)).toEqual([]);
    expect(trial.platform.records()).toHaveLength(2);
  });

  it('stores and marks a webhook of ours at a URL of before, which carries our secret', async () => {
    const trial = bench.open();
    const headers = [{ name: 'X-Drawbridge-Secret', value: secret }];
    const moved = trial.add(newBody(), { webhook: { ...foreignWebhook, headers } });
    await trial.runs(2);
    expect(await deliveries(trial, [moved])).toEqual([1]);
    expect(trial.platform.records()).toEqual([]);
  });

  it.each([undefined, null, 7, 'no URL'])('keeps as ours a record whose webhook has the URL %j', async (unreadable) => {
    const trial = bench.open();
    const added = trial.add(newBody(), { webhook: { eventType: customers, url: unreadable } });
    await trial.runs(2);
    expect(await deliveries(trial, [added])).toEqual([1]);
    expect(trial.platform.records()).toEqual([]);
  });
});
