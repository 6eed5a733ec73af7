import { beforeEach, describe, expect, it } from 'vitest';
import { startTrading, type TestTrading, unknownId } from './trading-fixture.ts';

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

describe('3.3, flow rule 4: a successful cancel', () => {
  it('is accepted with 202 and no body, moves a PENDING order to CANCELED, and dispatches a webhook', async () => {
    const orderId = await trading.pendingOrder();
    expect(await cancel(orderId)).toMatchObject({ status: 202, text: '' });
    expect(statusOf(orderId)).toBe('PENDING');
    await trading.clock.advance(1);
    expect(statusOf(orderId)).toBe('CANCELED');
    expect(statusesSentOf(orderId)).toEqual(['PENDING', 'CANCELED']);
  });

  it('is answered with 200 and a body where the settings say so (platform facts)', async () => {
    trading.settings.change({ cancelStatus: 200 });
    const orderId = await trading.pendingOrder();
    expect(await cancel(orderId)).toMatchObject({ status: 200, body: { orderId, status: 'PENDING' } });
  });

  it('takes as long as the settings say', async () => {
    trading.settings.change({ cancelsAfter: 60 });
    const orderId = await trading.pendingOrder();
    await cancel(orderId);
    await trading.clock.advance(59);
    expect(statusOf(orderId)).toBe('PENDING');
    await trading.clock.advance(1);
    expect(statusOf(orderId)).toBe('CANCELED');
  });

  it('of a CORRECTED order gives money and position back', async () => {
    const orderId = await correctedOrder();
    expect(await trading.account()).toMatchObject({ cash: 880, positions: [{ quantity: 2 }] });
    expect(await cancel(orderId)).toMatchObject({ status: 202 });
    await trading.clock.advance(1);
    expect(statusOf(orderId)).toBe('CANCELED');
    expect(await trading.account()).toMatchObject({ cash: 1_000, positions: [] });
  });

  it('is dispatched once, however often it was asked for', async () => {
    const orderId = await trading.pendingOrder();
    for (const _ of [1, 2, 3]) expect(await cancel(orderId)).toMatchObject({ status: 202 });
    await trading.clock.advance(10);
    expect(statusesSentOf(orderId)).toEqual(['PENDING', 'CANCELED']);
  });
});

describe('3.3, flow rule 4: a failed cancel sends no webhook and leaves the previous status', () => {
  it.each<readonly [string, (on: TestTrading) => Promise<string>]>([
    ['RECEIVED', (on) => on.placeOrder()],
    ['FILLED', (on) => orderAfter(on, 'execute')],
    ['SETTLED', (on) => orderAfter(on, 'execute', 'settle')],
    ['CANCELED', (on) => orderAfter(on, 'cancel')],
  ])('when it is of an order that is %s: Bad Request', async (status, make) => {
    const orderId = await make(trading);
    const sent = trading.sent.length;
    expect(await cancel(orderId)).toMatchObject({ status: 400, body: { responseType: 'BAD_REQUEST' } });
    expect([statusOf(orderId), trading.sent.length]).toEqual([status, sent]);
  });

  it('when it is of an order that is REJECTED or INVALID: Bad Request', async () => {
    const rejected = await trading.pendingOrder();
    await act(rejected, 'reject', { reason: 'System error' });
    trading.changeStatus(trading.person, 'BLOCKED');
    const invalid = await trading.pendingOrder();
    trading.changeStatus(trading.person, 'ACTIVE');
    const sent = trading.sent.length;
    for (const orderId of [rejected, invalid]) expect(await cancel(orderId)).toMatchObject({ status: 400 });
    expect([statusOf(rejected), statusOf(invalid), trading.sent.length]).toEqual(['REJECTED', 'INVALID', sent]);
  });

  it('when the order is executed meanwhile', async () => {
    const orderId = await trading.pendingOrder();
    expect(await cancel(orderId)).toMatchObject({ status: 202 });
    await act(orderId, 'execute');
    await trading.clock.advance(10);
    expect(statusesSentOf(orderId)).toEqual(['PENDING', 'FILLED']);
  });

  it('when the order is executed and corrected meanwhile', async () => {
    const orderId = await trading.pendingOrder();
    await cancel(orderId);
    await act(orderId, 'execute');
    await act(orderId, 'correct', { quantity: 2 });
    await trading.clock.advance(10);
    expect(statusesSentOf(orderId)).toEqual(['PENDING', 'FILLED', 'CORRECTED']);
  });

  it('when the exchange lets none through: accepted, and nothing follows', async () => {
    const orderId = await trading.pendingOrder();
    expect(await act(orderId, 'hold')).toMatchObject({ status: 200, body: { isHeld: true } });
    expect(await cancel(orderId)).toMatchObject({ status: 202 });
    await trading.clock.advance(3_600);
    expect(statusesSentOf(orderId)).toEqual(['PENDING']);
    expect(statusOf(orderId)).toBe('PENDING');
  });

  it('until the exchange lets them through again', async () => {
    const orderId = await trading.pendingOrder();
    await act(orderId, 'hold');
    await act(orderId, 'release');
    await cancel(orderId);
    await trading.clock.advance(1);
    expect(statusOf(orderId)).toBe('CANCELED');
  });

  it('when what was bought has been sold meanwhile', async () => {
    const orderId = await correctedOrder();
    await act(await trading.pendingOrder({ side: 'SELL', quantity: 1 }), 'execute');
    const sent = trading.sent.length;
    expect(await cancel(orderId)).toMatchObject({ status: 202 });
    await trading.clock.advance(10);
    expect([statusOf(orderId), trading.sent.length]).toEqual(['CORRECTED', sent]);
    expect(await act(orderId, 'cancel')).toMatchObject({ status: 409 });
  });
});

describe('5: the requestor of a cancel', () => {
  it('may be a representative with an ACTIVE proxy (rule 5)', async () => {
    const { proxyId } = trading.proxies.create(trading.representative, trading.person);
    expect(await cancel(await trading.pendingOrder(), trading.representative)).toMatchObject({ status: 202 });
    trading.proxies.deactivate(proxyId);
    expect(await cancel(await trading.pendingOrder(), trading.representative)).toMatchObject({
      status: 400,
      body: { message: 'Requestor-ID invalid' },
    });
  });

  it('is no one else (rule 6), and the order stays as it is', async () => {
    const orderId = await trading.pendingOrder();
    expect(await cancel(orderId, trading.representative)).toMatchObject({
      status: 400,
      body: { message: 'Requestor-ID invalid' },
    });
    await trading.clock.advance(10);
    expect(statusOf(orderId)).toBe('PENDING');
  });

  it.each(['SUSPENDED', 'BLOCKED', 'CREATED'] as const)('must not be %s (rule 3)', async (status) => {
    const requestorId = trading.makePerson(status);
    trading.proxies.create(requestorId, trading.person);
    const orderId = await trading.pendingOrder();
    expect(await cancel(orderId, requestorId)).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } });
    await trading.clock.advance(10);
    expect(statusOf(orderId)).toBe('PENDING');
  });
});

describe('7: a cancel of what there is not', () => {
  it('is Not Found for an order that never was', async () => {
    expect(await cancel(unknownId)).toMatchObject({ status: 404, body: { responseType: 'NOT_FOUND' } });
  });

  it('is Not Found for an INVALID order that is purged', async () => {
    trading.changeStatus(trading.person, 'BLOCKED');
    const orderId = await trading.pendingOrder();
    trading.changeStatus(trading.person, 'ACTIVE');
    await trading.clock.advance(48 * 3_600);
    expect(await cancel(orderId)).toMatchObject({ status: 404 });
  });

  it('is Bad Request for what is no UUID', async () => {
    expect(await cancel('order-1')).toMatchObject({ status: 400, body: { errorDetails: [{ field: 'orderId' }] } });
  });
});

async function orderAfter(on: TestTrading, ...names: readonly string[]): Promise<string> {
  const orderId = await on.pendingOrder();
  for (const name of names) await on.control('POST', `/orders/${orderId}/${name}`);
  return orderId;
}
