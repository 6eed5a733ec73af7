import { beforeEach, describe, expect, it } from 'vitest';
import { orderTransitions } from '#sandbox/platform/trading/orders/order-states.ts';
import {
  type Fields,
  startTrading,
  type TestTrading,
  unknownId,
} from '#test/sandbox/platform/trading/trading-fixture.ts';

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
const statusesSentOf = (orderId: string) => trading.sentOf(orderId).map(({ status }) => status);

async function correctedOrder(): Promise<string> {
  const orderId = await trading.pendingOrder({ quantity: 2 });
  await act(orderId, 'execute', { price: 50 });
  await act(orderId, 'correct', { price: 60 });
  return orderId;
}

describe('sandbox platform: a call of the control API that the table of section 3.3 does not allow', () => {
  it('names the status and the allowed transitions', async () => {
    expect(await act(await trading.pendingOrder(), 'settle')).toMatchObject({
      status: 409,
      body: {
        message: `It cannot become SETTLED: it is PENDING, which may become ${orderTransitions.PENDING.join(' or ')}.`,
      },
    });
  });
});

describe('sandbox platform: creating an order (section 3.3, rule 1)', () => {
  it('moves the order to PENDING after the configured time', async () => {
    trading.settings.change({ ordersPendingAfter: 30 });
    const orderId = await trading.placeOrder();
    await trading.clock.advance(29);
    expect(await record(orderId)).toMatchObject({ status: 'RECEIVED' });
    await trading.clock.advance(1);
    expect(await record(orderId)).toMatchObject({ status: 'PENDING' });
  });

  it('accepts an order for an unknown asset, which the exchange rejects later', async () => {
    const orderId = await trading.pendingOrder({ isin: 'US0378331005' });
    expect(await record(orderId)).toMatchObject({ status: 'PENDING' });
    await act(orderId, 'execute');
    expect(trading.sentOf(orderId).at(-1)).toMatchObject({
      status: 'REJECTED',
      message: 'Invalid parameters: unknown isin',
    });
  });

  it.each<readonly [string, Fields]>([
    ['isin', { isin: 'apple' }],
    ['isin', { isin: undefined }],
    ['side', { side: 'HOLD' }],
    ['quantity', { quantity: 0 }],
    ['quantity', { quantity: -1 }],
    ['quantity', { quantity: '1' }],
    ['quantity', { quantity: 0.00001 }],
    ['limitPrice', { limitPrice: 1.00001 }],
    ['limitPrice', { limitPrice: 1e7 }],
    ['naturalPersonId', { naturalPersonId: 'me' }],
    ['naturalPersonId', { naturalPersonId: undefined }],
    ['requestorId', { requestorId: null }],
    ['nominal', { nominal: 5 }],
  ])('rejects a %s of %j', async (field, change) => {
    const order = { naturalPersonId: trading.person, isin: trading.asset.isin, side: 'BUY', quantity: 1, ...change };
    expect(await trading.control('POST', '/orders', order)).toMatchObject({
      status: 400,
      body: { errorDetails: [expect.objectContaining({ field })] },
    });
    expect(trading.orders.all()).toEqual([]);
  });

  it('rejects an order for an unknown natural person', async () => {
    const order = { naturalPersonId: unknownId, isin: trading.asset.isin, side: 'BUY', quantity: 1 };
    expect(await trading.control('POST', '/orders', order)).toMatchObject({ status: 404 });
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

  it('does not settle an order that was corrected meanwhile', async () => {
    trading.settings.change({ ordersSettledAfter: 20 });
    const orderId = await correctedOrder();
    await trading.clock.advance(20);
    expect(await record(orderId)).toMatchObject({ status: 'CORRECTED' });
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

  it('leaves no unsettled money when a sale is CANCELED', async () => {
    await trading.fund(100, [{ isin: trading.asset.isin, quantity: 5 }]);
    const orderId = await trading.pendingOrder({ side: 'SELL', quantity: 5 });
    await act(orderId, 'execute', { price: 20 });
    await act(orderId, 'correct', { price: 15 });
    expect(await trading.account()).toMatchObject({ cash: 175, settledCash: 100, positions: [] });
    await act(orderId, 'cancel');
    expect(await trading.account()).toMatchObject({ cash: 100, settledCash: 100, positions: [{ quantity: 5 }] });
  });

  it('rejects a correction that the account cannot cover', async () => {
    const orderId = await trading.pendingOrder({ quantity: 10 });
    await act(orderId, 'execute', { price: 100 });
    expect(await act(orderId, 'correct', { price: 101 })).toMatchObject({ status: 409 });
    expect(await record(orderId)).toMatchObject({ status: 'FILLED' });
  });

  it('rejects a correction that changes nothing', async () => {
    const orderId = await trading.pendingOrder();
    await act(orderId, 'execute');
    expect(await act(orderId, 'correct', {})).toMatchObject({ status: 400 });
  });
});

describe('sandbox platform: the history of an order', () => {
  it('records each status with its notified time', async () => {
    const orderId = await trading.placeOrder();
    await trading.clock.advance(1);
    await act(orderId, 'execute');
    await act(orderId, 'settle');
    const told = trading.sentOf(orderId).map(({ status, modifiedOn: since }) => ({ status, since }));
    const received = { status: 'RECEIVED', since: trading.orders.get(orderId).createdOn };
    expect(await record(orderId)).toMatchObject({ history: [received, ...told] });
    expect(new Set(told.map(({ since }) => since)).size).toBe(3);
  });
});

describe('sandbox platform: the cancel of an order', () => {
  it('cancels an order after the configured time', async () => {
    trading.settings.change({ cancelsAfter: 60 });
    const orderId = await trading.pendingOrder();
    await cancel(orderId);
    await trading.clock.advance(59);
    expect(statusOf(orderId)).toBe('PENDING');
    await trading.clock.advance(1);
    expect(statusOf(orderId)).toBe('CANCELED');
  });

  it('sends one webhook for repeated cancels', async () => {
    const orderId = await trading.pendingOrder();
    for (const _ of [1, 2, 3]) expect(await cancel(orderId)).toMatchObject({ status: 202 });
    await trading.clock.advance(10);
    expect(statusesSentOf(orderId)).toEqual(['PENDING', 'CANCELED']);
  });

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
