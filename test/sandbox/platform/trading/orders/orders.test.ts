import { beforeEach, describe, expect, it } from 'vitest';
import { type Fields, startTrading, type TestTrading } from '#test/sandbox/platform/trading/trading-fixture.ts';

let trading: TestTrading;
beforeEach(async () => {
  trading = startTrading();
  await trading.fund(1_000);
});

const cancel = (orderId: string) => trading.api('DELETE', `/traditional/orders/${orderId}`);
const act = (orderId: string, name: string, body?: Fields) =>
  trading.control('POST', `/orders/${orderId}/${name}`, body);
const record = async (orderId: string) => (await trading.control('GET', `/orders/${orderId}`)).body;
const statusOf = (orderId: string) => trading.orders.get(orderId).status;

async function correctedOrder(): Promise<string> {
  const orderId = await trading.pendingOrder({ quantity: 2 });
  await act(orderId, 'execute', { price: 50 });
  await act(orderId, 'correct', { price: 60 });
  return orderId;
}

describe('sandbox platform: creating an order (section 3.3, rule 1)', () => {
  it('accepts an order for an unknown asset, which the exchange rejects later', async () => {
    const orderId = await trading.pendingOrder({ isin: 'US0378331005' });
    expect(await record(orderId)).toMatchObject({ status: 'PENDING' });
    await act(orderId, 'execute');
    expect(trading.sentOf(orderId).at(-1)).toMatchObject({
      status: 'REJECTED',
      message: 'Invalid parameters: unknown isin',
    });
  });
});

describe('sandbox platform: executing an order (section 3.3, rule 2)', () => {
  it('executes and settles by itself after the configured times', async () => {
    trading.settings.change({ ordersExecutedAfter: 10, ordersSettledAfter: 20 });
    const orderId = await trading.pendingOrder();
    await trading.clock.advance(10);
    expect(await record(orderId)).toMatchObject({ status: 'FILLED', executions: [{ price: trading.asset.price }] });
    await trading.clock.advance(20);
    expect(await record(orderId)).toMatchObject({ status: 'SETTLED' });
  });

  it('executes at the specified or a better price', async () => {
    const price = async (order: Fields, market: Fields = {}) => {
      const orderId = await trading.pendingOrder(order);
      const { body } = await act(orderId, 'execute', market);
      return body;
    };
    await trading.fund(1_000, [{ isin: trading.asset.isin, quantity: 5 }]);
    const market = trading.asset.price;
    expect(await price({ limitPrice: market + 1 })).toMatchObject({ executions: [{ price: market }] });
    expect(await price({ limitPrice: market - 1 })).toMatchObject({ executions: [{ price: market - 1 }] });
    expect(await price({ side: 'SELL', limitPrice: market + 1 })).toMatchObject({
      executions: [{ price: market + 1 }],
    });
    expect(await price({ limitPrice: 5 }, { price: 5 })).toMatchObject({ executions: [{ price: 5 }] });
    expect(await price({ limitPrice: 5 }, { price: 4.99 })).toMatchObject({ executions: [{ price: 4.99 }] });
    expect(await price({ limitPrice: 5 }, { price: 5.01 })).toMatchObject({ errorDetails: [{ field: 'price' }] });
    expect(await price({ side: 'SELL', limitPrice: 5 }, { price: 4.99 })).toMatchObject({
      errorDetails: [{ field: 'price' }],
    });
  });
});

describe('sandbox platform: SETTLED orders (section 3.3)', () => {
  it('allows the proceeds of a sale to pay for other assets before settlement', async () => {
    await trading.fund(0, [{ isin: trading.asset.isin, quantity: 5 }]);
    await act(await trading.pendingOrder({ side: 'SELL', quantity: 5 }), 'execute', { price: 20 });
    const orderId = await trading.pendingOrder({ quantity: 4 });
    expect((await act(orderId, 'execute', { price: 20 })).body).toMatchObject({ status: 'FILLED' });
    expect(await trading.account()).toMatchObject({ cash: 20, settledCash: 0 });
  });
});

describe('sandbox platform: CORRECTED orders (section 3.3)', () => {
  it('changes balance and position by the difference', async () => {
    const orderId = await trading.pendingOrder({ quantity: 3 });
    await act(orderId, 'execute', { price: 12.5 });
    await act(orderId, 'correct', { price: 12, quantity: 4 });
    expect(await trading.account()).toMatchObject({ cash: 952, positions: [{ quantity: 4 }] });
    expect(trading.sentOf(orderId).at(-1)).toMatchObject({
      status: 'CORRECTED',
      quantity: 3,
      executions: [{ price: 12, quantity: 4 }],
    });
  });
});

describe('sandbox platform: the cancel of an order', () => {
  it('fails the cancel when the position was sold meanwhile', async () => {
    const orderId = await correctedOrder();
    await act(await trading.pendingOrder({ side: 'SELL', quantity: 1 }), 'execute');
    const sent = trading.sent.length;
    expect(await cancel(orderId)).toMatchObject({ status: 202 });
    await trading.clock.advance(10);
    expect([statusOf(orderId), trading.sent.length]).toEqual(['CORRECTED', sent]);
    expect(await act(orderId, 'cancel')).toMatchObject({ status: 409 });
  });
});
