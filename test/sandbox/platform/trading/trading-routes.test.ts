import { beforeEach, describe, expect, it } from 'vitest';
import { startTrading, type TestTrading } from './trading-fixture.ts';

let trading: TestTrading;
beforeEach(async () => {
  trading = startTrading();
  await trading.fund(1_000);
});

describe('sandbox platform: access to orders and transfers (section 5)', () => {
  it('answers the natural person and a representative with an ACTIVE proxy only', async () => {
    const paths = [
      `/traditional/orders/${await trading.pendingOrder()}`,
      `/transfers/${await trading.createTransfer()}`,
    ];
    const answers = async (requestorId: string) =>
      Promise.all(paths.map(async (path) => (await trading.api('GET', path, requestorId)).status));
    expect(await answers(trading.person)).toEqual([200, 200]);
    expect(await answers(trading.representative)).toEqual([400, 400]);
    const { proxyId } = trading.proxies.create(trading.representative, trading.person);
    expect(await answers(trading.representative)).toEqual([200, 200]);
    trading.proxies.deactivate(proxyId);
    expect(await trading.api('GET', paths[0] ?? '', trading.representative)).toMatchObject({
      body: { message: 'Requestor-ID invalid' },
    });
  });
});

describe('sandbox platform: answers that section 4.3 does not show', () => {
  it('returns an order with its execution', async () => {
    const orderId = await trading.pendingOrder({ externalId: 'order-1', quantity: 1.5, limitPrice: 20 });
    await trading.control('POST', `/orders/${orderId}/execute`, { price: 19.9999 });
    const { createdOn, modifiedOn } = trading.orders.get(orderId);
    expect(await trading.api('GET', `/traditional/orders/${orderId}`)).toMatchObject({
      status: 200,
      body: {
        orderId,
        externalId: 'order-1',
        status: 'FILLED',
        createdOn,
        modifiedOn,
        side: 'BUY',
        isin: trading.asset.isin,
        quantity: 1.5,
        limitPrice: 20,
        executions: [
          { executionId: expect.any(String), executedOn: expect.any(String), quantity: 1.5, price: 19.9999 },
        ],
      },
    });
  });

  it('returns a transfer in a wrapper with the configured status field', async () => {
    const transferId = await trading.createTransfer({ amount: 1_000.01 });
    await trading.clock.advance(1);
    const { createdOn, modifiedOn } = trading.transfers.get(transferId);
    expect((await trading.api('GET', `/transfers/${transferId}`)).body).toEqual({
      transfer: {
        transferId,
        transferStatus: 'REJECTED',
        rejectReason: 'INSUFFICIENT_BALANCE',
        naturalPersonId: trading.person,
        direction: 'OUT',
        amount: 1_000.01,
        createdOn,
        modifiedOn,
      },
    });
  });
});
