import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderRecordPage } from '#sandbox/platform/trading/orders/order-schema.ts';
import { orderTransitions } from '#sandbox/platform/trading/orders/order-states.ts';
import { transferRecordPage } from '#sandbox/platform/trading/transfers/transfer-schema.ts';
import { transferTransitions } from '#sandbox/platform/trading/transfers/transfer-states.ts';
import { size } from '#test/full-size.ts';
import { costOf, type Holdings, holdingsOf, type Records } from './holdings.ts';
import { startTrading, type TestTrading } from './trading-fixture.ts';
import { type Step, step } from './trading-steps.ts';

type Table = Readonly<Record<string, readonly string[]>>;

/** The statuses that may follow each, and those with which a record may start. `test/spec` proves the tables. */
const orderTable: Table = { ...orderTransitions, start: ['RECEIVED'] };
const transferTable: Table = { ...transferTransitions, start: ['RECEIVED', 'PROCESSED'] };

const settings = fc.record({
  ordersExecutedAfter: fc.constantFrom(null, 2),
  ordersSettledAfter: fc.constantFrom(null, null, 2),
  transfersProcessedAfter: fc.constantFrom(null, 2),
  cancelsAfter: fc.constantFrom(0, 3),
});

/** What the person begins with: in cents, and in ten thousandths of an asset. */
const initial: Holdings = { cash: 50_000n, unsettled: 0n, positions: new Map([['DE000SBX0018', 200_000n]]) };

async function begin(change: object): Promise<TestTrading> {
  const trading = startTrading(change);
  await trading.fund(500, [{ isin: 'DE000SBX0018', quantity: 20 }]);
  return trading;
}

async function read(trading: TestTrading): Promise<Records> {
  return {
    orders: orderRecordPage.parse((await trading.control('GET', '/orders?limit=1000')).body).data,
    transfers: transferRecordPage.parse((await trading.control('GET', '/transfers?limit=1000')).body).data,
  };
}

/** Takes the steps; none may be answered with a failure of the sandbox. */
async function walk(trading: TestTrading, steps: readonly Step[]): Promise<void> {
  for (const take of steps) {
    const answer = await take(trading);
    expect([undefined, 200, 202, 400, 404, 409]).toContain(answer?.status);
  }
  expect(trading.errors).toEqual([]);
}

/** Every status comes after the one before by the table, and each but RECEIVED was notified, in that order. */
function expectWithin(
  table: Table,
  { history }: Pick<Records['orders'][number], 'history'>,
  told: readonly unknown[],
): void {
  const words = history.map(({ status }) => status);
  for (const [index, word] of words.entries()) expect(table[words[index - 1] ?? 'start'] ?? []).toContain(word);
  expect(told).toEqual(words.filter((word) => word !== 'RECEIVED'));
}

async function expectHoldings(trading: TestTrading, naturalPersonId: string, expected: Holdings): Promise<void> {
  const { cash, settledCash, positions } = await trading.account(naturalPersonId);
  const settled = expected.cash - expected.unsettled;
  expect(cash).toBe(Number(expected.cash) / 100);
  expect(settledCash).toBe(settled > 0n ? Number(settled) / 100 : 0);
  const held = positions.map(({ isin, quantity }) => [isin, BigInt(Math.round(quantity * 10_000))] as const);
  expect(new Map(held)).toEqual(expected.positions);
  for (const amount of [expected.cash, expected.unsettled, ...expected.positions.values()])
    expect(amount).toBeGreaterThanOrEqual(0n);
}

const reachable = { orders: 8, transfers: 5 };

describe('sandbox platform: trading under random calls and delays', () => {
  it('keeps every order and transfer within the tables, notifies each status, and never answers with 5xx', {
    timeout: 300_000,
  }, async () => {
    const reached = { orders: new Set<string>(), transfers: new Set<string>() };
    await fc.assert(
      fc.asyncProperty(
        settings,
        fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }),
        async (change, steps) => {
          const trading = await begin(change);
          await walk(trading, steps);
          const { orders, transfers } = await read(trading);
          const told = (id: string) => trading.sentOf(id).map(({ status }) => status);
          for (const order of orders) expectWithin(orderTable, order, told(order.orderId));
          for (const transfer of transfers) expectWithin(transferTable, transfer, told(transfer.transferId));
          for (const { history } of orders) for (const { status } of history) reached.orders.add(status);
          for (const { history } of transfers) for (const { status } of history) reached.transfers.add(status);
        },
      ),
      { numRuns: size(30, 150) },
    );
    // Otherwise it would have shown little.
    expect({ orders: reached.orders.size, transfers: reached.transfers.size }).toEqual(reachable);
  });
});

describe('sandbox platform: money and positions under random calls (sections 3.3 to 3.5)', () => {
  it('keeps balances and positions equal to the sum of all orders and transfers', {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        settings,
        fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }),
        async (change, steps) => {
          const trading = await begin(change);
          await walk(trading, steps);
          const records = await read(trading);
          await expectHoldings(trading, trading.person, holdingsOf(records, trading.person, initial));
          await expectHoldings(trading, trading.representative, holdingsOf(records, trading.representative));
        },
      ),
      { numRuns: size(30, 150) },
    );
  });

  it('counts money to the cent and rounds half a cent up', () => {
    expect(costOf({ quantity: 0.5, price: 0.01 })).toBe(1n);
    expect(costOf({ quantity: 0.5, price: 0.0099 })).toBe(0n);
  });
});
