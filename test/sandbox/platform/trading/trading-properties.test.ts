import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { type orderRecord, orderRecordPage } from '#sandbox/platform/trading/order-schema.ts';
import { type transferRecord, transferRecordPage } from '#sandbox/platform/trading/transfer-schema.ts';
import { person, representative, startTrading, type TestTrading } from './trading-fixture.ts';

/** Sections 3.3 and 3.4, by hand. What comes after each status; a record begins with one of `start`. */
const orderTable: Table = {
  start: ['RECEIVED'],
  RECEIVED: ['INVALID', 'PENDING'],
  PENDING: ['FILLED', 'CANCELED', 'REJECTED'],
  FILLED: ['SETTLED', 'CORRECTED'],
  CORRECTED: ['CANCELED'],
};
const transferTable: Table = {
  start: ['RECEIVED', 'PROCESSED'],
  RECEIVED: ['INVALID', 'PENDING', 'REJECTED'],
  PENDING: ['PROCESSED'],
};

type Table = Readonly<Record<string, readonly string[]>>;
type OrderRecord = z.infer<typeof orderRecord>;
type TransferRecord = z.infer<typeof transferRecord>;

/** A call, or time that passes. Which record it is of is told by a number: there may be none yet. */
type Step = (trading: TestTrading) => Promise<{ readonly status: number } | undefined>;

const which = fc.nat({ max: 5 });
const anyone = fc.constantFrom(person, representative);
/** Down to the last decimal that is taken, so that costs have to be rounded. */
const decimal = (most: number) => fc.integer({ min: 1, max: most * 10_000 }).map((units) => units / 10_000);
const cents = fc.integer({ min: 1, max: 60_000 }).map((units) => units / 100);

const orderId = ({ orders }: TestTrading, number: number) => orders.all()[number]?.orderId;
const transferId = ({ transfers }: TestTrading, number: number) => transfers.all()[number]?.transferId;

const actions = fc.oneof(
  fc.record({ name: fc.constantFrom('settle', 'cancel', 'hold', 'release'), body: fc.constant(undefined) }),
  fc.record({
    name: fc.constant('execute'),
    body: fc.option(fc.record({ price: decimal(300) }), { nil: undefined }),
  }),
  fc.record({ name: fc.constant('reject'), body: fc.constant({ reason: 'System error' }) }),
  fc.record({
    name: fc.constant('correct'),
    body: fc.record({ price: decimal(300), quantity: decimal(10) }, { requiredKeys: [] }),
  }),
);

const place = fc
  .record(
    {
      naturalPersonId: anyone,
      requestorId: anyone,
      side: fc.constantFrom('BUY', 'SELL'),
      quantity: decimal(10),
      limitPrice: decimal(100),
      isin: fc.constantFrom('DE000SBX0018', 'DE000SBX0026', 'US0378331005'),
    },
    { requiredKeys: ['naturalPersonId', 'side', 'quantity', 'isin'] },
  )
  .map(
    (body): Step =>
      (trading) =>
        trading.control('POST', '/orders', body),
  );

const act = fc.tuple(which, actions).map(
  ([number, { name, body }]): Step =>
    (trading) =>
      trading.control('POST', `/orders/${orderId(trading, number)}/${name}`, body),
);

const transfer = fc.record({ naturalPersonId: anyone, direction: fc.constantFrom('IN', 'OUT'), amount: cents }).map(
  (body): Step =>
    (trading) =>
      trading.control('POST', '/transfers', body),
);

const complete = which.map(
  (number): Step =>
    (trading) =>
      trading.control('POST', `/transfers/${transferId(trading, number)}/complete`),
);

const api = fc.tuple(fc.constantFrom('DELETE', 'GET'), which, anyone).map(
  ([method, number, requestorId]): Step =>
    (trading) =>
      trading.api(method, `/traditional/orders/${orderId(trading, number)}`, requestorId),
);

const invoice = which.map(
  (number): Step =>
    (trading) => {
      const executionId = trading.orders.all()[number]?.execution?.executionId;
      return trading.api('GET', `/traditional/orders/trade-invoice/${executionId}`);
    },
);

const pass = fc.constantFrom(0.5, 1, 5, 60, 86_400, 172_800).map(
  (seconds): Step =>
    async (trading) => {
      await trading.clock.advance(seconds);
      return undefined;
    },
);

const statuses = fc.tuple(anyone, fc.constantFrom('ACTIVE', 'ACTIVE', 'SUSPENDED')).map(
  ([id, status]): Step =>
    async (trading) => {
      trading.statuses.set(id, status);
      return undefined;
    },
);

const proxy = fc.constant<Step>(async (trading) => {
  trading.proxies.create(representative, person);
  return undefined;
});

const settings = fc.record({
  ordersExecutedAfter: fc.constantFrom(null, 2),
  ordersSettledAfter: fc.constantFrom(null, 2),
  transfersProcessedAfter: fc.constantFrom(null, 2),
  cancelsAfter: fc.constantFrom(0, 3),
});

const step = fc.oneof(
  { arbitrary: place, weight: 4 },
  { arbitrary: act, weight: 8 },
  { arbitrary: transfer, weight: 2 },
  { arbitrary: pass, weight: 5 },
  { arbitrary: api, weight: 3 },
  complete,
  invoice,
  statuses,
  proxy,
);

/** In cents; half a cent is rounded up. */
function costInCents({ executions: [execution] = [] }: OrderRecord): bigint {
  const tenThousandth = (value = 0) => BigInt(Math.round(value * 10_000));
  return (tenThousandth(execution?.price) * tenThousandth(execution?.quantity) + 500_000n) / 1_000_000n;
}

async function read(trading: TestTrading) {
  const orders = orderRecordPage.parse((await trading.control('GET', '/orders?limit=1000')).body).data;
  const transfers = transferRecordPage.parse((await trading.control('GET', '/transfers?limit=1000')).body).data;
  return { orders, transfers };
}

/** Every status of a record comes after the one before by the table, and each was notified but RECEIVED. */
function expectWithin(table: Table, { history, status }: OrderRecord | TransferRecord, told: readonly unknown[]): void {
  let before = 'start';
  for (const change of history) {
    expect(table[before], `after ${before}`).toContain(change.status);
    before = change.status;
  }
  expect(status).toBe(before);
  expect(told).toEqual(history.map((change) => change.status).filter((word) => word !== 'RECEIVED'));
}

const initial = 50_000n;

/** Money and positions are where the orders and transfers have brought them, and nothing is below 0. */
async function expectConserved(trading: TestTrading, naturalPersonId: string): Promise<void> {
  const { orders, transfers } = await read(trading);
  let [cash, unsettled] = [naturalPersonId === person ? initial : 0n, 0n];
  const positions = new Map<string, number>();
  for (const order of orders)
    if (order.naturalPersonId === naturalPersonId && ['FILLED', 'CORRECTED', 'SETTLED'].includes(order.status)) {
      const [sign, cost] = [order.side === 'BUY' ? -1n : 1n, costInCents(order)];
      cash += sign * cost;
      if (order.side === 'SELL' && order.status !== 'SETTLED') unsettled += cost;
      const tenThousandths = Math.round((order.executions?.[0]?.quantity ?? 0) * 10_000) * -Number(sign);
      positions.set(order.isin, (positions.get(order.isin) ?? 0) + tenThousandths);
    }
  for (const { naturalPersonId: id, direction, status, amount } of transfers)
    if (id === naturalPersonId && ['PENDING', 'PROCESSED'].includes(status))
      cash += BigInt(Math.round(amount * 100)) * (direction === 'IN' ? 1n : -1n);

  const account = await trading.account(naturalPersonId);
  expect(account.cash).toBe(Number(cash) / 100);
  expect(account.cash).toBeGreaterThanOrEqual(0);
  expect(account.settledCash).toBe(Math.max(0, Number(cash - unsettled) / 100));
  const expected = [...positions].filter(([, quantity]) => quantity !== 0);
  expect(new Map(account.positions.map(({ isin, quantity }) => [isin, quantity]))).toEqual(
    new Map(expected.map(([isin, quantity]) => [isin, quantity / 10_000])),
  );
  for (const [, quantity] of expected) expect(quantity).toBeGreaterThan(0);
}

describe('3.3 and 3.4: any order of calls, legal or not, at any time', () => {
  it('keeps orders and transfers within the tables, money and positions whole, and never answers 5xx', async () => {
    const reached = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        settings,
        fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }),
        async (change, steps) => {
          const trading = startTrading(change);
          await trading.fund(Number(initial) / 100);
          for (const take of steps) {
            const answer = await take(trading);
            expect([undefined, 200, 202, 400, 404, 409]).toContain(answer?.status);
          }
          const { orders, transfers } = await read(trading);
          const told = (id: string) => trading.sentOf(id).map(({ status }) => status);
          for (const order of orders) expectWithin(orderTable, order, told(order.orderId));
          for (const one of transfers) expectWithin(transferTable, one, told(one.transferId));
          for (const id of [person, representative]) await expectConserved(trading, id);
          expect(trading.errors).toEqual([]);
          for (const { status } of orders) reached.add(`order ${status}`);
          for (const { status } of transfers) reached.add(`transfer ${status}`);
          trading.close();
        },
      ),
      { numRuns: 300 },
    );
    // Otherwise the calls would show little: each status must have been come to.
    expect([...reached].filter((word) => word.startsWith('order'))).toHaveLength(8);
    expect([...reached].filter((word) => word.startsWith('transfer'))).toHaveLength(5);
  });
});
