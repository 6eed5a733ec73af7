import { beforeEach, describe, expect, it } from 'vitest';
import { registerPartner, useContract } from './contract.ts';
import { makePerson } from './persons.ts';
import { type Account, notified, openAccount, received } from './trading.ts';

const contract = useContract();

let trader: Account;
beforeEach(async () => {
  trader = await openAccount(contract(), 100);
  await registerPartner(contract(), 'TRANSFER_NOTIFICATION');
});

const cash = async () => (await trader.account()).cash;
const lastSent = async () => (await received(contract())).at(-1)?.body;
const complete = (transferId: string) =>
  contract().call('POST', `/control/transfers/${transferId}/complete`, { body: {} });

describe('3.4 Create Transfer: outgoing, accepted; RECEIVED, the id returned', () => {
  it('starts as RECEIVED, changes no balance and notifies nothing', async () => {
    expect(await trader.transfer('OUT', 40)).toEqual({
      transferId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'RECEIVED',
    });
    expect(await cash()).toBe(100);
    expect(await received(contract())).toEqual([]);
  });
});

describe('3.4 RECEIVED, balance sufficient + 6 transfer: PENDING; balance updated, PENDING notified', () => {
  it.each([0.01, 40, 100])('debits a balance of 100 by %d when the transfer becomes PENDING', async (amount) => {
    const { transferId } = await trader.transfer('OUT', amount);
    await contract().advance(5);
    expect(await trader.transferStatusOf(transferId)).toBe('PENDING');
    expect(await cash()).toBe(100 - amount);
    expect((await received(contract())).map(({ body }) => body)).toMatchObject([
      { transferId, status: 'PENDING', modifiedOn: expect.stringMatching(/^2026-11-21T08:00/) },
    ]);
  });
});

describe('3.4 PENDING + 6 transfer: PROCESSED when the payment network has completed it, and notified', () => {
  it('keeps the debited balance when the transfer is PROCESSED', async () => {
    const transferId = await trader.transferThatIs('PENDING');
    expect(await complete(transferId)).toMatchObject({ status: 200, body: { transferId, status: 'PROCESSED' } });
    expect(await trader.transferStatusOf(transferId)).toBe('PROCESSED');
    expect(await cash()).toBe(60);
    expect(await notified(contract(), transferId)).toEqual(['PENDING', 'PROCESSED']);
  });

  it.each(['RECEIVED', 'INVALID', 'REJECTED', 'PROCESSED'])(
    'refuses to complete a transfer that is %s',
    async (status) => {
      const transferId = await trader.transferThatIs(status);
      const before = [await cash(), await notified(contract(), transferId)];
      expect(await complete(transferId)).toMatchObject({ status: 409, body: { responseType: 'CONFLICT' } });
      expect(await trader.transferStatusOf(transferId)).toBe(status);
      expect([await cash(), await notified(contract(), transferId)]).toEqual(before);
    },
  );
});

describe('3.4 RECEIVED, insufficient balance + 6 transfer: REJECTED, and notified', () => {
  it('rejects a transfer above the balance, and debits nothing', async () => {
    const { transferId } = await trader.transfer('OUT', 100.01);
    await contract().advance(5);
    expect(await trader.transferStatusOf(transferId)).toBe('REJECTED');
    expect(await cash()).toBe(100);
    expect(await notified(contract(), transferId)).toEqual(['REJECTED']);
    expect(await lastSent()).toMatchObject({ rejectReason: 'INSUFFICIENT_BALANCE' });
  });
});

describe('3.4 incoming + 6 transfer: PROCESSED; balance updated, PROCESSED notified', () => {
  it('credits an incoming transfer to the balance, to the cent', async () => {
    const { transferId, status } = await trader.transfer('IN', 0.1);
    await trader.transfer('IN', 0.2);
    await contract().advance(1);
    expect(status).toBe('PROCESSED');
    expect(await trader.account()).toMatchObject({ cash: 100.3, settledCash: 100.3 });
    expect(await notified(contract(), transferId)).toEqual(['PROCESSED']);
    expect((await complete(transferId)).status).toBe(409);
  });
});

describe('3.4 INVALID: validation failed', () => {
  it.each([
    ['is not ACTIVE', 'BLOCKED', { errorType: 'VALIDATION_ERROR', description: expect.stringContaining('not ACTIVE') }],
    ['may not act for the person', 'ACTIVE', { errorType: expect.any(String), description: 'Requestor-ID invalid' }],
  ])('makes a transfer INVALID when its requestor %s', async (_, status, validationError) => {
    contract().platform.settings.change({ unlistedNotifications: true });
    const { transferId } = await trader.transfer('OUT', 10, await makePerson(contract(), status));
    await contract().advance(5);
    expect(await trader.transferStatusOf(transferId)).toBe('INVALID');
    expect(await cash()).toBe(100);
    expect(await lastSent()).toMatchObject({
      transferId,
      status: 'INVALID',
      notificationType: 'VALIDATION_ERROR',
      validationError,
    });
  });
});

describe('6 transfer: no other status of a transfer', () => {
  const all = ['PENDING', 'PROCESSED', 'REJECTED', 'INVALID'];

  it.each([
    ['only the statuses that section 6 lists', false, ['PENDING', 'PROCESSED', 'REJECTED']],
    ['each status with the setting unlistedNotifications', true, all],
  ])('notifies %s', async (_, unlistedNotifications, expected) => {
    contract().platform.settings.change({ unlistedNotifications });
    for (const status of all) await trader.transferThatIs(status);
    const statuses = new Set((await received(contract())).map(({ body }) => body['status']));
    expect([...statuses].toSorted()).toEqual(expected.toSorted());
  });
});

describe('8 Retention of INVALID records + 7 Not Found: 48 hours, then purged', () => {
  it('answers Not Found to every query of an INVALID transfer after 48 hours, and not before', async () => {
    const kept = await trader.transferThatIs('REJECTED');
    const transferId = await trader.transferThatIs('INVALID');
    const query = async (id: string) => {
      const headers = { 'requestor-id': trader.naturalPersonId };
      const ofPartner = await contract().call('GET', `/transfers/${id}`, { headers });
      return [ofPartner.status, (await contract().call('GET', `/control/transfers/${id}`)).status];
    };
    await contract().advance(48 * 3_600 - 6);
    expect(await query(transferId)).toEqual([200, 200]);
    await contract().advance(6);
    expect(await query(transferId)).toEqual([404, 404]);
    await contract().advance(1_000 * 3_600);
    expect(await query(kept)).toEqual([200, 200]);
  });
});
