import { beforeEach, describe, expect, it } from 'vitest';
import { PlatformInputError } from '#shared/platform/client/errors.ts';
import { listUndeliveredWebhooks, markWebhooksDelivered } from '#shared/platform/resources/undelivered-webhooks.ts';
import { getWebhook } from '#shared/platform/resources/webhooks.ts';
import { registerPartner, unknownId, useContract } from './contract.ts';
import { httpError, refused } from './refused.ts';

const contract = useContract({ settings: { deliveryRetriesAfter: [] } });

const eventType = 'TRANSFER_NOTIFICATION';
const orders = ['ASCENDING', 'DESCENDING', 'SHUFFLED'] as const;
const undelivered = () => Array.fromAsync(listUndeliveredWebhooks(contract().client));
const bodies = async () => (await undelivered()).map(({ body }) => body);

async function fail(...texts: readonly string[]): Promise<void> {
  contract().partner.answer = 503;
  for (const body of texts) {
    await contract().control('POST', '/notifications', { eventType, body });
    await contract().advance(1);
  }
}

beforeEach(() => registerPartner(contract(), eventType));

describe('2.2 id: a UUID', () => {
  it('gives each undelivered webhook a UUID of its own', async () => {
    await fail('1', '2');
    const ids = (await undelivered()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});

describe('2.2 webhook: the webhook that was called', () => {
  it('names the registered webhook of the event type', async () => {
    await fail('1');
    const [record] = await undelivered();
    expect(record?.webhook).toEqual(await getWebhook(contract().client, eventType));
  });
});

describe('2.2 body: that of the request', () => {
  it.each(['{"transferId": "1"}', '{ "n" : 1.0 }\n', 'no JSON', ''])('keeps the body unchanged: %j', async (text) => {
    await fail(text);
    expect(await bodies()).toEqual([text]);
  });
});

describe('2.2 errorMessage: the error of the attempt', () => {
  it('names the status of the answer', async () => {
    await fail('1');
    expect((await undelivered())[0]?.errorMessage).toContain('503');
  });
});

describe('2.2 createdOn + 2.2 modifiedOn: when it failed', () => {
  it('has the platform time of the failure as createdOn and modifiedOn', async () => {
    await contract().advance(60);
    await fail('1');
    const time = expect.stringMatching(/^2026-11-21T08:01:00(\.\d{1,9})?Z$/);
    expect((await undelivered())[0]).toMatchObject({ createdOn: time, modifiedOn: time });
  });
});

describe('2.2 UndeliveredWebhooks: data and pagination', () => {
  it('answers data and pagination, also without a failure', async () => {
    const { body } = await contract().call('GET', '/webhooks-undelivered');
    expect(body).toEqual({ data: [], pagination: { cursor: '', limit: 20 } });
  });

  it.each(orders)('lists each record once, in the order %s', async (undeliveredOrder) => {
    contract().platform.settings.change({ undeliveredOrder });
    const texts = Array.from({ length: 45 }, (_, index) => String(index));
    await fail(...texts);
    expect((await bodies()).toSorted()).toEqual(texts.toSorted());
  });
});

describe('2.2 MarkDeliveredWebhooksData: marks this one and all that are older', () => {
  const mark = async (text: string) => {
    const record = (await undelivered()).find(({ body }) => body === text);
    await markWebhooksDelivered(contract().client, record?.id ?? '');
  };

  it.each(orders)('keeps the records that are newer than the marked one, in the order %s', async (undeliveredOrder) => {
    contract().platform.settings.change({ undeliveredOrder });
    await fail('1', '2', '3', '4', '5');
    await mark('3');
    expect((await bodies()).toSorted()).toEqual(['4', '5']);
  });

  it('keeps the records of later failures', async () => {
    await fail('1', '2');
    await mark('2');
    await fail('3');
    expect(await bodies()).toEqual(['3']);
  });

  it('accepts an id in capitals, and refuses what is marked already', async () => {
    await fail('1', '2', '3');
    const [older, marked] = (await undelivered()).map(({ id }) => id);
    await markWebhooksDelivered(contract().client, marked?.toUpperCase() ?? '');
    for (const id of [older, marked])
      await expect(markWebhooksDelivered(contract().client, id ?? '')).rejects.toEqual(httpError(404));
    expect(await bodies()).toEqual(['3']);
  });

  it('refuses an id that is no UUID', async () => {
    await expect(markWebhooksDelivered(contract().client, 'newest')).rejects.toBeInstanceOf(PlatformInputError);
    const body = { undeliveredWebhookId: 'newest' };
    expect(await contract().call('POST', '/webhooks-undelivered/mark-delivered', { body })).toEqual(
      refused(400, 'undeliveredWebhookId'),
    );
  });

  it('marks no record when the id is unknown', async () => {
    await fail('1');
    await expect(markWebhooksDelivered(contract().client, unknownId)).rejects.toEqual(httpError(404));
    expect(await bodies()).toEqual(['1']);
  });
});
