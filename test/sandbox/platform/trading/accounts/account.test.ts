import { beforeEach, describe, expect, it } from 'vitest';
import { startTrading, type TestTrading } from '#test/sandbox/platform/trading/trading-fixture.ts';

let trading: TestTrading;
beforeEach(async () => {
  trading = startTrading();
  await trading.fund(1_000);
});

const transactions = async () => (await trading.control('GET', `/natural-persons/${trading.person}/transactions`)).body;
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
});
