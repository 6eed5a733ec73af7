import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { hasCheckDigit, withCheckDigit } from '#sandbox/platform/trading/accounts/isin.ts';
import { startTrading, type TestTrading } from '#test/sandbox/platform/trading/trading-fixture.ts';

let trading: TestTrading;
beforeEach(() => {
  trading = startTrading();
});

const page = z.strictObject({
  data: z.array(z.object({ isin: z.string(), name: z.string() })),
  pagination: z.strictObject({ cursor: z.string(), limit: z.int() }),
});
const list = async (query = '') => page.parse((await trading.api('GET', `/traditional/assets${query}`)).body);

describe('sandbox platform: List assets (section 4)', () => {
  it('returns the asset universe with valid ISINs', async () => {
    const { data } = await list('?limit=1000');
    expect(data.length).toBeGreaterThan(20);
    expect(new Set(data.map(({ isin }) => isin)).size).toBe(data.length);
    for (const { isin } of data) expect(isin).toSatisfy(hasCheckDigit);
  });

  it('omits assets without trade documents', async () => {
    const outside = trading.assets.list().filter(({ hasTradeDocuments }) => !hasTradeDocuments);
    expect(outside.length).toBeGreaterThan(0);
    const { data } = await list('?limit=1000');
    for (const { isin } of outside) expect(data.map((asset) => asset.isin)).not.toContain(isin);
  });
});

describe('sandbox platform: assets over the control API', () => {
  const put = (asset: unknown) => trading.control('POST', '/assets', asset);

  it('adds and changes assets', async () => {
    const apple = { isin: 'US0378331005', name: 'A fruit', price: 200.5 };
    expect(await put(apple)).toMatchObject({ status: 200, body: { ...apple, hasTradeDocuments: true } });
    expect((await list('?limit=1000')).data).toContainEqual({ isin: apple.isin, name: apple.name });
    await put({ ...apple, price: 3, hasTradeDocuments: false });
    await trading.fund(10);
    const orderId = await trading.pendingOrder({ isin: apple.isin, quantity: 2 });
    await trading.control('POST', `/orders/${orderId}/execute`);
    expect(await trading.account()).toMatchObject({ cash: 4 });
    expect((await trading.control('GET', '/assets')).body).toContainEqual({
      ...apple,
      price: 3,
      hasTradeDocuments: false,
    });
  });
});

describe('sandbox platform: the check digit of an ISIN (ISO 6166)', () => {
  it.each(['US0378331005', 'DE0007164600', 'GB0002634946', 'AU0000XVGZA3', 'IE00B4L5Y983'])(
    'computes the check digit of %s',
    (isin) => {
      expect(withCheckDigit(isin.slice(0, -1))).toBe(isin);
      expect(hasCheckDigit(`${isin.slice(0, -1)}${(Number(isin.at(-1)) + 1) % 10}`)).toBe(false);
    },
  );
});
