import { describe, expect, it } from 'vitest';
import { listUndeliveredWebhooks } from '#shared/platform/resources/undelivered-webhooks.ts';
import { registerPartner, useContract } from './contract.ts';
import { makePerson } from './persons.ts';

const contract = useContract();

describe('8 Default page size: 20', () => {
  it('lists 20 persons on a page', async () => {
    for (let number = 1; number <= 21; number += 1) await makePerson(contract());
    const { body } = await contract().call('GET', '/entities/natural-persons');
    expect((body as { data: object[] }).data).toHaveLength(20);
  });

  it('returns 20 items per page to a client that sets no limit', async () => {
    await registerPartner(contract(), 'TRANSFER_NOTIFICATION');
    await contract().control('POST', '/undelivered-webhooks', { count: 21 });
    const pages = await Array.fromAsync(listUndeliveredWebhooks(contract().client).pages());
    expect(pages.map(({ items }) => items.length)).toEqual([20, 1]);
  });
});
