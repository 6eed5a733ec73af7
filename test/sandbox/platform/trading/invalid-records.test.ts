import { beforeEach, describe, expect, it } from 'vitest';
import { startTrading, type TestTrading } from './trading-fixture.ts';

const hours = 3_600;
let trading: TestTrading;
let paths: readonly { readonly api: string; readonly control: string }[];

/** An order and a transfer that are INVALID, since the natural person was BLOCKED for a while. */
beforeEach(async () => {
  trading = startTrading();
  trading.changeStatus(trading.person, 'BLOCKED');
  const [orderId, transferId] = [await trading.placeOrder(), await trading.createTransfer()];
  await trading.clock.advance(1);
  trading.changeStatus(trading.person, 'ACTIVE');
  paths = [
    { api: `/traditional/orders/${orderId}`, control: `/orders/${orderId}` },
    { api: `/transfers/${transferId}`, control: `/transfers/${transferId}` },
  ];
});

describe('sandbox platform: INVALID records are purged after 48 hours (section 8)', () => {
  it('returns INVALID records until then', async () => {
    await trading.clock.advance(48 * hours - 1);
    for (const { api, control } of paths) {
      expect(await trading.api('GET', api)).toMatchObject({ status: 200 });
      expect(await trading.control('GET', control)).toMatchObject({ status: 200, body: { status: 'INVALID' } });
    }
  });

  it('answers with 404 afterwards, for every requestor (section 7)', async () => {
    await trading.clock.advance(48 * hours);
    trading.proxies.create(trading.representative, trading.person);
    for (const { api, control } of paths) {
      for (const requestorId of [trading.person, trading.representative])
        expect(await trading.api('GET', api, requestorId)).toMatchObject({
          status: 404,
          body: { responseType: 'NOT_FOUND' },
        });
      expect(await trading.control('GET', control)).toMatchObject({ status: 404 });
    }
    expect(await trading.api('DELETE', paths[0]?.api ?? '')).toMatchObject({ status: 404 });
    expect([...trading.orders.all(), ...trading.transfers.all()]).toEqual([]);
  });

  it('keeps records of every other status', async () => {
    const orderId = await trading.pendingOrder();
    await trading.control('POST', `/orders/${orderId}/reject`, { reason: 'System error' });
    const transferId = await trading.createTransfer({ amount: 5 });
    await trading.clock.advance(1_000 * hours);
    expect(await trading.api('GET', `/traditional/orders/${orderId}`)).toMatchObject({ status: 200 });
    expect(await trading.api('GET', `/transfers/${transferId}`)).toMatchObject({ status: 200 });
  });
});
