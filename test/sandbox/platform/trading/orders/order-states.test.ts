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

/** `order-statuses.test.ts` compares the table with that of the product. */
const table: Readonly<Record<string, readonly string[]>> = orderTransitions;

/** The calls of the control API, each with the status that it leads to. */
const calls: readonly (readonly [name: string, status: string, body?: Fields])[] = [
  ['execute', 'FILLED'],
  ['reject', 'REJECTED', { reason: 'The exchange is closed.' }],
  ['cancel', 'CANCELED'],
  ['settle', 'SETTLED'],
  ['correct', 'CORRECTED', { price: 11 }],
];

const act = (orderId: string, name: string, body?: Fields) =>
  trading.control('POST', `/orders/${orderId}/${name}`, body);

const record = async (orderId: string) => (await trading.control('GET', `/orders/${orderId}`)).body;

/** How an order comes to a status: the calls of the control API after it was placed. */
const ways: Readonly<Record<string, (trading: TestTrading) => Promise<string>>> = {
  RECEIVED: (on) => on.placeOrder(),
  INVALID: (on) => {
    on.changeStatus(on.person, 'BLOCKED');
    return on.pendingOrder();
  },
  PENDING: (on) => on.pendingOrder(),
  CANCELED: (on) => through(on, 'cancel'),
  REJECTED: (on) => through(on, 'reject'),
  FILLED: (on) => through(on, 'execute'),
  CORRECTED: (on) => through(on, 'execute', 'correct'),
  SETTLED: (on) => through(on, 'execute', 'settle'),
};

async function through(on: TestTrading, ...names: readonly string[]): Promise<string> {
  const orderId = await on.pendingOrder();
  for (const name of names) {
    const body = calls.find((call) => call[0] === name)?.[2];
    await on.control('POST', `/orders/${orderId}/${name}`, body);
  }
  return orderId;
}

const all = Object.keys(ways).flatMap((status) => calls.map(([name, next, body]) => ({ status, name, next, body })));
const legal = all.filter(({ status, next }) => table[status]?.includes(next));
const illegal = all.filter(({ status, next }) => !table[status]?.includes(next));

describe('sandbox platform: the table of order statuses (section 3.3)', () => {
  it.each(Object.keys(ways))('reaches the status %s', async (status) => {
    const orderId = await ways[status]?.(trading);
    expect(await record(orderId ?? '')).toMatchObject({ status });
  });

  it.each(legal)('allows an order that is $status to become $next', async ({ status, name, next, body }) => {
    const orderId = (await ways[status]?.(trading)) ?? '';
    expect(await act(orderId, name, body)).toMatchObject({ status: 200, body: { orderId, status: next } });
    expect(await record(orderId)).toMatchObject({ status: next });
  });

  it.each(illegal)('rejects the change of an order from $status to $next', async ({ status, name, next, body }) => {
    const orderId = (await ways[status]?.(trading)) ?? '';
    const [before, sent, account] = [await record(orderId), trading.sent.length, await trading.account()];
    const refused = await act(orderId, name, body);
    expect(refused).toMatchObject({ status: 409, body: { responseType: 'CONFLICT' } });
    expect(refused.text).toContain(`It cannot become ${next}: it is ${status}`);
    expect([await record(orderId), trading.sent.length, await trading.account()]).toEqual([before, sent, account]);
  });

  it('names the allowed transitions when it rejects one', async () => {
    const { body } = await act(await trading.pendingOrder(), 'settle');
    expect(body).toMatchObject({
      message: `It cannot become SETTLED: it is PENDING, which may become ${orderTransitions.PENDING.join(' or ')}.`,
    });
  });
});

describe('sandbox platform: INVALID orders (section 3.3)', () => {
  it.each(['CREATED', 'SUSPENDED', 'BLOCKED'] as const)(
    'makes an order INVALID when its requestor is %s',
    async (status) => {
      const requestorId = trading.makePerson(status);
      trading.proxies.create(requestorId, trading.person);
      const orderId = await trading.pendingOrder({ requestorId });
      expect(trading.sentOf(orderId)).toEqual([
        expect.objectContaining({
          status: 'INVALID',
          notificationType: 'VALIDATION_ERROR',
          validationError: {
            errorType: 'VALIDATION_ERROR',
            description: 'The natural person of the Requestor-ID is not ACTIVE.',
          },
        }),
      ]);
    },
  );

  it('makes an order INVALID when its requestor is unknown or not entitled (section 5, rule 6)', async () => {
    const [unknown, stranger] = [
      await trading.placeOrder({ requestorId: unknownId }),
      await trading.pendingOrder({ requestorId: trading.representative }),
    ];
    expect(trading.sentOf(unknown)).toMatchObject([{ validationError: { errorType: 'VALIDATION_ERROR' } }]);
    expect(trading.sentOf(stranger)).toMatchObject([
      { status: 'INVALID', validationError: { description: 'Requestor-ID invalid' } },
    ]);
    trading.proxies.create(trading.representative, trading.person);
    const entitled = await trading.pendingOrder({ requestorId: trading.representative });
    expect(await record(entitled)).toMatchObject({ status: 'PENDING', requestorId: trading.representative });
  });

  it('gives the reason in the notification only', async () => {
    trading.changeStatus(trading.person, 'BLOCKED');
    const orderId = await trading.pendingOrder();
    expect(await record(orderId)).not.toHaveProperty('validationError');
    trading.changeStatus(trading.person, 'ACTIVE');
    const { body } = await trading.api('GET', `/traditional/orders/${orderId}`);
    expect(body).toMatchObject({ status: 'INVALID' });
    expect(body).not.toHaveProperty('validationError');
  });
});

describe('sandbox platform: creating an order (section 3.3, rule 1)', () => {
  it('returns the id with RECEIVED and sends no notification yet', async () => {
    const isin = trading.asset.isin;
    const order = {
      naturalPersonId: trading.person,
      isin,
      side: 'BUY',
      quantity: 0.5,
      limitPrice: 10.25,
      externalId: 'order-1',
    };
    const placed = await trading.control('POST', '/orders', order);
    expect(placed).toMatchObject({ status: 200, body: { orderId: expect.any(String), status: 'RECEIVED' } });
    expect(trading.sent).toEqual([]);
    expect(trading.orders.all()).toMatchObject([
      { ...placed.body, isin, externalId: 'order-1', requestorId: trading.person },
    ]);
  });

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
  it('updates balance and position, and notifies FILLED and, after settlement, SETTLED', async () => {
    const orderId = await trading.pendingOrder({ quantity: 3 });
    await act(orderId, 'execute', { price: 12.5 });
    expect(await trading.account()).toMatchObject({
      cash: 962.5,
      positions: [{ isin: trading.asset.isin, quantity: 3 }],
    });
    await act(orderId, 'settle');
    expect(trading.sentOf(orderId).map(({ status }) => status)).toEqual(['PENDING', 'FILLED', 'SETTLED']);
  });

  it('adds the proceeds of a sale to the balance and reduces the position', async () => {
    await trading.fund(0, [{ isin: trading.asset.isin, quantity: 5 }]);
    const orderId = await trading.pendingOrder({ side: 'SELL', quantity: 5 });
    await act(orderId, 'execute', { price: 2 });
    expect(await trading.account()).toMatchObject({ cash: 10, positions: [] });
  });

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
    const orderId = await through(trading, 'execute', 'correct');
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

  it('rejects a body that is not JSON', async () => {
    const orderId = await trading.pendingOrder();
    const answer = await trading.app.request(`/control/orders/${orderId}/execute`, {
      method: 'POST',
      body: new URLSearchParams({ price: '5' }),
    });
    expect(answer.status).toBe(400);
    expect(await record(orderId)).toMatchObject({ status: 'PENDING' });
  });
});

describe('sandbox platform: SETTLED orders (section 3.3)', () => {
  it('allows the proceeds of a sale to be withdrawn from then on, and not before', async () => {
    await trading.fund(0, [{ isin: trading.asset.isin, quantity: 5 }]);
    const orderId = await trading.pendingOrder({ side: 'SELL', quantity: 5 });
    await act(orderId, 'execute', { price: 20 });
    expect(await trading.account()).toMatchObject({ cash: 100, settledCash: 0 });
    const [early] = [await trading.createTransfer({ amount: 100 }), await trading.clock.advance(1)];
    expect(trading.transfers.get(early)).toMatchObject({ status: 'REJECTED' });

    await act(orderId, 'settle');
    expect(await trading.account()).toMatchObject({ cash: 100, settledCash: 100 });
    const [late] = [await trading.createTransfer({ amount: 100 }), await trading.clock.advance(1)];
    expect(trading.transfers.get(late)).toMatchObject({ status: 'PENDING' });
  });

  it('allows the proceeds of a sale to pay for other assets before settlement', async () => {
    await trading.fund(0, [{ isin: trading.asset.isin, quantity: 5 }]);
    await act(await trading.pendingOrder({ side: 'SELL', quantity: 5 }), 'execute', { price: 20 });
    const orderId = await trading.pendingOrder({ quantity: 4 });
    expect((await act(orderId, 'execute', { price: 20 })).body).toMatchObject({ status: 'FILLED' });
    expect(await trading.account()).toMatchObject({ cash: 20, settledCash: 0 });
  });
});

describe('sandbox platform: REJECTED orders (section 3.3, rule 3)', () => {
  it('rejects and notifies an order that exceeds the balance, and takes no money', async () => {
    const orderId = await trading.pendingOrder({ quantity: 10 });
    await act(orderId, 'execute', { price: 100.01 });
    expect(trading.sentOf(orderId).at(-1)).toMatchObject({ status: 'REJECTED', message: 'Insufficient funds' });
    expect(await trading.account()).toMatchObject({ cash: 1_000, positions: [] });
  });

  it('fills an order that needs the exact balance', async () => {
    const orderId = await trading.pendingOrder({ quantity: 10 });
    await act(orderId, 'execute', { price: 100 });
    expect(await trading.account()).toMatchObject({ cash: 0 });
    expect(await record(orderId)).toMatchObject({ status: 'FILLED' });
  });

  it('rejects and notifies a sale that exceeds the position', async () => {
    const orderId = await trading.pendingOrder({ side: 'SELL' });
    await act(orderId, 'execute');
    expect(trading.sentOf(orderId).at(-1)).toMatchObject({ status: 'REJECTED', message: 'Insufficient position' });
    expect(await trading.account()).toMatchObject({ cash: 1_000 });
  });

  it('notifies the reason of the exchange', async () => {
    const orderId = await trading.pendingOrder();
    await act(orderId, 'reject', { reason: 'System error' });
    expect(trading.sentOf(orderId).at(-1)).toMatchObject({ status: 'REJECTED', message: 'System error' });
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

  it('reverts the whole order when it is CANCELED', async () => {
    const orderId = await trading.pendingOrder({ quantity: 3 });
    await act(orderId, 'execute', { price: 12.5 });
    await act(orderId, 'correct', { quantity: 2 });
    await act(orderId, 'cancel');
    expect(await trading.account()).toMatchObject({ cash: 1_000, settledCash: 1_000, positions: [] });
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
    expect(await act(await through(trading, 'execute'), 'correct', {})).toMatchObject({ status: 400 });
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
