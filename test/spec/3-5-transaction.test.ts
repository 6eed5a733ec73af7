import { beforeEach, describe, expect, it } from 'vitest';
import { useContract } from './contract.ts';
import { type Account, openAccount } from './trading.ts';

const contract = useContract();

let trader: Account;
beforeEach(async () => {
  trader = await openAccount(contract(), 0);
  await contract().control('POST', `/natural-persons/${trader.naturalPersonId}/account`, { cash: 1_000 });
});

const statuses = async () => (await trader.transactions()).map(({ status }) => status);

describe('3.5 order N/A: RECEIVED, INVALID, PENDING, CANCELED and REJECTED have no transaction', () => {
  it.each(['RECEIVED', 'INVALID', 'PENDING', 'CANCELED', 'REJECTED'])(
    'has no transaction of an order that is %s',
    async (status) => {
      await trader.orderThatIs(status);
      expect(await statuses()).toEqual([]);
    },
  );

  it('has no transaction of an order that is CANCELED after it was CORRECTED', async () => {
    await trader.act(await trader.orderThatIs('CORRECTED'), 'cancel');
    expect(await statuses()).toEqual([]);
  });
});

describe('3.5 transfer N/A: RECEIVED, INVALID, PENDING and REJECTED have no transaction', () => {
  it.each(['RECEIVED', 'INVALID', 'PENDING', 'REJECTED'])(
    'has no transaction of a transfer that is %s',
    async (status) => {
      await trader.transferThatIs(status);
      expect(await statuses()).toEqual([]);
    },
  );
});

describe('3.5 COMPLETED: a FILLED and a SETTLED order, a PROCESSED transfer', () => {
  it.each(['FILLED', 'SETTLED'])('has a COMPLETED transaction of an order that is %s', async (status) => {
    const orderId = await trader.orderThatIs(status);
    expect(await trader.transactions()).toEqual([{ orderId, status: 'COMPLETED' }]);
  });

  it.each(['IN', 'OUT'] as const)('has a COMPLETED transaction of a PROCESSED transfer: %s', async (direction) => {
    if (direction === 'IN') await trader.transfer('IN', 5);
    else await trader.transferThatIs('PROCESSED');
    expect(await statuses()).toEqual(['COMPLETED']);
  });
});

describe('3.5 MODIFIED: a CORRECTED order', () => {
  it('has a MODIFIED transaction of an order that is CORRECTED', async () => {
    await trader.orderThatIs('CORRECTED');
    expect(await statuses()).toEqual(['MODIFIED']);
  });
});
