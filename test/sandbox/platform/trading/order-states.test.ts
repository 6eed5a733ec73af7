import { beforeEach, describe, expect, it } from 'vitest';
import { orderTransitions } from '#sandbox/platform/trading/order-states.ts';
import { type Fields, startTrading, type TestTrading, unknownId } from './trading-fixture.ts';

let trading: TestTrading;
beforeEach(async () => {
  trading = startTrading();
  await trading.fund(1_000);
});

/** Section 3.3, by hand: the next statuses of each. CORRECTED names FILLED as its previous one. */
const table: Readonly<Record<string, readonly string[]>> = {
  RECEIVED: ['INVALID', 'PENDING'],
  INVALID: [],
  PENDING: ['FILLED', 'CANCELED', 'REJECTED'],
  CANCELED: [],
  REJECTED: [],
  FILLED: ['SETTLED', 'CORRECTED'],
  CORRECTED: ['CANCELED'],
  SETTLED: [],
};

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

const all = Object.keys(table).flatMap((status) => calls.map(([name, next, body]) => ({ status, name, next, body })));
const legal = all.filter(({ status, next }) => table[status]?.includes(next));
const illegal = all.filter(({ status, next }) => !table[status]?.includes(next));

describe('3.3: the table of order statuses', () => {
  it('is what this platform keeps to', () => {
    expect(orderTransitions).toEqual(table);
  });

  it.each(Object.keys(table))('has %s, and an order comes to it', async (status) => {
    const orderId = await ways[status]?.(trading);
    expect(await record(orderId ?? '')).toMatchObject({ status });
  });

  it.each(legal)('lets an order that is $status become $next', async ({ status, name, next, body }) => {
    const orderId = (await ways[status]?.(trading)) ?? '';
    expect(await act(orderId, name, body)).toMatchObject({ status: 200, body: { orderId, status: next } });
    expect(await record(orderId)).toMatchObject({ status: next });
  });

  it.each(illegal)('does not let an order that is $status become $next', async ({ status, name, next, body }) => {
    const orderId = (await ways[status]?.(trading)) ?? '';
    const [before, sent, account] = [await record(orderId), trading.sent.length, await trading.account()];
    const refused = await act(orderId, name, body);
    expect(refused).toMatchObject({ status: 409, body: { responseType: 'CONFLICT' } });
    expect(refused.text).toContain(`It cannot become ${next}: it is ${status}`);
    expect([await record(orderId), trading.sent.length, await trading.account()]).toEqual([before, sent, account]);
  });

  it('is told to whoever asks for what is not in it', async () => {
    const { body } = await act(await trading.pendingOrder(), 'settle');
    expect(body).toMatchObject({
      message: 'It cannot become SETTLED: it is PENDING, which may become FILLED or CANCELED or REJECTED.',
    });
  });
});

describe('3.3: INVALID', () => {
  it.each(['CREATED', 'SUSPENDED', 'BLOCKED'] as const)('is an order whose requestor is %s', async (status) => {
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
  });

  it('is an order whose requestor there is not, or is not entitled (section 5, rule 6)', async () => {
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

  it('says why in the notification alone', async () => {
    trading.changeStatus(trading.person, 'BLOCKED');
    const orderId = await trading.pendingOrder();
    expect(await record(orderId)).not.toHaveProperty('validationError');
    trading.changeStatus(trading.person, 'ACTIVE');
    const { body } = await trading.api('GET', `/traditional/orders/${orderId}`);
    expect(body).toMatchObject({ status: 'INVALID' });
    expect(body).not.toHaveProperty('validationError');
  });
});

describe('3.3, flow rule 1: creating an order', () => {
  it('gives its id, with RECEIVED, and sends nothing yet', async () => {
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

  it('is followed by PENDING when the settings say', async () => {
    trading.settings.change({ ordersPendingAfter: 30 });
    const orderId = await trading.placeOrder();
    await trading.clock.advance(29);
    expect(await record(orderId)).toMatchObject({ status: 'RECEIVED' });
    await trading.clock.advance(1);
    expect(await record(orderId)).toMatchObject({ status: 'PENDING' });
  });

  it('takes an order for an asset that nobody knows: it is REJECTED only by the exchange', async () => {
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
  ])('refuses a %s of %j', async (field, change) => {
    const order = { naturalPersonId: trading.person, isin: trading.asset.isin, side: 'BUY', quantity: 1, ...change };
    expect(await trading.control('POST', '/orders', order)).toMatchObject({
      status: 400,
      body: { errorDetails: [expect.objectContaining({ field })] },
    });
    expect(trading.orders.all()).toEqual([]);
  });

  it('refuses an order for a natural person that there is not', async () => {
    const order = { naturalPersonId: unknownId, isin: trading.asset.isin, side: 'BUY', quantity: 1 };
    expect(await trading.control('POST', '/orders', order)).toMatchObject({ status: 404 });
  });
});

describe('3.3, flow rule 2: execution', () => {
  it('updates balance and position, notifies FILLED, and after settlement SETTLED', async () => {
    const orderId = await trading.pendingOrder({ quantity: 3 });
    await act(orderId, 'execute', { price: 12.5 });
    expect(await trading.account()).toMatchObject({
      cash: 962.5,
      positions: [{ isin: trading.asset.isin, quantity: 3 }],
    });
    await act(orderId, 'settle');
    expect(trading.sentOf(orderId).map(({ status }) => status)).toEqual(['PENDING', 'FILLED', 'SETTLED']);
  });

  it('of a sale adds to the balance and takes from the position', async () => {
    await trading.fund(0, [{ isin: trading.asset.isin, quantity: 5 }]);
    const orderId = await trading.pendingOrder({ side: 'SELL', quantity: 5 });
    await act(orderId, 'execute', { price: 2 });
    expect(await trading.account()).toMatchObject({ cash: 10, positions: [] });
  });

  it('happens of itself, and so does settlement, when the settings say', async () => {
    trading.settings.change({ ordersExecutedAfter: 10, ordersSettledAfter: 20 });
    const orderId = await trading.pendingOrder();
    await trading.clock.advance(10);
    expect(await record(orderId)).toMatchObject({ status: 'FILLED', executions: [{ price: trading.asset.price }] });
    await trading.clock.advance(20);
    expect(await record(orderId)).toMatchObject({ status: 'SETTLED' });
  });

  it('does not settle of itself what was corrected meanwhile', async () => {
    trading.settings.change({ ordersSettledAfter: 20 });
    const orderId = await through(trading, 'execute', 'correct');
    await trading.clock.advance(20);
    expect(await record(orderId)).toMatchObject({ status: 'CORRECTED' });
  });

  it('is at the specified or a better price', async () => {
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

  it('is refused with a body that is no JSON, and is not passed over', async () => {
    const orderId = await trading.pendingOrder();
    const answer = await trading.app.request(`/control/orders/${orderId}/execute`, {
      method: 'POST',
      body: new URLSearchParams({ price: '5' }),
    });
    expect(answer.status).toBe(400);
    expect(await record(orderId)).toMatchObject({ status: 'PENDING' });
  });
});

describe('3.3: SETTLED', () => {
  it('is when what a sale brought can be withdrawn, not before', async () => {
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

  it('lets what a sale brought be spent on other assets before', async () => {
    await trading.fund(0, [{ isin: trading.asset.isin, quantity: 5 }]);
    await act(await trading.pendingOrder({ side: 'SELL', quantity: 5 }), 'execute', { price: 20 });
    const orderId = await trading.pendingOrder({ quantity: 4 });
    expect((await act(orderId, 'execute', { price: 20 })).body).toMatchObject({ status: 'FILLED' });
    expect(await trading.account()).toMatchObject({ cash: 20, settledCash: 0 });
  });
});

describe('3.3, flow rule 3: REJECTED', () => {
  it('is notified with its reason where the balance is too low, and nothing is taken', async () => {
    const orderId = await trading.pendingOrder({ quantity: 10 });
    await act(orderId, 'execute', { price: 100.01 });
    expect(trading.sentOf(orderId).at(-1)).toMatchObject({ status: 'REJECTED', message: 'Insufficient funds' });
    expect(await trading.account()).toMatchObject({ cash: 1_000, positions: [] });
  });

  it('is not where the balance is just enough', async () => {
    const orderId = await trading.pendingOrder({ quantity: 10 });
    await act(orderId, 'execute', { price: 100 });
    expect(await trading.account()).toMatchObject({ cash: 0 });
    expect(await record(orderId)).toMatchObject({ status: 'FILLED' });
  });

  it('is notified with its reason where the position is too small', async () => {
    const orderId = await trading.pendingOrder({ side: 'SELL' });
    await act(orderId, 'execute');
    expect(trading.sentOf(orderId).at(-1)).toMatchObject({ status: 'REJECTED', message: 'Insufficient position' });
    expect(await trading.account()).toMatchObject({ cash: 1_000 });
  });

  it('is notified with the reason of the exchange', async () => {
    const orderId = await trading.pendingOrder();
    await act(orderId, 'reject', { reason: 'System error' });
    expect(trading.sentOf(orderId).at(-1)).toMatchObject({ status: 'REJECTED', message: 'System error' });
  });
});

describe('3.3: CORRECTED', () => {
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

  it('is taken back whole when it is CANCELED', async () => {
    const orderId = await trading.pendingOrder({ quantity: 3 });
    await act(orderId, 'execute', { price: 12.5 });
    await act(orderId, 'correct', { quantity: 2 });
    await act(orderId, 'cancel');
    expect(await trading.account()).toMatchObject({ cash: 1_000, settledCash: 1_000, positions: [] });
  });

  it('of a sale leaves nothing unsettled when it is CANCELED', async () => {
    await trading.fund(100, [{ isin: trading.asset.isin, quantity: 5 }]);
    const orderId = await trading.pendingOrder({ side: 'SELL', quantity: 5 });
    await act(orderId, 'execute', { price: 20 });
    await act(orderId, 'correct', { price: 15 });
    expect(await trading.account()).toMatchObject({ cash: 175, settledCash: 100, positions: [] });
    await act(orderId, 'cancel');
    expect(await trading.account()).toMatchObject({ cash: 100, settledCash: 100, positions: [{ quantity: 5 }] });
  });

  it('is refused where the account cannot carry it', async () => {
    const orderId = await trading.pendingOrder({ quantity: 10 });
    await act(orderId, 'execute', { price: 100 });
    expect(await act(orderId, 'correct', { price: 101 })).toMatchObject({ status: 409 });
    expect(await record(orderId)).toMatchObject({ status: 'FILLED' });
  });

  it('must change something', async () => {
    expect(await act(await through(trading, 'execute'), 'correct', {})).toMatchObject({ status: 400 });
  });
});

describe('the history of an order', () => {
  it('has each status with the time of it, as it was notified', async () => {
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
