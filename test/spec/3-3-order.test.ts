import { beforeEach, describe, expect, it } from 'vitest';
import { cancelOrder } from '#shared/platform/resources/traditional-assets.ts';
import { registerPartner, useContract } from './contract.ts';
import { makePerson } from './persons.ts';
import { httpError } from './refused.ts';
import { type Account, notified, openAccount, received } from './trading.ts';

const contract = useContract();

let trader: Account;
beforeEach(async () => {
  trader = await openAccount(contract());
  await registerPartner(contract(), 'TRADITIONAL_ASSET_ORDER_NOTIFICATION');
});

const cancel = (orderId: string) => cancelOrder(contract().client, trader.naturalPersonId, orderId);
const historyOf = async (orderId: string) => (await trader.read(orderId)).history.map(({ status }) => status);

/** Expects that the control API refuses the action, and that the order does not change. */
async function expectRefused(orderId: string, action: string, body: object = {}): Promise<void> {
  const before = await trader.read(orderId);
  expect((await contract().call('POST', `/control/orders/${orderId}/${action}`, { body })).status).toBe(409);
  expect(await trader.read(orderId)).toEqual(before);
}

async function invalidOrder(): Promise<string> {
  const requestorId = await makePerson(contract(), 'SUSPENDED');
  const { orderId } = await trader.place({ requestorId });
  await contract().advance(5);
  return orderId;
}

describe('3.3 RECEIVED: the request passed the API layer', () => {
  it('starts an order as RECEIVED', async () => {
    const { orderId, status } = await trader.place();
    expect(status).toBe('RECEIVED');
    expect(await trader.statusOf(orderId)).toBe('RECEIVED');
  });
});

describe('3.3 INVALID: validation failed; notified, kept 48 hours, then Not Found', () => {
  it('makes an order INVALID when its requestor is not ACTIVE', async () => {
    const orderId = await invalidOrder();
    expect(await historyOf(orderId)).toEqual(['RECEIVED', 'INVALID']);
    expect(await notified(contract(), orderId)).toEqual(['INVALID']);
  });

  it('refuses to cancel an INVALID order, and answers Not Found after the purge', async () => {
    const orderId = await invalidOrder();
    await contract().advance(48 * 3_600 - 60);
    await expect(cancel(orderId)).rejects.toEqual(httpError(400));
    await contract().advance(60);
    await expect(cancel(orderId)).rejects.toEqual(httpError(404, { condition: 'PURGED', isRetryable: false }));
  });
});

describe('3.3 PENDING: queued; FILLED, CANCELED or REJECTED next', () => {
  it('moves from RECEIVED to PENDING', async () => {
    expect(await historyOf(await trader.pending())).toEqual(['RECEIVED', 'PENDING']);
  });

  it('moves from PENDING to FILLED', async () => expect(await trader.statusOf(await trader.filled())).toBe('FILLED'));

  it('moves from PENDING to CANCELED', async () => {
    const orderId = await trader.pending();
    await cancel(orderId);
    await contract().advance(5);
    expect(await trader.statusOf(orderId)).toBe('CANCELED');
  });

  it('moves from PENDING to REJECTED', async () => {
    const orderId = await trader.pending();
    await trader.act(orderId, 'reject', { reason: 'The exchange is closed.' });
    expect(await trader.statusOf(orderId)).toBe('REJECTED');
  });

  it.each(['settle', 'correct'])('refuses to %s a PENDING order', async (action) => {
    await expectRefused(await trader.pending(), action, action === 'correct' ? { price: 1 } : {});
  });
});

describe('3.3 CANCELED: from PENDING and CORRECTED; final', () => {
  const canceled = async () => {
    const orderId = await trader.pending();
    await cancel(orderId);
    await contract().advance(5);
    return orderId;
  };

  it.each(['execute', 'settle', 'correct', 'reject'])('refuses to %s a CANCELED order', async (action) => {
    const bodies: Readonly<Record<string, object>> = { correct: { price: 1 }, reject: { reason: 'x' } };
    await expectRefused(await canceled(), action, bodies[action]);
  });

  it('refuses a second cancel of an order', async () => {
    await expect(cancel(await canceled())).rejects.toEqual(httpError(400));
  });
});

describe('3.3 REJECTED: by the exchange, with the reason; final', () => {
  it('sends the reason of a rejection', async () => {
    const orderId = await trader.pending({ quantity: 1_000_000 });
    await trader.act(orderId, 'execute');
    expect(await trader.statusOf(orderId)).toBe('REJECTED');
    expect((await received(contract())).at(-1)?.body).toMatchObject({
      orderId,
      status: 'REJECTED',
      message: expect.stringMatching(/insufficient/i),
    });
  });

  it.each(['execute', 'settle', 'correct'])('refuses to %s a REJECTED order', async (action) => {
    const orderId = await trader.pending();
    await trader.act(orderId, 'reject', { reason: 'The exchange is closed.' });
    await expectRefused(orderId, action, action === 'correct' ? { price: 1 } : {});
  });
});

describe('3.3 FILLED: fully executed; SETTLED next', () => {
  it('moves from FILLED to SETTLED', async () => {
    const orderId = await trader.filled();
    await trader.act(orderId, 'settle');
    expect(await historyOf(orderId)).toEqual(['RECEIVED', 'PENDING', 'FILLED', 'SETTLED']);
  });

  it('refuses to cancel a FILLED order', async () => {
    const orderId = await trader.filled();
    await expect(cancel(orderId)).rejects.toEqual(httpError(400));
    expect(await trader.statusOf(orderId)).toBe('FILLED');
  });

  it.each(['execute', 'reject'])('refuses to %s a FILLED order', async (action) => {
    await expectRefused(await trader.filled(), action, action === 'reject' ? { reason: 'x' } : {});
  });
});

describe('3.3 CORRECTED: from FILLED; CANCELED next', () => {
  const corrected = async () => {
    const orderId = await trader.filled();
    await trader.act(orderId, 'correct', { price: 11 });
    return orderId;
  };

  it('moves from CORRECTED to CANCELED', async () => {
    const orderId = await corrected();
    await cancel(orderId);
    await contract().advance(5);
    expect(await historyOf(orderId)).toEqual(['RECEIVED', 'PENDING', 'FILLED', 'CORRECTED', 'CANCELED']);
  });

  it.each(['settle', 'execute', 'reject'])('refuses to %s a CORRECTED order', async (action) => {
    await expectRefused(await corrected(), action, action === 'reject' ? { reason: 'x' } : {});
  });
});

describe('3.3 SETTLED: complete; its funds can be withdrawn; final', () => {
  it('makes the proceeds of a sale withdrawable', async () => {
    const bought = await trader.filled();
    await trader.act(bought, 'settle');
    const sold = await trader.filled({ side: 'SELL', quantity: 5 });
    const before = await trader.account();
    expect(before.settledCash).toBeLessThan(before.cash);
    await trader.act(sold, 'settle');
    const after = await trader.account();
    expect(after.settledCash).toBe(after.cash);
  });

  it.each(['correct', 'execute', 'settle'])('refuses to %s a SETTLED order', async (action) => {
    const orderId = await trader.filled();
    await trader.act(orderId, 'settle');
    await expectRefused(orderId, action, action === 'correct' ? { price: 1 } : {});
  });
});

describe('3.3 flow 1: creating an order returns its id with status RECEIVED', () => {
  it('returns a UUID with the status RECEIVED', async () => {
    expect(await trader.place()).toMatchObject({
      orderId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'RECEIVED',
    });
  });
});

describe('3.3 flow 2: execution updates balance and position; FILLED, then SETTLED are notified', () => {
  it('debits the money and credits the asset', async () => {
    const before = await trader.account();
    const orderId = await trader.filled({ quantity: 3 });
    const price = (await trader.read(orderId)).executions?.[0]?.price ?? 0;
    expect(await trader.account()).toMatchObject({
      cash: before.cash - 3 * price,
      positions: [{ isin: trader.isin, quantity: 3 }],
    });
    await trader.act(orderId, 'settle');
    expect(await notified(contract(), orderId)).toEqual(['PENDING', 'FILLED', 'SETTLED']);
  });
});

describe('3.3 flow 3: an insufficient balance or position is REJECTED', () => {
  it.each([
    ['balance', { quantity: 1_000_000 }],
    ['position', { side: 'SELL', quantity: 1 }],
  ])('rejects an order beyond the %s, and notifies', async (_, order) => {
    const before = await trader.account();
    const orderId = await trader.pending(order);
    await trader.act(orderId, 'execute');
    expect(await notified(contract(), orderId)).toEqual(['PENDING', 'REJECTED']);
    expect(await trader.account()).toEqual(before);
  });
});

describe('3.3 flow 4: a successful cancel is notified; a failed one changes and sends nothing', () => {
  it('notifies a successful cancel as CANCELED', async () => {
    const orderId = await trader.pending();
    await cancel(orderId);
    await contract().advance(5);
    expect(await notified(contract(), orderId)).toEqual(['PENDING', 'CANCELED']);
  });

  it('fails the cancel when the order is executed first', async () => {
    const orderId = await trader.pending();
    await cancel(orderId);
    await trader.act(orderId, 'execute');
    await contract().advance(60);
    expect(await trader.statusOf(orderId)).toBe('FILLED');
    expect(await notified(contract(), orderId)).toEqual(['PENDING', 'FILLED']);
  });

  it('fails the cancel when the exchange holds it, and keeps PENDING', async () => {
    const orderId = await trader.pending();
    await trader.act(orderId, 'hold');
    await cancel(orderId);
    await contract().advance(60);
    expect(await trader.statusOf(orderId)).toBe('PENDING');
    expect(await notified(contract(), orderId)).toEqual(['PENDING']);
  });
});

describe('4 Cancel order: DELETE', () => {
  it.each([200, 202] as const)('accepts a cancel that is answered %i', async (cancelStatus) => {
    contract().platform.settings.change({ cancelStatus });
    const orderId = await trader.pending();
    await cancel(orderId);
    await contract().advance(5);
    expect(await trader.statusOf(orderId)).toBe('CANCELED');
  });

  it('answers Not Found to an unknown order', async () => {
    await expect(cancel('99999999-9999-4999-8999-999999999999')).rejects.toEqual(httpError(404));
  });

  it('refuses to cancel the order of another person', async () => {
    const orderId = await trader.pending();
    const stranger = await makePerson(contract());
    await expect(cancelOrder(contract().client, stranger, orderId)).rejects.toEqual(
      httpError(400, { condition: 'REQUESTOR_ID_INVALID' }),
    );
  });
});

describe('6 order INVALID: sent', () => {
  it('sends the reason of an INVALID order', async () => {
    const orderId = await invalidOrder();
    expect((await received(contract())).at(-1)?.body).toMatchObject({
      orderId,
      status: 'INVALID',
      notificationType: 'VALIDATION_ERROR',
      validationError: { errorType: expect.any(String), description: expect.any(String) },
    });
  });
});

describe('6 order REJECTED: sent with the reason', () => {
  it('sends the reason that the exchange gave', async () => {
    const orderId = await trader.pending();
    await trader.act(orderId, 'reject', { reason: 'The exchange is closed.' });
    expect((await received(contract())).at(-1)?.body).toMatchObject({ orderId, message: 'The exchange is closed.' });
  });
});

describe('6 order CANCELED: sent after a successful cancel', () => {
  it('sends the cancel of a CORRECTED order too', async () => {
    const orderId = await trader.filled();
    await trader.act(orderId, 'correct', { price: 11 });
    await cancel(orderId);
    await contract().advance(5);
    expect(await notified(contract(), orderId)).toEqual(['PENDING', 'FILLED', 'CORRECTED', 'CANCELED']);
  });
});

describe('6 order FILLED, SETTLED: sent', () => {
  it('sends FILLED, then SETTLED', async () => {
    const orderId = await trader.filled();
    await trader.act(orderId, 'settle');
    expect((await notified(contract(), orderId)).slice(-2)).toEqual(['FILLED', 'SETTLED']);
  });
});

describe('6 failed cancel: none sent', () => {
  it('sends nothing when the cancel of a FILLED order fails', async () => {
    const orderId = await trader.filled();
    const before = (await received(contract())).length;
    await expect(cancel(orderId)).rejects.toEqual(httpError(400));
    await contract().advance(60);
    expect(contract().partner.received).toHaveLength(before);
  });
});

describe('8 Retention of INVALID records: 48 hours, then purged', () => {
  it('answers Not Found to every query of a purged order', async () => {
    const orderId = await invalidOrder();
    await contract().advance(48 * 3_600);
    expect((await contract().call('GET', `/control/orders/${orderId}`)).status).toBe(404);
    const headers = { 'requestor-id': trader.naturalPersonId };
    expect((await contract().call('GET', `/traditional/orders/${orderId}`, { headers })).status).toBe(404);
  });
});
