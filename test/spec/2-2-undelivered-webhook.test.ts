import { beforeEach, describe, expect, it } from 'vitest';
import { PlatformInputError } from '#shared/platform/client/errors.ts';
import { listUndeliveredWebhooks, markWebhooksDelivered } from '#shared/platform/resources/undelivered-webhooks.ts';
import { getWebhook } from '#shared/platform/resources/webhooks.ts';
import { registerPartner, useContract } from './contract.ts';
import { httpError, refused } from './refused.ts';

const contract = useContract({ settings: { deliveryRetriesAfter: [] } });

const eventType = 'TRANSFER_NOTIFICATION';
const undelivered = () => Array.fromAsync(listUndeliveredWebhooks(contract().client));
const bodies = async () => (await undelivered()).map(({ body }) => body);

async function fail(...texts: readonly string[]): Promise<void> {
  contract().partner.status = 503;
  for (const body of texts) {
    await contract().control('POST', '/notifications', { eventType, body });
    await contract().advance(1);
  }
}

beforeEach(() => registerPartner(contract(), eventType));

describe('2.2 id: a UUID', () => {
  it('is another for each', async () => {
    await fail('1', '2');
    const ids = (await undelivered()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});

describe('2.2 webhook: the webhook that was called', () => {
  it('is that of the event type', async () => {
    await fail('1');
    const [record] = await undelivered();
    expect(record?.webhook).toEqual(await getWebhook(contract().client, eventType));
  });
});

describe('2.2 body: that of the request', () => {
  it.each(['{"transferId": "1"}', '{ "n" : 1.0 }\n', 'no JSON', ''])('is kept as it is: %j', async (text) => {
    await fail(text);
    expect(await bodies()).toEqual([text]);
  });
});

describe('2.2 errorMessage: the error of the attempt', () => {
  it('says what was answered', async () => {
    await fail('1');
    expect((await undelivered())[0]?.errorMessage).toContain('503');
  });
});

describe('2.2 createdOn: when it failed', () => {
  it('is the time of the platform', async () => {
    await contract().advance(60);
    await fail('1');
    expect((await undelivered())[0]?.createdOn).toMatch(/^2026-11-21T08:01:00(\.\d{1,9})?Z$/);
  });
});

describe('2.2 modifiedOn: a date-time', () => {
  it('is there', async () => {
    await fail('1');
    expect((await undelivered())[0]?.modifiedOn).toMatch(/^2026-11-21T08:00:00(\.\d{1,9})?Z$/);
  });
});

describe('2.2 UndeliveredWebhooks: data and pagination', () => {
  it('are both there, also where nothing has failed', async () => {
    const { body } = await contract().call('GET', '/webhooks-undelivered');
    expect(body).toEqual({ data: [], pagination: { cursor: '', limit: 20 } });
  });

  it.each(['ASCENDING', 'DESCENDING', 'SHUFFLED'] as const)(
    'have each record once, in an order that nobody knows: %s',
    async (undeliveredOrder) => {
      contract().platform.settings.change({ undeliveredOrder });
      const texts = Array.from({ length: 45 }, (_, index) => String(index));
      await fail(...texts);
      expect((await bodies()).toSorted()).toEqual(texts.toSorted());
    },
  );
});

describe('2.2 MarkDeliveredWebhooksData: marks this one and all that are older', () => {
  const mark = async (text: string) => {
    const record = (await undelivered()).find(({ body }) => body === text);
    await markWebhooksDelivered(contract().client, record?.id ?? '');
  };

  it('keeps those that are newer', async () => {
    await fail('1', '2', '3', '4', '5');
    await mark('3');
    expect(await bodies()).toEqual(['4', '5']);
  });

  it('keeps what fails afterwards', async () => {
    await fail('1', '2');
    await mark('2');
    await fail('3');
    expect(await bodies()).toEqual(['3']);
  });

  it('takes a UUID', async () => {
    await expect(markWebhooksDelivered(contract().client, 'newest')).rejects.toBeInstanceOf(PlatformInputError);
    const body = { undeliveredWebhookId: 'newest' };
    expect(await contract().call('POST', '/webhooks-undelivered/mark-delivered', { body })).toEqual(
      refused(400, 'undeliveredWebhookId'),
    );
  });

  it('marks nothing where there is none of this id', async () => {
    await fail('1');
    const nobody = '99999999-9999-4999-8999-999999999999';
    await expect(markWebhooksDelivered(contract().client, nobody)).rejects.toEqual(httpError(404));
    expect(await bodies()).toEqual(['1']);
  });
});
