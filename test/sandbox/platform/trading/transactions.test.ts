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

describe('sandbox platform: the transaction of an order (section 3.5)', () => {
  it('is N/A while the order is RECEIVED or PENDING', async () => {
    await trading.placeOrder();
    expect(await transactions()).toEqual([]);
    await trading.clock.advance(1);
    expect(await transactions()).toEqual([]);
  });

  it('is N/A for an INVALID order', async () => {
    trading.changeStatus(trading.person, 'BLOCKED');
    await trading.pendingOrder();
    expect(await transactions()).toEqual([]);
  });

  it.each(['cancel', 'reject'])('is N/A for a CANCELED or REJECTED order: %s', async (name) => {
    await act(await trading.pendingOrder(), name, name === 'reject' ? { reason: 'System error' } : undefined);
    expect(await transactions()).toEqual([]);
  });

  it('is COMPLETED for a FILLED order and MODIFIED for a CORRECTED one', async () => {
    const orderId = await trading.pendingOrder();
    for (const [name, body, status, orderStatus] of ofOrders) {
      expect(await act(orderId, name, body)).toMatchObject({ body: { status: orderStatus } });
      expect(await transactions()).toMatchObject([{ orderId, status }]);
    }
  });

  it('is COMPLETED for a SETTLED order', async () => {
    const orderId = await trading.pendingOrder();
    await act(orderId, 'execute', { price: 20 });
    await act(orderId, 'settle');
    expect(await transactions()).toMatchObject([{ orderId, status: 'COMPLETED', amount: -20 }]);
  });

  it('is N/A for an order that is CANCELED after it was CORRECTED', async () => {
    const orderId = await trading.pendingOrder();
    for (const [name, body] of ofOrders) await act(orderId, name, body);
    await act(orderId, 'cancel');
    expect(await transactions()).toEqual([]);
  });

  it('contains the corrected amounts', async () => {
    const orderId = await trading.pendingOrder();
    for (const [name, body] of ofOrders) await act(orderId, name, body);
    expect(await transactions()).toMatchObject([{ amount: -19.99 }]);
  });
});

describe('sandbox platform: the transaction of a transfer (section 3.5)', () => {
  it('is N/A while the transfer is RECEIVED or PENDING, and COMPLETED when it is PROCESSED', async () => {
    const transferId = await trading.createTransfer({ amount: 5 });
    expect(await transactions()).toEqual([]);
    await trading.clock.advance(1);
    expect(await transactions()).toEqual([]);
    await trading.control('POST', `/transfers/${transferId}/complete`);
    expect(await transactions()).toMatchObject([{ transferId, status: 'COMPLETED', amount: -5 }]);
  });

  it('is N/A for an INVALID or REJECTED transfer', async () => {
    await trading.createTransfer({ amount: 5_000 });
    await trading.createTransfer({ requestorId: trading.representative });
    await trading.clock.advance(1);
    expect(trading.transfers.all().map(({ status }) => status)).toEqual(['REJECTED', 'INVALID']);
    expect(await transactions()).toEqual([]);
  });

  it('is COMPLETED for an incoming transfer', async () => {
    await trading.createTransfer({ direction: 'IN', amount: 5 });
    expect(await transactions()).toMatchObject([{ status: 'COMPLETED', amount: 5 }]);
  });
});

describe('sandbox platform: the account of a natural person', () => {
  it('lists the transactions of this person only', async () => {
    await trading.createTransfer({ naturalPersonId: trading.representative, direction: 'IN', amount: 5 });
    expect(await transactions()).toEqual([]);
    expect(await transactions(trading.representative)).toMatchObject([{ amount: 5 }]);
  });

  it('changes the given parts of the account and keeps the others', async () => {
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

  it('answers with 404 for an unknown person', async () => {
    for (const path of ['account', 'transactions'])
      expect(await trading.control('GET', `/natural-persons/${unknownId}/${path}`)).toMatchObject({ status: 404 });
    expect(await trading.control('POST', `/natural-persons/${unknownId}/account`, { cash: 1 })).toMatchObject({
      status: 404,
    });
  });
});
