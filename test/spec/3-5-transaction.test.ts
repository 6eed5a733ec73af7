import { beforeEach, describe, expect, it } from 'vitest';
import { cancelOrder } from '#shared/platform/resources/traditional-assets.ts';
import { useContract } from './contract.ts';
import { makePerson } from './persons.ts';
import { type Account, openAccount } from './trading.ts';

const contract = useContract();

let trader: Account;
beforeEach(async () => {
  trader = await openAccount(contract());
});

/** The transactions of orders, without the one of the incoming transfer that opened the account. */
const statuses = async () =>
  (await trader.transactions()).filter(({ orderId }) => orderId !== undefined).map(({ status }) => status);

describe('3.5 order N/A: RECEIVED, INVALID, PENDING, CANCELED and REJECTED have no transaction', () => {
  it('has no transaction of a RECEIVED or PENDING order', async () => {
    await trader.place();
    expect(await statuses()).toEqual([]);
    await contract().advance(5);
    expect(await statuses()).toEqual([]);
  });

  it('has no transaction of an INVALID order', async () => {
    await trader.place({ requestorId: await makePerson(contract(), 'BLOCKED') });
    await contract().advance(5);
    expect(await statuses()).toEqual([]);
  });

  it('has no transaction of a CANCELED order', async () => {
    await cancelOrder(contract().client, trader.naturalPersonId, await trader.pending());
    await contract().advance(5);
    expect(await statuses()).toEqual([]);
  });

  it('has no transaction of a REJECTED order', async () => {
    await trader.act(await trader.pending({ quantity: 1_000_000 }), 'execute');
    expect(await statuses()).toEqual([]);
  });
});

describe('3.5 COMPLETED: a FILLED and a SETTLED order, a PROCESSED transfer', () => {
  it('keeps COMPLETED from FILLED to SETTLED', async () => {
    const orderId = await trader.filled();
    expect(await statuses()).toEqual(['COMPLETED']);
    await trader.act(orderId, 'settle');
    expect(await statuses()).toEqual(['COMPLETED']);
  });
});

describe('3.5 MODIFIED: a CORRECTED order', () => {
  it('shows MODIFIED after a correction, and no transaction after the cancel', async () => {
    const orderId = await trader.filled();
    await trader.act(orderId, 'correct', { price: 11 });
    expect(await statuses()).toEqual(['MODIFIED']);
    await cancelOrder(contract().client, trader.naturalPersonId, orderId);
    await contract().advance(5);
    expect(await statuses()).toEqual([]);
  });
});
