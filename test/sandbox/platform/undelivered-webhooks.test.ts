import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Platform, refusal, startPlatform } from './platform-fixture.ts';

const eventType = 'ORDER_NOTIFICATION';
let platform: Platform;
/** Five deliveries failed, since nobody listens there. Oldest first. */
beforeEach(async () => {
  platform = startPlatform();
  await platform.send('POST', '/webhooks', { eventType, url: 'http://127.0.0.1:9/' });
  for (let number = 1; number <= 5; number += 1) {
    await platform.deliveries.notify(eventType, Buffer.from(String(number)));
    platform.pass(1_000);
  }
});

const listed = z.object({
  data: z.array(z.object({ id: z.string(), body: z.string() })),
  pagination: z.object({ cursor: z.string(), limit: z.number() }),
});

async function list(query = ''): Promise<z.infer<typeof listed>> {
  return listed.parse((await platform.send('GET', `/webhooks-undelivered${query}`)).body);
}

const bodies = async () => (await list()).data.map(({ body }) => body);
const idOf = async (wanted: string) => (await list()).data.find(({ body }) => body === wanted)?.id;
const mark = (undeliveredWebhookId: unknown) =>
  platform.send('POST', '/webhooks-undelivered/mark-delivered', { undeliveredWebhookId });

describe('the list of undelivered webhooks', () => {
  it('has twenty on a page unless told otherwise, and ends with an empty cursor', async () => {
    const { data, pagination } = await list();
    expect(data.map(({ body }) => body)).toEqual(['1', '2', '3', '4', '5']);
    expect(pagination).toEqual({ cursor: '', limit: 20 });
  });

  it('is read page by page, each with the cursor of the last', async () => {
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.pagination.cursor}`);
    const third = await list(`?limit=2&cursor=${second.pagination.cursor}`);
    const pages = [first, second, third];
    expect(pages.map(({ data }) => data.map(({ body }) => body))).toEqual([['1', '2'], ['3', '4'], ['5']]);
    expect(pages.map(({ pagination }) => pagination.cursor === '')).toEqual([false, false, true]);
  });

  it('ends with the page that is just full', async () => {
    expect((await list('?limit=5')).pagination).toEqual({ cursor: '', limit: 5 });
  });

  it.each(['0', '-1', '1.5', 'many', '1001'])('refuses a limit that is none: %s', async (limit) => {
    expect(await platform.send('GET', `/webhooks-undelivered?limit=${limit}`)).toEqual(
      refusal(400, 'BAD_REQUEST', expect.stringContaining('limit')),
    );
  });
});

describe('marking an undelivered webhook as delivered', () => {
  it('removes it and all that are older', async () => {
    expect(await mark(await idOf('3'))).toEqual({ status: 200, body: undefined });
    expect(await bodies()).toEqual(['4', '5']);
  });

  it('removes them all with the newest', async () => {
    await mark(await idOf('5'));
    expect(await bodies()).toEqual([]);
  });

  it('does not remove what fails afterwards', async () => {
    await mark(await idOf('5'));
    await platform.deliveries.notify(eventType, Buffer.from('6'));
    expect(await bodies()).toEqual(['6']);
  });

  it('is not found when there is none of this id, and removes nothing', async () => {
    const nobody = '99999999-9999-4999-8999-999999999999';
    expect(await mark(nobody)).toEqual(refusal(404, 'NOT_FOUND', 'No undelivered webhook has this id.'));
    expect(await bodies()).toHaveLength(5);
  });

  it('is not found the second time', async () => {
    const id = await idOf('3');
    await mark(id);
    expect((await mark(id)).status).toBe(404);
    expect(await bodies()).toEqual(['4', '5']);
  });

  it.each(['3', 7, undefined])('is refused when the id is no UUID: %s', async (id) => {
    expect(await mark(id)).toEqual(refusal(400, 'BAD_REQUEST', expect.stringContaining('undeliveredWebhookId')));
  });
});
