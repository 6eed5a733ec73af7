import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';
import { refusal, startPlatform, type TestPlatform } from '#test/sandbox/platform/platform-fixture.ts';

const eventType = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';

let platform: TestPlatform;
/** Five failed deliveries, to a port without a server. Oldest first. */
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

describe('sandbox platform: the list of undelivered webhooks (section 2.2)', () => {
  it.each(['cursor=abc', 'cursor=a&cursor=b', 'limit=1&limit=2', 'cursor=%00', 'cursor=%ff'])(
    'rejects the query %s',
    async (query) => {
      expect((await platform.send('GET', `/webhooks-undelivered?${query}`)).status).toBe(400);
    },
  );
});

describe('sandbox platform: the order of the undelivered list (setting undeliveredOrder)', () => {
  const order = (undeliveredOrder: string) => platform.settings.change({ undeliveredOrder });
  const newestFirst = (data: z.infer<typeof listed>['data']) =>
    data.toSorted((one, other) => compareTimestamps(other.createdOn, one.createdOn));

  it('sorts DESCENDING by createdOn', async () => {
    order('DESCENDING');
    const { data } = await list();
    expect(data.map(({ body }) => body)).toEqual(['5', '4', '3', '2', '1']);
    expect(data).toEqual(newestFirst(data));
  });

  it('shuffles with SHUFFLED, in the same order for every page', async () => {
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

  it('rejects a cursor of another order', async () => {
    const { pagination } = await list('?limit=2');
    order('DESCENDING');
    expect(await platform.send('GET', `/webhooks-undelivered?cursor=${pagination.cursor}`)).toEqual(
      refusal(400, 'BAD_REQUEST', 'cursor: is none of this list.'),
    );
  });
});

describe('sandbox platform: marking an undelivered webhook as delivered (section 2.2)', () => {
  it('accepts an id in capitals', async () => {
    expect((await mark((await idOf('3'))?.toUpperCase())).status).toBe(200);
    expect(await bodies()).toEqual(['4', '5']);
  });

  it('answers with 404 the second time, and for an older record', async () => {
    const [older, id] = [await idOf('2'), await idOf('3')];
    await mark(id);
    expect((await mark(id)).status).toBe(404);
    expect((await mark(older)).status).toBe(404);
    expect(await bodies()).toEqual(['4', '5']);
  });
});
