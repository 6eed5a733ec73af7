import fc from 'fast-check';
import type { Fields, TestTrading } from './trading-fixture.ts';

/** A call or another event. A number picks the record, which may not exist yet. */
export type Step = (trading: TestTrading) => Promise<{ readonly status: number } | undefined>;

const which = fc.nat({ max: 3 });
const someone = fc.constantFrom('person', 'person', 'representative');
type Someone = 'person' | 'representative';

/** Down to the last decimal that is taken, so that costs have to be rounded. */
const decimal = (most: number) => fc.integer({ min: 1, max: most * 10_000 }).map((units) => units / 10_000);

const orderIdOf = ({ orders }: TestTrading, number: number) => orders.all().at(number - 3)?.orderId;
const personOf = (trading: TestTrading, who: string) => trading[who as Someone];

const order = fc.record(
  {
    who: someone,
    requestor: someone,
    side: fc.constantFrom('BUY', 'SELL'),
    quantity: decimal(10),
    limitPrice: decimal(100),
    isin: fc.constantFrom('DE000SBX0018', 'DE000SBX0018', 'DE000SBX0026', 'US0378331005'),
  },
  { requiredKeys: ['who', 'side', 'quantity', 'isin'] },
);

const place = order.map(
  ({ who, requestor = who, ...fields }): Step =>
    (trading) => {
      const ids = { naturalPersonId: personOf(trading, who), requestorId: personOf(trading, requestor) };
      return trading.control('POST', '/orders', { ...fields, ...ids });
    },
);

/** An order that is executed immediately, if possible, so that statuses after FILLED are reached. */
const trade = fc.record({ side: fc.constantFrom('BUY', 'SELL'), quantity: decimal(3) }).map(
  (fields): Step =>
    async (trading) => {
      const orderId = await trading.pendingOrder(fields);
      return trading.control('POST', `/orders/${orderId}/execute`);
    },
);

const correction = fc.record({ price: decimal(30), quantity: decimal(4) }, { requiredKeys: [] });
const execution = fc.option(fc.record({ price: decimal(60) }), { nil: undefined });

const act = (name: string, body: fc.Arbitrary<Fields | undefined> = fc.constant(undefined)) =>
  fc.tuple(which, body).map(
    ([number, fields]): Step =>
      (trading) =>
        trading.control('POST', `/orders/${orderIdOf(trading, number)}/${name}`, fields),
  );

const transfer = fc
  .record({ who: someone, direction: fc.constantFrom('IN', 'OUT'), cents: fc.integer({ min: 1, max: 40_000 }) })
  .map(
    ({ who, direction, cents }): Step =>
      (trading) => {
        const body = { naturalPersonId: personOf(trading, who), direction, amount: cents / 100 };
        return trading.control('POST', '/transfers', body);
      },
  );

const complete = which.map(
  (number): Step =>
    (trading) => {
      const transferId = trading.transfers.all().at(-1 - number)?.transferId;
      return trading.control('POST', `/transfers/${transferId}/complete`);
    },
);

const callApi = fc.tuple(fc.constantFrom('DELETE', 'DELETE', 'GET'), which, someone).map(
  ([method, number, who]): Step =>
    (trading) =>
      trading.api(method, `/traditional/orders/${orderIdOf(trading, number)}`, personOf(trading, who)),
);

const invoice = which.map(
  (number): Step =>
    (trading) => {
      const executionId = trading.orders.all().at(number - 3)?.execution?.executionId;
      return trading.api('GET', `/traditional/orders/trade-invoice/${executionId}`);
    },
);

const happening = (work: (trading: TestTrading) => unknown): Step => {
  return async (trading) => {
    await work(trading);
    return undefined;
  };
};

const pass = fc
  .constantFrom(0.5, 1, 1, 3, 60, 172_800)
  .map((seconds) => happening((trading) => trading.clock.advance(seconds)));

const changeStatus = fc
  .tuple(someone, fc.constantFrom('ACTIVE', 'ACTIVE', 'SUSPENDED'))
  .map(([who, status]) =>
    happening((trading) => trading.changeStatus(personOf(trading, who), status as 'ACTIVE' | 'SUSPENDED')),
  );

const entitle = fc.constant(happening((trading) => trading.proxies.create(trading.representative, trading.person)));

/** Anything that can happen to orders and transfers, legal or not. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: place, weight: 3 },
  { arbitrary: trade, weight: 4 },
  { arbitrary: act('execute', execution), weight: 3 },
  { arbitrary: act('correct', correction), weight: 4 },
  { arbitrary: act('settle'), weight: 2 },
  { arbitrary: act('cancel'), weight: 2 },
  act('reject', fc.constant({ reason: 'System error' })),
  act('hold'),
  act('release'),
  { arbitrary: transfer, weight: 3 },
  complete,
  { arbitrary: callApi, weight: 4 },
  invoice,
  { arbitrary: pass, weight: 5 },
  changeStatus,
  entitle,
);
