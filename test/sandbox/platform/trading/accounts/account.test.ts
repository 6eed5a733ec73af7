import { beforeEach, describe, expect, it } from 'vitest';
import { startTrading, type TestTrading, unknownId } from '#test/sandbox/platform/trading/trading-fixture.ts';

let trading: TestTrading;
beforeEach(async () => {
  trading = startTrading();
  await trading.fund(1_000);
});

const transactions = async (naturalPersonId = trading.person) =>
  (await trading.control('GET', `/natural-persons/${naturalPersonId}/transactions`)).body;
const act = (orderId: string, name: string, body?: unknown) =>
  trading.control('POST', `/orders/${orderId}/${name}`, body);

describe('sandbox platform: the account of a natural person', () => {
  it('shows the amounts of orders, as corrected, and of transfers', async () => {
    const bought = await trading.pendingOrder();
    await act(bought, 'execute', { price: 20 });
    await act(await trading.pendingOrder({ side: 'SELL', quantity: 0.5 }), 'execute', { price: 30 });
    await act(bought, 'correct', { price: 19.99 });
    const paid = await trading.createTransfer({ amount: 5 });
    await trading.clock.advance(1);
    await trading.control('POST', `/transfers/${paid}/complete`);
    await trading.createTransfer({ direction: 'IN', amount: 7 });
    expect(await transactions()).toMatchObject([{ amount: -19.99 }, { amount: 15 }, { amount: -5 }, { amount: 7 }]);
  });

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
