import { describe, expect, it } from 'vitest';
import { listUndeliveredWebhooks } from '#shared/platform/resources/undelivered-webhooks.ts';
import { registerWebhook } from '#shared/platform/resources/webhooks.ts';
import { registerPartner, useContract } from './contract.ts';

const contract = useContract();
const eventType = 'TRANSFER_NOTIFICATION';
const undelivered = () => Array.fromAsync(listUndeliveredWebhooks(contract().client));
const notify = (body: string) => contract().control('POST', '/notifications', { eventType, body });

describe('6 HTTPS + 2.1 headers: notifications go to the registered URL with the registered headers', () => {
  it('sends to the URL of the event type', async () => {
    await registerPartner(contract(), eventType, 'PROXY_NOTIFICATION');
    expect(await notify('{"transferId":"1"}')).toEqual({ outcome: 'delivered', status: 200 });
    expect(contract().partner.received).toMatchObject([
      {
        eventType,
        text: '{"transferId":"1"}',
        headers: { 'x-secret': 'abc', 'content-type': 'application/json' },
      },
    ]);
  });

  it('sends nothing for an unregistered event type', async () => {
    await registerPartner(contract(), 'PROXY_NOTIFICATION');
    expect(await notify('{}')).toEqual({ outcome: 'unregistered' });
    expect(contract().partner.received).toEqual([]);
  });

  it('sends to the new URL after another registration', async () => {
    await registerPartner(contract(), eventType);
    const url = `${contract().partner.origin}/elsewhere/NEW`;
    await registerWebhook(contract().client, { eventType, url });
    await notify('{}');
    expect(contract().partner.received).toMatchObject([{ eventType: 'NEW' }]);
  });
});

describe('6 undelivered: deliveries that fail are kept, and can be marked', () => {
  it('keeps the delivery after the last attempt', async () => {
    await registerPartner(contract(), eventType);
    contract().partner.answer = 503;
    await notify('{"transferId":"1"}');
    await contract().advance(60);
    expect(contract().partner.received).toHaveLength(3);
    expect(await undelivered()).toMatchObject([{ body: '{"transferId":"1"}' }]);
  });

  it('keeps no delivery that is answered 2xx', async () => {
    await registerPartner(contract(), eventType);
    contract().partner.answer = 204;
    await notify('{}');
    expect(await undelivered()).toEqual([]);
  });
});
