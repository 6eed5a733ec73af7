import { beforeEach, describe, expect, it } from 'vitest';
import { startTrading, type TestTrading, unknownId } from './trading-fixture.ts';

let trading: TestTrading;
beforeEach(async () => {
  trading = startTrading();
  await trading.fund(1_000);
});

const transactions = async (naturalPersonId = trading.person) =>
  (await trading.control('GET', `/natural-persons/${naturalPersonId}/transactions`)).body;
const act = (orderId: string, name: string, body?: unknown) =>
  trading.control('POST', `/orders/${orderId}/${name}`, body);

/** Calls of the control API that follow one another, with what each makes of the transaction. */
const ofOrders: readonly (readonly [string, unknown, string | undefined, string])[] = [
  ['execute', { price: 20 }, 'COMPLETED', 'FILLED'],
  ['correct', { price: 19.99 }, 'MODIFIED', 'CORRECTED'],
];

describe('3.5: the transaction of an order', () => {
  it('is N/A when it is RECEIVED or PENDING', async () => {
    await trading.placeOrder();
    expect(await transactions()).toEqual([]);
    await trading.clock.advance(1);
    expect(await transactions()).toEqual([]);
  });

  it('is N/A when it is INVALID', async () => {
    trading.changeStatus(trading.person, 'BLOCKED');
    await trading.pendingOrder();
    expect(await transactions()).toEqual([]);
  });

  it.each(['cancel', 'reject'])('is N/A when it is CANCELED or REJECTED: %s', async (name) => {
    await act(await trading.pendingOrder(), name, name === 'reject' ? { reason: 'System error' } : undefined);
    expect(await transactions()).toEqual([]);
  });

  it('is COMPLETED when it is FILLED, and MODIFIED when it is CORRECTED', async () => {
    const orderId = await trading.pendingOrder();
    for (const [name, body, status, orderStatus] of ofOrders) {
      expect(await act(orderId, name, body)).toMatchObject({ body: { status: orderStatus } });
      expect(await transactions()).toMatchObject([{ orderId, status }]);
    }
  });

  it('is COMPLETED when it is SETTLED', async () => {
    const orderId = await trading.pendingOrder();
    await act(orderId, 'execute', { price: 20 });
    await act(orderId, 'settle');
    expect(await transactions()).toMatchObject([{ orderId, status: 'COMPLETED', amount: -20 }]);
  });

  it('is N/A again when it is CORRECTED, then CANCELED', async () => {
    const orderId = await trading.pendingOrder();
    for (const [name, body] of ofOrders) await act(orderId, name, body);
    await act(orderId, 'cancel');
    expect(await transactions()).toEqual([]);
  });

  it('says what it brought, as it was corrected', async () => {
    const orderId = await trading.pendingOrder();
    for (const [name, body] of ofOrders) await act(orderId, name, body);
    expect(await transactions()).toMatchObject([{ amount: -19.99 }]);
  });
});

describe('3.5: the transaction of a transfer', () => {
  it('is N/A when it is RECEIVED or PENDING, and COMPLETED when it is PROCESSED', async () => {
    const transferId = await trading.createTransfer({ amount: 5 });
    expect(await transactions()).toEqual([]);
    await trading.clock.advance(1);
    expect(await transactions()).toEqual([]);
    await trading.control('POST', `/transfers/${transferId}/complete`);
    expect(await transactions()).toMatchObject([{ transferId, status: 'COMPLETED', amount: -5 }]);
  });

  it('is N/A when it is INVALID or REJECTED', async () => {
    await trading.createTransfer({ amount: 5_000 });
    await trading.createTransfer({ requestorId: trading.representative });
    await trading.clock.advance(1);
    expect(trading.transfers.all().map(({ status }) => status)).toEqual(['REJECTED', 'INVALID']);
    expect(await transactions()).toEqual([]);
  });

  it('is COMPLETED when it has come in', async () => {
    await trading.createTransfer({ direction: 'IN', amount: 5 });
    expect(await transactions()).toMatchObject([{ status: 'COMPLETED', amount: 5 }]);
  });
});

describe('the account of a natural person', () => {
  it('has the transactions of this person alone', async () => {
    await trading.createTransfer({ naturalPersonId: trading.representative, direction: 'IN', amount: 5 });
    expect(await transactions()).toEqual([]);
    expect(await transactions(trading.representative)).toMatchObject([{ amount: 5 }]);
  });

  it('is made what is asked for, and stays where nothing is', async () => {
    const isin = trading.asset.isin;
    const change = (body: unknown) => trading.control('POST', `/natural-persons/${trading.person}/account`, body);
    await change({ positions: [{ isin, quantity: 0.0001 }] });
    expect(await trading.account()).toEqual({
      cash: 1_000,
      settledCash: 1_000,
      positions: [{ isin, quantity: 0.0001 }],
    });
    await change({ cash: 0, positions: [{ isin, quantity: 0 }] });
    expect(await trading.account()).toEqual({ cash: 0, settledCash: 0, positions: [] });
    expect(await change({ cash: -1 })).toMatchObject({ status: 400 });
    expect(await change({ balance: 1 })).toMatchObject({ status: 400 });
  });

  it('is Not Found where there is no such person', async () => {
    for (const path of ['account', 'transactions'])
      expect(await trading.control('GET', `/natural-persons/${unknownId}/${path}`)).toMatchObject({ status: 404 });
    expect(await trading.control('POST', `/natural-persons/${unknownId}/account`, { cash: 1 })).toMatchObject({
      status: 404,
    });
  });
});
