import { beforeEach, describe, expect, it } from 'vitest';
import { PlatformInputError } from '#shared/platform/client/errors.ts';
import { listUndeliveredWebhooks } from '#shared/platform/resources/undelivered-webhooks.ts';
import { registerPartner, useContract } from './contract.ts';
import { makePerson } from './persons.ts';
import { refused } from './refused.ts';

const contract = useContract();

beforeEach(async () => {
  await registerPartner(contract(), 'TRANSFER_NOTIFICATION');
  await contract().control('POST', '/undelivered-webhooks', { count: 45 });
});

const pages = (limit?: number) => Array.fromAsync(listUndeliveredWebhooks(contract().client, { limit }).pages());
const list = (query: string) => contract().call('GET', `/webhooks-undelivered${query}`);

describe('2.3 cursor: what the request of the next page sends', () => {
  it('leads through the list to an empty cursor, with each item once', async () => {
    const items = (await pages(10)).flatMap((page) => page.items.map(({ id }) => id));
    expect(items).toHaveLength(45);
    expect(new Set(items).size).toBe(45);
  });

  it('continues at the page of the given cursor', async () => {
    const [, second, third] = await pages(10);
    const rest = listUndeliveredWebhooks(contract().client, { limit: 10, cursor: second?.next });
    expect((await Array.fromAsync(rest.pages()))[0]?.items).toEqual(third?.items);
  });

  it.each(['cursor=20', 'cursor=%00', 'cursor=%ff', 'cursor=a&cursor=b', 'limit=1&limit=2'])(
    'refuses a cursor that the platform has not given, and a field twice: %s',
    async (query) => {
      expect(await list(`?${query}`)).toEqual(refused(400, query.slice(0, query.indexOf('='))));
    },
  );
});

describe('2.3 limit: how many items are returned at the most', () => {
  it.each([1, 7, 45, 100])('returns at most %i items on a page', async (limit) => {
    const lengths = (await pages(limit)).map(({ items }) => items.length);
    expect(Math.max(...lengths)).toBe(Math.min(limit, 45));
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(45);
  });

  it('answers the limit of the request', async () => {
    expect((await list('?limit=7')).body).toMatchObject({ pagination: { cursor: /./, limit: 7 } });
  });

  it.each(['/entities/natural-persons', '/entities/identification-verifications', '/traditional/assets'])(
    'refuses a wrong limit and a wrong cursor of the list %s',
    async (path) => {
      const headers = { 'requestor-id': await makePerson(contract()) };
      for (const [field, value] of [
        ['limit', '0'],
        ['limit', '-1'],
        ['limit', '1.5'],
        ['limit', 'many'],
        ['cursor', 'x'],
        ['cursor', 'MjA'],
      ] as const)
        expect(await contract().call('GET', `${path}?${field}=${value}`, { headers })).toEqual(refused(400, field));
    },
  );

  it.each(['', '0', '-1', '1.5', 'many'])('refuses the limit %j', async (limit) => {
    expect(await list(`?limit=${limit}`)).toEqual(refused(400, 'limit'));
    await expect(pages(Number(limit))).rejects.toBeInstanceOf(PlatformInputError);
  });
});
