import { beforeEach, describe, expect, it } from 'vitest';
import { startTrading, type TestTrading, unknownId } from '#test/sandbox/platform/trading/trading-fixture.ts';

let trading: TestTrading;
beforeEach(async () => {
  trading = startTrading();
  await trading.fund(1_000);
});

const cancel = (orderId: string, requestorId?: string | null) =>
  trading.api('DELETE', `/traditional/orders/${orderId}`, requestorId);
const act = (orderId: string, name: string, body?: unknown) =>
  trading.control('POST', `/orders/${orderId}/${name}`, body);
const statusOf = (orderId: string) => trading.orders.get(orderId).status;
const statusesSentOf = (orderId: string) => trading.sentOf(orderId).map(({ status }) => status);

async function correctedOrder(): Promise<string> {
  const orderId = await trading.pendingOrder({ quantity: 2 });
  await act(orderId, 'execute', { price: 50 });
  await act(orderId, 'correct', { price: 60 });
  return orderId;
}

describe('sandbox platform: a successful cancel (section 3.3, rule 4)', () => {
  it('answers with 202 without a body, moves a PENDING order to CANCELED, and sends a webhook', async () => {
    const orderId = await trading.pendingOrder();
    expect(await cancel(orderId)).toMatchObject({ status: 202, text: '' });
    expect(statusOf(orderId)).toBe('PENDING');
    await trading.clock.advance(1);
    expect(statusOf(orderId)).toBe('CANCELED');
    expect(statusesSentOf(orderId)).toEqual(['PENDING', 'CANCELED']);
  });

  it('answers with 200 and a body when the setting says so', async () => {
    trading.settings.change({ cancelStatus: 200 });
    const orderId = await trading.pendingOrder();
    expect(await cancel(orderId)).toMatchObject({ status: 200, body: { orderId, status: 'PENDING' } });
  });

  it('cancels after the configured time', async () => {
    trading.settings.change({ cancelsAfter: 60 });
    const orderId = await trading.pendingOrder();
    await cancel(orderId);
    await trading.clock.advance(59);
    expect(statusOf(orderId)).toBe('PENDING');
    await trading.clock.advance(1);
    expect(statusOf(orderId)).toBe('CANCELED');
  });

  it('returns money and position when it cancels a CORRECTED order', async () => {
    const orderId = await correctedOrder();
    expect(await trading.account()).toMatchObject({ cash: 880, positions: [{ quantity: 2 }] });
    expect(await cancel(orderId)).toMatchObject({ status: 202 });
    await trading.clock.advance(1);
    expect(statusOf(orderId)).toBe('CANCELED');
    expect(await trading.account()).toMatchObject({ cash: 1_000, positions: [] });
  });

  it('sends one webhook for repeated cancels', async () => {
    const orderId = await trading.pendingOrder();
    for (const _ of [1, 2, 3]) expect(await cancel(orderId)).toMatchObject({ status: 202 });
    await trading.clock.advance(10);
    expect(statusesSentOf(orderId)).toEqual(['PENDING', 'CANCELED']);
  });
});

describe('sandbox platform: a failed cancel sends no webhook and keeps the status (section 3.3, rule 4)', () => {
  it.each<readonly [string, (on: TestTrading) => Promise<string>]>([
    ['RECEIVED', (on) => on.placeOrder()],
    ['FILLED', (on) => orderAfter(on, 'execute')],
    ['SETTLED', (on) => orderAfter(on, 'execute', 'settle')],
    ['CANCELED', (on) => orderAfter(on, 'cancel')],
  ])('answers with 400 for an order that is %s', async (status, make) => {
    const orderId = await make(trading);
    const sent = trading.sent.length;
    expect(await cancel(orderId)).toMatchObject({ status: 400, body: { responseType: 'BAD_REQUEST' } });
    expect([statusOf(orderId), trading.sent.length]).toEqual([status, sent]);
  });

  it('answers with 400 for an order that is REJECTED or INVALID', async () => {
    const rejected = await trading.pendingOrder();
    await act(rejected, 'reject', { reason: 'System error' });
    trading.changeStatus(trading.person, 'BLOCKED');
    const invalid = await trading.pendingOrder();
    trading.changeStatus(trading.person, 'ACTIVE');
    const sent = trading.sent.length;
    for (const orderId of [rejected, invalid]) expect(await cancel(orderId)).toMatchObject({ status: 400 });
    expect([statusOf(rejected), statusOf(invalid), trading.sent.length]).toEqual(['REJECTED', 'INVALID', sent]);
  });

  it('fails when the order is executed meanwhile', async () => {
    const orderId = await trading.pendingOrder();
    expect(await cancel(orderId)).toMatchObject({ status: 202 });
    await act(orderId, 'execute');
    await trading.clock.advance(10);
    expect(statusesSentOf(orderId)).toEqual(['PENDING', 'FILLED']);
  });

  it('fails when the order is executed and corrected meanwhile', async () => {
    const orderId = await trading.pendingOrder();
    await cancel(orderId);
    await act(orderId, 'execute');
    await act(orderId, 'correct', { quantity: 2 });
    await trading.clock.advance(10);
    expect(statusesSentOf(orderId)).toEqual(['PENDING', 'FILLED', 'CORRECTED']);
  });

  it('accepts the cancel and changes nothing while the exchange holds the order', async () => {
    const orderId = await trading.pendingOrder();
    expect(await act(orderId, 'hold')).toMatchObject({ status: 200, body: { isHeld: true } });
    expect(await cancel(orderId)).toMatchObject({ status: 202 });
    await trading.clock.advance(3_600);
    expect(statusesSentOf(orderId)).toEqual(['PENDING']);
    expect(statusOf(orderId)).toBe('PENDING');
  });

  it('succeeds after the exchange has released the order', async () => {
    const orderId = await trading.pendingOrder();
    await act(orderId, 'hold');
    await act(orderId, 'release');
    await cancel(orderId);
    await trading.clock.advance(1);
    expect(statusOf(orderId)).toBe('CANCELED');
  });

  it('fails when the position was sold meanwhile', async () => {
    const orderId = await correctedOrder();
    await act(await trading.pendingOrder({ side: 'SELL', quantity: 1 }), 'execute');
    const sent = trading.sent.length;
    expect(await cancel(orderId)).toMatchObject({ status: 202 });
    await trading.clock.advance(10);
    expect([statusOf(orderId), trading.sent.length]).toEqual(['CORRECTED', sent]);
    expect(await act(orderId, 'cancel')).toMatchObject({ status: 409 });
  });
});

describe('sandbox platform: the requestor of a cancel (section 5)', () => {
  it('accepts a representative with an ACTIVE proxy (rule 5)', async () => {
    const { proxyId } = trading.proxies.create(trading.representative, trading.person);
    expect(await cancel(await trading.pendingOrder(), trading.representative)).toMatchObject({ status: 202 });
    trading.proxies.deactivate(proxyId);
    expect(await cancel(await trading.pendingOrder(), trading.representative)).toMatchObject({
      status: 400,
      body: { message: 'Requestor-ID invalid' },
    });
  });

  it('rejects every other requestor and keeps the order (rule 6)', async () => {
    const orderId = await trading.pendingOrder();
    expect(await cancel(orderId, trading.representative)).toMatchObject({
      status: 400,
      body: { message: 'Requestor-ID invalid' },
    });
    await trading.clock.advance(10);
    expect(statusOf(orderId)).toBe('PENDING');
  });

  it.each(['SUSPENDED', 'BLOCKED', 'CREATED'] as const)('rejects a requestor that is %s (rule 3)', async (status) => {
    const requestorId = trading.makePerson(status);
    trading.proxies.create(requestorId, trading.person);
    const orderId = await trading.pendingOrder();
    expect(await cancel(orderId, requestorId)).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } });
    await trading.clock.advance(10);
    expect(statusOf(orderId)).toBe('PENDING');
  });
});

describe('sandbox platform: the cancel of an unknown order (section 7)', () => {
  it('answers with 404 for an unknown order', async () => {
    expect(await cancel(unknownId)).toMatchObject({ status: 404, body: { responseType: 'NOT_FOUND' } });
  });

  it('answers with 404 for a purged INVALID order', async () => {
    trading.changeStatus(trading.person, 'BLOCKED');
    const orderId = await trading.pendingOrder();
    trading.changeStatus(trading.person, 'ACTIVE');
    await trading.clock.advance(48 * 3_600);
    expect(await cancel(orderId)).toMatchObject({ status: 404 });
  });

  it('answers with 400 for an id that is not a UUID', async () => {
    expect(await cancel('order-1')).toMatchObject({ status: 400, body: { errorDetails: [{ field: 'orderId' }] } });
  });
});

async function orderAfter(on: TestTrading, ...names: readonly string[]): Promise<string> {
  const orderId = await on.pendingOrder();
  for (const name of names) await on.control('POST', `/orders/${orderId}/${name}`);
  return orderId;
}
