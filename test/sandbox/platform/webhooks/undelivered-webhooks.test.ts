import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { compareTimestamps } from '#shared/platform/timestamp.ts';
import { refusal, startPlatform, type TestPlatform } from '#test/sandbox/platform/platform-fixture.ts';

const eventType = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';

let platform: TestPlatform;
/** Five deliveries failed, since nobody listens there. Oldest first. */
beforeEach(async () => {
  platform = startPlatform({ settings: { deliveryRetriesAfter: [] } });
  await platform.send('POST', '/webhooks', { eventType, url: 'http://127.0.0.1:9/' });
  for (let number = 1; number <= 5; number += 1) {
    await fail(String(number));
    await platform.clock.advance(1);
  }
});

const listed = z.object({
  data: z.array(z.object({ id: z.string(), body: z.string(), createdOn: z.string() })),
  pagination: z.object({ cursor: z.string(), limit: z.number() }),
});

const fail = (body: string) => platform.deliveries.deliver(eventType, Buffer.from(body));

async function list(query = ''): Promise<z.infer<typeof listed>> {
  return listed.parse((await platform.send('GET', `/webhooks-undelivered${query}`)).body);
}

const bodies = async () => (await list()).data.map(({ body }) => body);
const idOf = async (wanted: string) => (await list()).data.find(({ body }) => body === wanted)?.id;
const mark = (undeliveredWebhookId: unknown) =>
  platform.send('POST', '/webhooks-undelivered/mark-delivered', { undeliveredWebhookId });

describe('section 2.2: the list of undelivered webhooks', () => {
  it('section 8: has twenty on a page unless told otherwise, and ends with an empty cursor', async () => {
    const { data, pagination } = await list();
    expect(data.map(({ body }) => body)).toEqual(['1', '2', '3', '4', '5']);
    expect(pagination).toEqual({ cursor: '', limit: 20 });
    for (let number = 6; number <= 21; number += 1) await fail(String(number));
    expect((await list()).data).toHaveLength(20);
    expect((await list()).pagination.cursor).not.toBe('');
  });

  it('section 2.3: is read page by page, each with the cursor of the last', async () => {
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.pagination.cursor}`);
    const third = await list(`?limit=2&cursor=${second.pagination.cursor}`);
    const pages = [first, second, third];
    expect(pages.map(({ data }) => data.map(({ body }) => body))).toEqual([['1', '2'], ['3', '4'], ['5']]);
    expect(pages.map(({ pagination }) => pagination.cursor === '')).toEqual([false, false, true]);
  });

  it.each(['', '0', '-1', '1.5', 'many', '1001'])('refuses a limit that is none: %j', async (limit) => {
    expect(await platform.send('GET', `/webhooks-undelivered?limit=${limit}`)).toEqual(
      refusal(400, 'BAD_REQUEST', expect.stringContaining('limit')),
    );
  });

  it.each(['cursor=abc', 'cursor=a&cursor=b', 'limit=1&limit=2', 'cursor=%00', 'cursor=%ff'])(
    'refuses a query that is none: %s',
    async (query) => {
      expect((await platform.send('GET', `/webhooks-undelivered?${query}`)).status).toBe(400);
    },
  );
});

describe('section 2.2: the order of the list is not shown, and a setting', () => {
  const order = (undeliveredOrder: string) => platform.settings.change({ undeliveredOrder });
  const newestFirst = (data: z.infer<typeof listed>['data']) =>
    data.toSorted((one, other) => compareTimestamps(other.createdOn, one.createdOn));

  it('ASCENDING by createdOn', async () => {
    const { data } = await list();
    expect(data).toEqual(newestFirst(data).toReversed());
  });

  it('DESCENDING by createdOn', async () => {
    order('DESCENDING');
    const { data } = await list();
    expect(data.map(({ body }) => body)).toEqual(['5', '4', '3', '2', '1']);
    expect(data).toEqual(newestFirst(data));
  });

  it('SHUFFLED: in no order, but in the same for every page', async () => {
    for (let number = 6; number <= 20; number += 1) await fail(String(number));
    const ascending = await list();
    order('SHUFFLED');
    const { data } = await list();
    expect(data).not.toEqual(ascending.data);
    expect(data).not.toEqual(newestFirst(data));
    expect(newestFirst(data)).toEqual(ascending.data.toReversed());
    const first = await list('?limit=12');
    const second = await list(`?limit=12&cursor=${first.pagination.cursor}`);
    expect([...first.data, ...second.data]).toEqual(data);
  });

  it('each order has cursors of its own: that of another is refused', async () => {
    const { pagination } = await list('?limit=2');
    order('DESCENDING');
    expect(await platform.send('GET', `/webhooks-undelivered?cursor=${pagination.cursor}`)).toEqual(
      refusal(400, 'BAD_REQUEST', 'cursor: is none of this list.'),
    );
  });
});

describe('section 2.2: marking an undelivered webhook as delivered', () => {
  it('removes it and all that are older', async () => {
    expect(await mark(await idOf('3'))).toEqual({ status: 200, body: undefined });
    expect(await bodies()).toEqual(['4', '5']);
  });

  it.each(['DESCENDING', 'SHUFFLED'])('by createdOn, whatever the order of the list: %s', async (undeliveredOrder) => {
    platform.settings.change({ undeliveredOrder });
    await mark(await idOf('3'));
    expect((await bodies()).toSorted()).toEqual(['4', '5']);
  });

  it('removes them all with the newest', async () => {
    await mark(await idOf('5'));
    expect(await bodies()).toEqual([]);
  });

  it('does not remove what fails afterwards', async () => {
    await mark(await idOf('5'));
    await fail('6');
    expect(await bodies()).toEqual(['6']);
  });

  it('takes an id in capitals', async () => {
    expect((await mark((await idOf('3'))?.toUpperCase())).status).toBe(200);
    expect(await bodies()).toEqual(['4', '5']);
  });

  it('is not found when there is none of this id, and removes nothing', async () => {
    const nobody = '99999999-9999-4999-8999-999999999999';
    expect(await mark(nobody)).toEqual(refusal(404, 'NOT_FOUND', 'No undelivered webhook has this id.'));
    expect(await bodies()).toHaveLength(5);
  });

  it('is not found the second time, nor for one that was older', async () => {
    const [older, id] = [await idOf('2'), await idOf('3')];
    await mark(id);
    expect((await mark(id)).status).toBe(404);
    expect((await mark(older)).status).toBe(404);
    expect(await bodies()).toEqual(['4', '5']);
  });

  it.each(['3', 7, null, undefined])('is refused when the id is no UUID: %j', async (id) => {
    expect(await mark(id)).toEqual(refusal(400, 'BAD_REQUEST', expect.stringContaining('undeliveredWebhookId')));
  });
});
