import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';
import { size } from '#test/full-size.ts';
import { startPlatform, type TestPlatform } from '#test/sandbox/platform/platform-fixture.ts';

const eventType = 'TRANSFER_NOTIFICATION';
const orders = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';

let platform: TestPlatform;

async function start(options: Parameters<typeof startPlatform>[0] = {}): Promise<void> {
  platform = startPlatform(options);
  for (const each of [eventType, orders])
    await platform.send('POST', '/webhooks', { eventType: each, url: 'http://127.0.0.1:9/' });
}
beforeEach(() => start());

const add = (request: object) => platform.request('POST', '/control/undelivered-webhooks', { body: request });
const page = z.object({
  data: z.array(z.record(z.string(), z.unknown())),
  pagination: z.object({ cursor: z.string() }),
});

async function list(cursor = '', limit = 1_000): Promise<z.infer<typeof page>> {
  const { body } = await platform.send('GET', `/webhooks-undelivered?limit=${limit}&cursor=${cursor}`);
  return page.parse(body);
}

async function walk(limit?: number): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const records: Readonly<Record<string, unknown>>[] = [];
  let cursor: string | undefined;
  while (cursor !== '') {
    const { data, pagination } = await list(cursor, limit);
    records.push(...data);
    cursor = pagination.cursor;
  }
  return records;
}

const contentOf = ({ body }: Readonly<Record<string, unknown>>) => JSON.parse(String(body));

describe('sandbox platform: made-up undelivered webhooks over the control API', () => {
  it('creates the requested number of realistic notifications, of any event type and status', async () => {
    expect(await add({ count: 3 })).toEqual({ status: 200, body: { count: 3 } });
    const [record] = await walk();
    expect(record).toMatchObject({ webhook: platform.registrations.get(eventType), errorMessage: 'Made up.' });
    expect(contentOf(record ?? {})).toEqual({
      transferId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'PROCESSED',
      notificationType: 'UPDATED',
      modifiedOn: expect.stringMatching(/^2026-11-21T08:00:00/),
    });
    await add({ count: 1, eventType: orders, status: 'FILLED' });
    expect(contentOf((await walk()).at(-1) ?? {})).toMatchObject({ orderId: expect.any(String), status: 'FILLED' });
  });

  it('adds the records as the newest ones', async () => {
    await add({ count: 2 });
    expect((await add({ count: 2 })).body).toEqual({ count: 4 });
    const createdOn = (await walk()).map((record) => String(record['createdOn']));
    for (const [index, time] of createdOn.slice(1).entries())
      expect(compareTimestamps(time, createdOn[index] ?? '')).toBeGreaterThan(0);
  });
});

describe('sandbox platform: made-up malformed records', () => {
  beforeEach(() => start({ isMalformedExpected: true }));

  it('leaves out body, createdOn or webhook, or sets them to null or to an invalid date', async () => {
    await add({ count: 8, malformed: 8 });
    const flaws = (await walk()).map((record) =>
      Object.entries({ body: record['body'], createdOn: record['createdOn'], webhook: record['webhook'] }).flatMap(
        ([name, value]) => (value === undefined || value === null || value === 'yesterday' ? [`${name} ${value}`] : []),
      ),
    );
    expect(flaws).toEqual([
      ['body undefined'],
      ['createdOn undefined'],
      ['createdOn yesterday'],
      ['webhook undefined'],
      ['body null'],
      ['createdOn null'],
      ['webhook null'],
      [],
    ]);
    expect((await walk()).at(-1)).toMatchObject({ errorMessage: null, modifiedOn: null });
  });
});

describe('sandbox platform: a list of thousands of undelivered records', () => {
  // A quadratic step would take minutes with 100,000 of them.
  const records = size(2_000, 100_000);

  it.each(['ASCENDING', 'DESCENDING', 'SHUFFLED'])(
    'has each record listed by pages and marked once: %s',
    async (undeliveredOrder) => {
      platform.settings.change({ undeliveredOrder });
      await add({ count: records });
      const seen = new Set<unknown>();
      let cursor: string | undefined;
      let count = records;
      while (cursor !== '') {
        const { data, pagination } = platform.undelivered.list({ cursor, limit: 100 });
        for (const { id } of data) seen.add(id);
        cursor = pagination.cursor;
        count = platform.madeUpDeliveries.add({ count: 1, malformed: 0, eventType, status: 'PENDING' });
      }
      const all = platform.undelivered.all();
      expect(all.slice(0, records).every(({ id }) => seen.has(id))).toBe(true);
      for (let marked = 99; marked < records; marked += 100) platform.undelivered.markDelivered(all[marked]?.id ?? '');
      expect(count).toBeGreaterThanOrEqual(records + records / 100);
      expect(platform.undelivered.count()).toBe(count - records);
    },
  );
});
