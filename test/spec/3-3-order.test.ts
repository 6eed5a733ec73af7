import { beforeEach, describe, expect, it } from 'vitest';
import { cancelOrder } from '#shared/platform/resources/traditional-assets.ts';
import { registerPartner, unknownId, useContract } from './contract.ts';
import { makePerson, makeProxy } from './persons.ts';
import { httpError } from './refused.ts';
import { type Account, notified, openAccount, orderActions, received } from './trading.ts';

const contract = useContract();

let trader: Account;
beforeEach(async () => {
  trader = await openAccount(contract());
  await registerPartner(contract(), 'TRADITIONAL_ASSET_ORDER_NOTIFICATION');
});

const cancel = (orderId: string) => cancelOrder(contract().client, trader.naturalPersonId, orderId);
const historyOf = async (orderId: string) => (await trader.read(orderId)).history.map(({ status }) => status);
const lastSent = async () => (await received(contract())).at(-1)?.body;

/** All that a refused or failed call must leave as it is. */
const stateOf = async (orderId: string) => ({
  order: await trader.read(orderId),
  account: await trader.account(),
  sent: (await received(contract())).length,
});

/** Tries each call of the control API on an order of this status, and expects that only these statuses follow. */
async function expectNext(status: string, ...allowed: readonly string[]): Promise<void> {
  for (const [action, { next, body }] of Object.entries(orderActions)) {
    const orderId = await trader.orderThatIs(status);
    const before = await stateOf(orderId);
    const answer = await contract().call('POST', `/control/orders/${orderId}/${action}`, { body });
    if (allowed.includes(next)) {
      expect(answer, action).toMatchObject({ status: 200, body: { orderId, status: next } });
      expect(await trader.statusOf(orderId), action).toBe(next);
    } else {
      const message = expect.stringContaining(`It cannot become ${next}: it is ${status}`);
      expect(answer, action).toMatchObject({ status: 409, body: { responseType: 'CONFLICT', message } });
      expect(await stateOf(orderId), action).toEqual(before);
    }
  }
}

describe('3.3 RECEIVED + 3.3 INVALID + 3.3 PENDING + 3.3 CANCELED + 3.3 REJECTED + 3.3 FILLED + 3.3 CORRECTED + 3.3 SETTLED: the possible next states', () => {
  it.each<readonly [string, readonly string[]]>([
    ['RECEIVED', []],
    ['INVALID', []],
    ['PENDING', ['FILLED', 'CANCELED', 'REJECTED']],
    ['CANCELED', []],
    ['REJECTED', []],
    ['FILLED', ['SETTLED', 'CORRECTED']],
    ['CORRECTED', ['CANCELED']],
    ['SETTLED', []],
  ])('lets an order that is %s become only what the table says: %j', (status, next) => expectNext(status, ...next));
});

describe('3.3 RECEIVED + 3.3 flow 1: creating an order returns its id with status RECEIVED', () => {
  it('returns a UUID with the status RECEIVED, and notifies nothing', async () => {
    const { orderId, status } = await trader.place();
    expect(orderId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(status).toBe('RECEIVED');
    expect(await trader.statusOf(orderId)).toBe('RECEIVED');
    expect(await received(contract())).toEqual([]);
  });
});

describe('3.3 INVALID + 6 order INVALID: validation failed, which is notified with the reason', () => {
  it.each(['CREATED', 'SUSPENDED', 'BLOCKED'])('makes an order INVALID when its requestor is %s', async (status) => {
    const requestorId = await makePerson(contract(), status);
    await makeProxy(contract(), requestorId, trader.naturalPersonId);
    const { orderId } = await trader.place({ requestorId });
    await contract().advance(5);
    expect(await historyOf(orderId)).toEqual(['RECEIVED', 'INVALID']);
    expect((await received(contract())).map(({ body }) => body)).toMatchObject([
      {
        orderId,
        status: 'INVALID',
        notificationType: 'VALIDATION_ERROR',
        validationError: { errorType: 'VALIDATION_ERROR', description: expect.stringContaining('not ACTIVE') },
      },
    ]);
  });

  it('makes an order INVALID when its requestor may not act for the person', async () => {
    const { orderId } = await trader.place({ requestorId: await makePerson(contract()) });
    await contract().advance(5);
    expect(await trader.statusOf(orderId)).toBe('INVALID');
    expect(await lastSent()).toMatchObject({ validationError: { description: 'Requestor-ID invalid' } });
  });
});

describe('3.3 INVALID + 8 Retention of INVALID records + 7 Not Found: kept 48 hours, then purged', () => {
  it('answers Not Found to every query of an INVALID order after 48 hours, and not before', async () => {
    const kept = await trader.orderThatIs('REJECTED');
    const orderId = await trader.orderThatIs('INVALID');
    const query = async (id: string) => {
      const headers = { 'requestor-id': trader.naturalPersonId };
      const ofPartner = await contract().call('GET', `/traditional/orders/${id}`, { headers });
      return [ofPartner.status, (await contract().call('GET', `/control/orders/${id}`)).status];
    };
    await contract().advance(48 * 3_600 - 6);
    expect(await query(orderId)).toEqual([200, 200]);
    await contract().advance(6);
    expect(await query(orderId)).toEqual([404, 404]);
    await expect(cancel(orderId)).rejects.toEqual(httpError(404, { condition: 'PURGED', isRetryable: false }));
    await contract().advance(1_000 * 3_600);
    expect(await query(kept)).toEqual([200, 200]);
  });
});

describe('3.3 REJECTED + 6 order REJECTED: by the exchange, notified with the reason; final', () => {
  it('sends the reason that the exchange gave', async () => {
    const orderId = await trader.orderThatIs('REJECTED');
    expect(await lastSent()).toMatchObject({ orderId, status: 'REJECTED', message: 'The exchange is closed.' });
  });
});

describe('3.3 CORRECTED + 6 order CANCELED: from FILLED; CANCELED next, which is notified', () => {
  it('returns money and position when a CORRECTED order is canceled, and notifies the cancel', async () => {
    const before = await trader.account();
    const orderId = await trader.orderThatIs('CORRECTED');
    expect((await trader.account()).cash).toBe(before.cash - 11);
    await cancel(orderId);
    await contract().advance(5);
    expect(await trader.account()).toEqual(before);
    expect(await historyOf(orderId)).toEqual(['RECEIVED', 'PENDING', 'FILLED', 'CORRECTED', 'CANCELED']);
    expect(await notified(contract(), orderId)).toEqual(['FILLED', 'CANCELED']);
  });
});

describe('3.3 SETTLED: complete; its funds can be withdrawn; final', () => {
  it('makes the proceeds of a sale withdrawable', async () => {
    await trader.act(await trader.filled(), 'settle');
    const sold = await trader.filled({ side: 'SELL', quantity: 5 });
    const { cash, settledCash } = await trader.account();
    expect(settledCash).toBeLessThan(cash);
    const early = await trader.transfer('OUT', cash);
    await contract().advance(5);
    expect(await trader.transferStatusOf(early.transferId)).toBe('REJECTED');
    await trader.act(sold, 'settle');
    expect((await trader.account()).settledCash).toBe(cash);
    const late = await trader.transfer('OUT', cash);
    await contract().advance(5);
    expect(await trader.transferStatusOf(late.transferId)).toBe('PENDING');
  });
});

describe('3.3 flow 2 + 6 order FILLED, SETTLED: execution updates balance and position; FILLED, then SETTLED are notified', () => {
  it('debits the money and credits the asset', async () => {
    const before = await trader.account();
    const orderId = await trader.filled({ quantity: 3 });
    const price = (await trader.read(orderId)).executions?.[0]?.price ?? 0;
    expect(await trader.account()).toMatchObject({
      cash: before.cash - 3 * price,
      positions: [{ isin: trader.isin, quantity: 3 }],
    });
    await trader.act(orderId, 'settle');
    expect(await historyOf(orderId)).toEqual(['RECEIVED', 'PENDING', 'FILLED', 'SETTLED']);
    expect(await notified(contract(), orderId)).toEqual(['FILLED', 'SETTLED']);
  });

  it('credits the proceeds of a sale and debits the asset', async () => {
    const before = await trader.account();
    const order = { quantity: 5, limitPrice: 1 };
    await trader.act(await trader.pending(order), 'execute', { price: 1 });
    await trader.act(await trader.pending({ ...order, side: 'SELL' }), 'execute', { price: 2 });
    expect(await trader.account()).toMatchObject({ cash: before.cash + 5, positions: [] });
  });
});

describe('3.3 flow 3: an insufficient balance or position is REJECTED', () => {
  it.each([
    ['balance', { quantity: 1_000_000 }, 'Insufficient funds'],
    ['position', { side: 'SELL', quantity: 1 }, 'Insufficient position'],
  ])('rejects an order beyond the %s, and notifies', async (_, order, message) => {
    const before = await trader.account();
    const orderId = await trader.pending(order);
    await trader.act(orderId, 'execute');
    expect(await notified(contract(), orderId)).toEqual(['REJECTED']);
    expect(await lastSent()).toMatchObject({ message });
    expect(await trader.account()).toEqual(before);
  });
});

describe('3.3 flow 4 + 4 Cancel order: a successful cancel is notified', () => {
  it.each([200, 202] as const)('cancels a PENDING order after the answer %i', async (cancelStatus) => {
    contract().platform.settings.change({ cancelStatus });
    const orderId = await trader.pending();
    const headers = { 'requestor-id': trader.naturalPersonId };
    expect(await contract().call('DELETE', `/traditional/orders/${orderId}`, { headers })).toMatchObject({
      status: cancelStatus,
      body: cancelStatus === 202 ? '' : { orderId, status: 'PENDING' },
    });
    expect(await trader.statusOf(orderId)).toBe('PENDING');
    await contract().advance(5);
    expect(await trader.statusOf(orderId)).toBe('CANCELED');
    expect(await notified(contract(), orderId)).toEqual(['CANCELED']);
  });
});

describe('3.3 flow 4 + 6 failed cancel: a failed cancel changes and sends nothing', () => {
  it.each(['RECEIVED', 'INVALID', 'CANCELED', 'REJECTED', 'FILLED', 'SETTLED'])(
    'refuses to cancel an order that is %s',
    async (status) => {
      const orderId = await trader.orderThatIs(status);
      const before = await stateOf(orderId);
      await expect(cancel(orderId)).rejects.toEqual(httpError(400));
      expect(await stateOf(orderId)).toEqual(before);
    },
  );

  it('fails the cancel when the order is executed first', async () => {
    const orderId = await trader.pending();
    await cancel(orderId);
    await trader.act(orderId, 'execute');
    await contract().advance(60);
    expect(await trader.statusOf(orderId)).toBe('FILLED');
    expect(await notified(contract(), orderId)).toEqual(['FILLED']);
  });

  it('fails the cancel when the exchange holds it, and keeps PENDING', async () => {
    const orderId = await trader.pending();
    await trader.act(orderId, 'hold');
    await cancel(orderId);
    await contract().advance(60);
    expect(await trader.statusOf(orderId)).toBe('PENDING');
    expect(await notified(contract(), orderId)).toEqual([]);
  });
});

describe('6 order INVALID + 6 order REJECTED + 6 order CANCELED + 6 order FILLED, SETTLED: no other status of an order', () => {
  const all = ['PENDING', 'INVALID', 'REJECTED', 'CANCELED', 'FILLED', 'SETTLED', 'CORRECTED'];

  it.each([
    ['only the statuses that section 6 lists', false, ['INVALID', 'REJECTED', 'CANCELED', 'FILLED', 'SETTLED']],
    ['each status with the setting unlistedNotifications', true, all],
  ])('notifies %s', async (_, unlistedNotifications, expected) => {
    contract().platform.settings.change({ unlistedNotifications });
    for (const status of all) await trader.orderThatIs(status);
    const statuses = new Set((await received(contract())).map(({ body }) => body['status']));
    expect([...statuses].toSorted()).toEqual(expected.toSorted());
  });
});

describe('4 Cancel order: DELETE', () => {
  it('answers Not Found to an unknown order', async () => {
    await expect(cancel(unknownId)).rejects.toEqual(httpError(404));
  });

  it('cancels the order of another person for its representative only', async () => {
    const orderId = await trader.pending();
    const requestor = await makePerson(contract());
    const cancelAs = () => cancelOrder(contract().client, requestor, orderId);
    await expect(cancelAs()).rejects.toEqual(httpError(400, { condition: 'REQUESTOR_ID_INVALID' }));
    await contract().advance(10);
    expect(await trader.statusOf(orderId)).toBe('PENDING');
    await makeProxy(contract(), requestor, trader.naturalPersonId);
    await cancelAs();
    await contract().advance(10);
    expect(await trader.statusOf(orderId)).toBe('CANCELED');
  });
});
