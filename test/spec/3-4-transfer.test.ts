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
const complete = (transferId: string) => contract().control('POST', `/transfers/${transferId}/complete`, {});

async function pending(): Promise<string> {
  const { transferId } = await trader.transfer('OUT', 40);
  await contract().advance(5);
  return transferId;
}

describe('3.4 Create Transfer: outgoing, accepted; RECEIVED, the id returned', () => {
  it('starts as RECEIVED, and changes no balance', async () => {
    expect(await trader.transfer('OUT', 40)).toEqual({
      transferId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'RECEIVED',
    });
    expect(await cash()).toBe(100);
  });
});

describe('3.4 RECEIVED, balance sufficient: PENDING; balance updated, PENDING notified', () => {
  it('debits the balance when the transfer becomes PENDING', async () => {
    const transferId = await pending();
    expect(await trader.transferStatusOf(transferId)).toBe('PENDING');
    expect(await cash()).toBe(60);
    expect(await notified(contract(), transferId)).toEqual(['PENDING']);
  });
});

describe('3.4 PENDING: PROCESSED when the payment network has completed it, and notified', () => {
  it('keeps the debited balance when the transfer is PROCESSED', async () => {
    const transferId = await pending();
    await complete(transferId);
    expect(await trader.transferStatusOf(transferId)).toBe('PROCESSED');
    expect(await cash()).toBe(60);
    expect(await notified(contract(), transferId)).toEqual(['PENDING', 'PROCESSED']);
  });

  it('refuses to complete a transfer twice', async () => {
    const transferId = await pending();
    await complete(transferId);
    expect((await contract().call('POST', `/control/transfers/${transferId}/complete`, { body: {} })).status).toBe(409);
    expect(await notified(contract(), transferId)).toEqual(['PENDING', 'PROCESSED']);
  });
});

describe('3.4 RECEIVED, insufficient balance: REJECTED, and notified', () => {
  it('rejects a transfer above the balance, and debits nothing', async () => {
    const { transferId } = await trader.transfer('OUT', 100.01);
    await contract().advance(5);
    expect(await trader.transferStatusOf(transferId)).toBe('REJECTED');
    expect(await cash()).toBe(100);
    expect(await notified(contract(), transferId)).toEqual(['REJECTED']);
  });
});

describe('3.4 incoming: PROCESSED; balance updated, PROCESSED notified', () => {
  it('credits an incoming transfer to the balance', async () => {
    const { transferId, status } = await trader.transfer('IN', 50.5);
    await contract().advance(1);
    expect(status).toBe('PROCESSED');
    expect(await cash()).toBe(150.5);
    expect(await notified(contract(), transferId)).toEqual(['PROCESSED']);
  });
});

describe('3.4 INVALID: validation failed', () => {
  it('makes a transfer INVALID when its requestor is not ACTIVE', async () => {
    const { transferId } = await trader.transfer('OUT', 10, await makePerson(contract(), 'BLOCKED'));
    await contract().advance(5);
    expect(await trader.transferStatusOf(transferId)).toBe('INVALID');
    expect(await cash()).toBe(100);
  });
});

describe('6 transfer: PENDING, PROCESSED and REJECTED are sent, an incoming one as PROCESSED', () => {
  it('sends id, status and time of a transfer', async () => {
    const transferId = await pending();
    expect((await received(contract())).at(-1)?.body).toMatchObject({
      transferId,
      status: 'PENDING',
      modifiedOn: expect.stringMatching(/^2026-11-21T08:00/),
    });
  });
});

describe('3.5 transfer N/A: RECEIVED, INVALID, PENDING and REJECTED have no transaction', () => {
  it('adds no transaction on the way or after a refusal', async () => {
    const before = await trader.transactions();
    await trader.transfer('OUT', 10);
    expect(await trader.transactions()).toEqual(before);
    await pending();
    await trader.transfer('OUT', 1_000);
    await trader.transfer('OUT', 10, await makePerson(contract(), 'BLOCKED'));
    await contract().advance(5);
    expect(await trader.transactions()).toEqual(before);
  });
});

describe('3.5 COMPLETED: a PROCESSED transfer, a FILLED and a SETTLED order', () => {
  it('adds the transaction of a PROCESSED transfer', async () => {
    const before = await trader.transactions();
    await complete(await pending());
    expect((await trader.transactions()).map(({ status }) => status)).toEqual([
      ...before.map(({ status }) => status),
      'COMPLETED',
    ]);
  });
});
